// Realtime streams of a simulated cluster: readers that connect to any node, lose their connections and resume at another node. Each
// reader gets each frame of its wallet once, with ids that grow by one, and the same text at each node.
import assert from 'node:assert/strict'
import type { StreamHub } from '../../../../http/api/stream/wallet-hub.ts'
import type { OpenStream, StreamListener } from '../../../../http/server/route.ts'
import type { Prng } from '../../../support/prng.ts'
import type { SimNetwork } from './sim-client.ts'
import type { SimMachine, SimProcess } from './sim-machine.ts'
import type { SimNode } from './sim-node.ts'

/** Maximum time of one connection. Then its reader resumes at some node. */
const CONNECTION_MAX_MS = 8000
const READERS_MAX = 8
const WRITABLE_MAX_MS = 200
const ORDER_MS = 0.001

interface Parts {
  readonly machine: SimMachine
  readonly prng: Prng
  readonly network: SimNetwork
  readonly nodes: readonly SimNode[]
}

interface Connection {
  readonly process: SimProcess
  /** Text arrives in the order in which it was sent. */
  lastMs: number
  listener: StreamListener | null
}

export class SimStreams {
  readonly figures = { streamFrames: 0, streamConnections: 0 }
  readonly #parts: Parts
  readonly #readers: Reader[] = []
  /** Text of each frame by account and id. */
  readonly #texts = new Map<string, string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Adds a reader of the wallet, which has had no frame yet. Does nothing when there are enough. */
  add(account: number): void {
    if (this.#readers.length >= READERS_MAX) return
    this.#readers.push(new Reader(account, this.#parts, this.figures, (id, text) => this.#check(account, id, text)))
  }

  /** Whether each reader has all frames of its wallet, of which there are so many. */
  haveAll(frames: (account: number) => number): boolean {
    return this.#readers.every(({ account, lastId }) => {
      assert.ok(lastId <= frames(account), `account ${account} has no frame ${lastId}`)
      return lastId === frames(account)
    })
  }

  #check(account: number, id: number, text: string): void {
    const name = `${account} ${id}`
    assert.equal(text, this.#texts.get(name) ?? text, `frame ${name} is the same at each node`)
    this.#texts.set(name, text)
  }
}

class Reader {
  readonly account: number
  lastId = 0
  readonly #parts: Parts
  readonly #figures: SimStreams['figures']
  readonly #onFrame: (id: number, text: string) => void
  #connection: Connection | null = null

  constructor(account: number, parts: Parts, figures: SimStreams['figures'], onFrame: (id: number, text: string) => void) {
    this.account = account
    this.#parts = parts
    this.#figures = figures
    this.#onFrame = onFrame
    this.#connect()
  }

  #connect(): void {
    const { machine, network, nodes, prng } = this.#parts
    this.#leave()
    const node = prng.pick(nodes)
    const connection: Connection = { process: node.process, lastMs: 0, listener: null }
    this.#connection = connection
    const lastEventId = this.lastId
    machine.after(network.delayMs(), connection.process, 'stream opens', () => this.#arrive(node, connection, lastEventId))
    machine.after(prng.below(CONNECTION_MAX_MS), null, 'stream reader reconnects', () => this.#lost(connection))
  }

  #leave(): void {
    const { machine, network } = this.#parts
    const left = this.#connection
    if (left !== null) machine.after(network.delayMs(), left.process, 'stream is closed', () => left.listener?.onClosed())
  }

  #lost(connection: Connection): void {
    if (connection === this.#connection) this.#connect()
  }

  /** As each read: the node answers with what it has after its barrier. */
  #arrive(node: SimNode, connection: Connection, lastEventId: number): void {
    const { running } = node
    if (running === null || running.process !== connection.process) return
    const open = (): void => {
      const holder = { account: this.account, deviceId: 'device', sessionId: 'session', expiresAtMs: Number.POSITIVE_INFINITY }
      this.#open(running.hub, connection, { holder, lastEventId })
    }
    running.node.barrier().then(open, () => {})
  }

  #open(hub: StreamHub, connection: Connection, request: Omit<Parameters<StreamHub['open']>[0], 'open'>): void {
    const socket: OpenStream = {
      write: (text) => this.#write(connection, text),
      end: () => this.#send(connection, 'stream ends', () => this.#lost(connection)),
      cut: () => this.#send(connection, 'stream is cut', () => this.#lost(connection)),
    }
    const isTaken = hub.open({
      ...request,
      open: (listener) => {
        this.#figures.streamConnections++
        connection.listener = listener
        return socket
      },
    })
    if (!isTaken) socket.end()
  }

  #write(connection: Connection, text: string): boolean {
    const { machine, prng } = this.#parts
    this.#send(connection, 'stream text', () => {
      if (connection === this.#connection) this.#take(text)
    })
    if (prng.chance(0.9)) return true
    machine.after(prng.below(WRITABLE_MAX_MS), connection.process, 'stream is writable', () => connection.listener?.onWritable())
    return false
  }

  #send(connection: Connection, label: string, run: () => void): void {
    if (connection.process.isDead) return
    const { machine, network } = this.#parts
    // Events of the same moment have a random order.
    connection.lastMs = Math.max(machine.nowMs + network.delayMs(), connection.lastMs + ORDER_MS)
    machine.after(connection.lastMs - machine.nowMs, null, label, run)
  }

  #take(text: string): void {
    for (const block of text.split('\n\n').slice(0, -1)) {
      const [, id, type, data] = /^id: ([0-9]+)\nevent: ([a-z_.]+)\ndata: (.+)$/.exec(block) ?? []
      assert.ok(id !== undefined && data !== undefined, `a frame is whole: ${block}`)
      if (type === 'stream.reset') this.#skip(data)
      else {
        assert.equal(Number(id), this.lastId + 1, `a reader of account ${this.account} gets each frame once and in order`)
        this.lastId = Number(id)
        this.#figures.streamFrames++
        this.#onFrame(Number(id), block)
      }
    }
  }

  /** A reset is for readers that missed more frames than the ring holds. */
  #skip(data: string): void {
    const { oldest_id } = (JSON.parse(data) as { readonly data: { readonly oldest_id: number } }).data
    assert.ok(
      oldest_id - 1 > this.lastId,
      `a reader of account ${this.account} that has frame ${this.lastId} missed none before ${oldest_id}`,
    )
    this.lastId = oldest_id - 1
  }
}
