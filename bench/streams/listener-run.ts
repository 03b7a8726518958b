// All streams of the listener process: opens them, counts the frames of a window and records their delay.
import { Agent, get } from 'node:http'
import { encodeHistogram, newHistogram, recordMs } from '../load/histogram.ts'
import type { ListenPlan, Received } from './plan.ts'
import { StreamConnection, type StreamOwner } from './stream-connection.ts'

const OPENING_AT_ONCE = 64
const CALLS_AT_ONCE = 16
/** Number of source addresses. Only Linux accepts all of 127.0.0.0/8. */
const SOURCES = process.platform === 'linux' ? 16 : 0

export class ListenerRun implements StreamOwner {
  readonly #onFailure: (reason: string) => void
  readonly #streams: StreamConnection[] = []
  #onOpened: () => void = () => undefined
  #latency = newHistogram()
  #frames = 0
  #heartbeats = 0
  #gaps = 0
  #heartbeatGapMs = 0
  #cpu = process.cpuUsage()

  /** `onFailure` is called for every stream that was rejected, failed or ended. `open` then never resolves. */
  constructor(onFailure: (reason: string) => void) {
    this.#onFailure = onFailure
  }

  /** Sends one request with every token. */
  async call({ port, tokens }: ListenPlan): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE })
    let next = 0
    const caller = async (): Promise<void> => {
      for (let index = next++; index < tokens.length; index = next++) await callOnce(agent, port, tokens[index] as string)
    }
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, caller))
    agent.destroy()
  }

  /** Opens the streams. Resolves when every stream has received its response head. */
  open({ port, tokens }: ListenPlan): Promise<void> {
    return new Promise((resolve) => {
      let next = 0
      let opened = 0
      const openNext = (): void => {
        const token = tokens[next]
        if (token === undefined) return
        const localAddress = SOURCES === 0 ? null : `127.0.${process.pid % 256}.${2 + (next % SOURCES)}`
        next++
        const stream = new StreamConnection(this)
        this.#streams.push(stream)
        stream.open({ port, token, localAddress })
      }
      this.#onOpened = () => {
        opened++
        if (opened === tokens.length) resolve()
        else openNext()
      }
      for (let count = 0; count < OPENING_AT_ONCE; count++) openNext()
    })
  }

  windowOpens(): void {
    this.#latency = newHistogram()
    this.#frames = 0
    this.#heartbeats = 0
    this.#gaps = 0
    this.#heartbeatGapMs = 0
    this.#cpu = process.cpuUsage()
  }

  windowCloses(): Received {
    const cpu = process.cpuUsage(this.#cpu)
    return {
      frames: this.#frames,
      heartbeats: this.#heartbeats,
      gaps: this.#gaps,
      heartbeatGapMs: this.#heartbeatGapMs,
      latency: encodeHistogram(this.#latency),
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
    }
  }

  close(): void {
    for (const stream of this.#streams.splice(0)) stream.close()
  }

  opened(): void {
    this.#onOpened()
  }

  frame(stream: StreamConnection, id: number, createdMs: number): void {
    this.#frames++
    if (stream.lastId !== 0 && id !== stream.lastId + 1) this.#gaps++
    stream.lastId = id
    // Both processes read the same clock, in whole milliseconds.
    recordMs(this.#latency, Date.now() - createdMs)
  }

  heartbeat(stream: StreamConnection): void {
    const nowMs = performance.now()
    this.#heartbeats++
    if (stream.lastHeartbeatMs !== 0) this.#heartbeatGapMs = Math.max(this.#heartbeatGapMs, nowMs - stream.lastHeartbeatMs)
    stream.lastHeartbeatMs = nowMs
  }

  failed(reason: string): void {
    this.#onFailure(reason)
  }
}

function callOnce(agent: Agent, port: number, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = get({ host: '127.0.0.1', port, path: '/v1/me', agent, headers }, (answer) => {
      answer.resume()
      if (answer.statusCode !== 200) reject(new Error(`a token was refused: ${answer.statusCode}`))
      answer.once('end', resolve)
    })
    sent.once('error', reject)
  })
}
