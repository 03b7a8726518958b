// A stream over real HTTP, as an app reads it: collects what comes, waits for what is to come, never for a time.
import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Patience } from './patience.ts'
import { readFrames, type SeenFrame } from './stream-fixture.ts'

const PATIENCE_MS = 20_000

export interface StreamRequest {
  readonly baseUrl: string
  readonly accessToken?: string
  readonly lastEventId?: string | number
  /** Behind the path. */
  readonly query?: string
}

export class EventReader {
  text = ''
  /** The server ended it: in order, or by closing the connection in the middle. */
  ended: 'end' | 'cut' | null = null
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly #request: ClientRequest
  readonly #wakes = new Set<() => void>()

  private constructor(sent: ClientRequest, answer: IncomingMessage) {
    this.#request = sent
    this.status = answer.statusCode ?? 0
    this.headers = answer.headers
    answer.setEncoding('utf8')
    answer.on('data', (text: string) => {
      this.text += text
      this.#wake()
    })
    answer.once('end', () => this.#over('end'))
    answer.once('error', () => this.#over('cut'))
    answer.once('close', () => this.#over('cut'))
  }

  /** Resolves with the head. */
  static open({ baseUrl, accessToken, lastEventId, query = '' }: StreamRequest): Promise<EventReader> {
    const headers = {
      accept: 'text/event-stream',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(`${baseUrl}/v1/me/events${query}`, { headers, agent: false })
      sent.once('response', (answer) => resolve(new EventReader(sent, answer)))
      sent.once('error', reject)
      sent.end()
    })
  }

  get frames(): SeenFrame[] {
    return readFrames(this.text)
  }

  /** Resolves with the frames once there are so many. */
  async until(count: number): Promise<SeenFrame[]> {
    await this.when(() => this.frames.length >= count, `${count} frames`)
    return this.frames
  }

  async untilEnd(): Promise<'end' | 'cut' | null> {
    await this.when(() => this.ended !== null, 'the end')
    return this.ended
  }

  async when(condition: () => boolean, what: string): Promise<void> {
    const patience = new Patience(PATIENCE_MS)
    while (!condition()) {
      assert.ok(!patience.isOver, `waited ${PATIENCE_MS} ms for ${what}, got ${JSON.stringify(this.text.slice(-2000))}`)
      assert.ok(this.ended === null, `waited for ${what}, but the stream is over: ${JSON.stringify(this.text.slice(-2000))}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience.leftMs)
        this.#wakes.add(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  /** From this side. */
  close(): void {
    this.#request.destroy()
  }

  #over(how: 'end' | 'cut'): void {
    this.ended ??= how
    this.#wake()
  }

  #wake(): void {
    const wakes = [...this.#wakes]
    this.#wakes.clear()
    for (const wake of wakes) wake()
  }
}
