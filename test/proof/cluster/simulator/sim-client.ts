// Connections of simulated processes to simulated PostgreSQL servers, in the place of `pg`'s client. Messages arrive late and in order,
// connections break, a direction of a network path swallows what is sent.
import { EventEmitter } from 'node:events'
import type { Client, ClientConfig } from 'pg'
import type { Prng } from '../../../support/prng.ts'
import type { SimMachine, SimProcess } from './sim-machine.ts'
import type { Answer, Session, SimServer } from './sim-server.ts'

export type Direction = 'to-server' | 'to-client'

const REFUSED_MS = 1

/** The paths between processes and servers, by the name of the process. */
export class SimNetwork {
  readonly machine: SimMachine
  readonly prng: Prng
  delayMaxMs = 2
  readonly connections = new Set<SimClient>()
  readonly #swallowed = new Map<string, Direction>()

  constructor(machine: SimMachine, prng: Prng) {
    this.machine = machine
    this.prng = prng
  }

  delayMs(): number {
    return this.prng.next() * this.delayMaxMs
  }

  isSwallowed(node: string, direction: Direction): boolean {
    return this.#swallowed.get(node) === direction
  }

  /** Holds back what a node sends to all servers, or gets from them. `heal` delivers it late. */
  swallow(node: string, direction: Direction): void {
    this.#swallowed.set(node, direction)
  }

  heal(node: string): void {
    this.#swallowed.delete(node)
    for (const connection of this.connections) if (connection.owner.name === node) connection.deliverHeld()
  }

  /** Breaks the connections of a node. What it had sent arrives or not, answers do not. */
  cut(node: string): void {
    for (const connection of [...this.connections]) if (connection.owner.name === node) connection.cut()
  }

  /** What stands for a server in the list of hosts. */
  hostOf(server: SimServer): ClientConfig & { readonly newClient: (config: ClientConfig) => Client } {
    return { newClient: (config) => new SimClient(this, server, config) as unknown as Client }
  }
}

interface Query {
  readonly text: string
  readonly values: readonly unknown[]
  readonly end: (answer: Answer) => void
}

interface QueryConfig {
  readonly text: string
  readonly values?: readonly unknown[]
}

/** The part of `pg`'s client that the sources use. */
export class SimClient extends EventEmitter implements Session {
  readonly owner: SimProcess
  lockTimeoutMs = Number.POSITIVE_INFINITY
  commits: Session['commits'] = 'on'
  isListening = false
  readonly #network: SimNetwork
  readonly #server: SimServer
  readonly #config: ClientConfig
  readonly #queue: Query[] = []
  #active: Query | null = null
  #isCut = false
  #serverLife = 0
  /** What was on its way to the server at the cut does not arrive. */
  #isSentLost = false
  #state: 'new' | 'open' | 'ended' = 'new'
  readonly #lastMs: Record<Direction, number> = { 'to-server': 0, 'to-client': 0 }
  readonly #held: Record<Direction, (() => void)[]> = { 'to-server': [], 'to-client': [] }

  constructor(network: SimNetwork, server: SimServer, config: ClientConfig) {
    super()
    this.#network = network
    this.#server = server
    this.#config = config
    this.owner = network.machine.process
  }

  connect(): Promise<void> {
    const server = this.#server
    this.#network.connections.add(this)
    this.owner.onExit.push(() => this.#hangUp())
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('timeout expired')), this.#config.connectionTimeoutMillis)
      this.#send('to-server', 'connects', () => {
        if (!server.isUp) {
          this.#network.machine.after(REFUSED_MS, this.owner, 'refused', () => {
            clearTimeout(late)
            reject(new Error('connection refused'))
          })
          return
        }
        server.open(this)
        this.#serverLife = server.life
        this.#send('to-client', 'connected', () => {
          clearTimeout(late)
          if (this.#state === 'new') this.#state = 'open'
          resolve()
        })
      })
    })
  }

  query(query: string | QueryConfig, values: readonly unknown[] = []): Promise<{ rows: unknown[]; rowCount: number }> {
    const text = typeof query === 'string' ? query : query.text
    const given = typeof query === 'string' ? values : (query.values ?? [])
    // Sent now: the caller may use the memory again.
    const sent = given.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))
    return new Promise((resolve, reject) => {
      const end = (answer: Answer): void => {
        clearTimeout(timer)
        if (answer instanceof Error) return reject(answer)
        resolve({ rows: [...answer.rows], rowCount: answer.rowCount })
      }
      if (this.#state !== 'open') return reject(new Error('Client has encountered a connection error and is not queryable'))
      const timer = setTimeout(() => {
        const at = this.#queue.indexOf(asked)
        if (at >= 0) this.#queue.splice(at, 1)
        reject(new Error('Query read timeout'))
      }, Number(this.#config.query_timeout))
      const asked: Query = { text, values: sent, end }
      this.#queue.push(asked)
      this.#next()
    })
  }

  end(): Promise<void> {
    if (this.#state !== 'ended') {
      this.#hangUp()
      this.#fail(new Error('Connection terminated'))
    }
    return Promise.resolve()
  }

  onNotification(payload: string): void {
    this.#send('to-client', 'notification', () => this.emit('notification', { payload }))
  }

  /** The server ended the connection. */
  onBroken(): void {
    this.#send('to-client', 'broken', () => this.#breakOff())
  }

  cut(): void {
    if (this.#isCut) return
    this.#isCut = true
    this.#isSentLost = this.#network.prng.chance(0.5)
    this.#server.close(this)
    this.#network.machine.after(0, this.owner, 'cut', () => this.#breakOff())
  }

  deliverHeld(): void {
    for (const direction of ['to-server', 'to-client'] as const) {
      for (const deliver of this.#held[direction].splice(0)) deliver()
    }
    if (this.#state === 'ended') this.#network.connections.delete(this)
  }

  #next(): void {
    if (this.#active !== null || this.#state !== 'open') return
    const query = this.#queue.shift()
    if (query === undefined) return
    this.#active = query
    this.#send('to-server', textLabel(query.text), () => {
      // A path that swallowed the end of the connection.
      if (this.#serverLife !== this.#server.life) return this.onBroken()
      const answer = (given: Answer): void => this.#send('to-client', 'answer', () => this.#take(query, given))
      if (!this.#set(query.text, answer)) this.#server.execute(this, query.text, query.values, answer)
    })
  }

  #take(query: Query, answer: Answer): void {
    this.#active = null
    if (!(answer instanceof Error) && answer.isWarned) this.emit('notice', { message: 'canceling wait for synchronous replication' })
    query.end(answer)
    this.#next()
  }

  /** Carries out statements about the session. Returns false for all others. */
  #set(text: string, answer: (answer: Answer) => void): boolean {
    const [, commit] = /set synchronous_commit = (\w+)/.exec(text) ?? []
    const [, lockMs] = /set lock_timeout = (\d+)/.exec(text) ?? []
    if (commit !== undefined) this.commits = commit === 'off' || commit === 'local' ? commit : 'on'
    if (lockMs !== undefined) this.lockTimeoutMs = Number(lockMs)
    if (text.startsWith('listen')) this.isListening = true
    const isReadOnly = text.includes('transaction_read_only')
    if (commit === undefined && lockMs === undefined && !text.startsWith('listen') && !isReadOnly) return false
    const { isPrimary, timeline } = this.#server
    answer({ rows: isReadOnly ? [{ read_only: isPrimary ? 'off' : 'on', timeline }] : [], rowCount: 0, isWarned: false })
    return true
  }

  /** Delivers after what was sent before in the same direction. */
  #send(direction: Direction, label: string, deliver: () => void): void {
    const { machine } = this.#network
    if (this.#network.isSwallowed(this.owner.name, direction) || this.#held[direction].length > 0) {
      this.#held[direction].push(() => this.#send(direction, label, deliver))
      return
    }
    if (this.#isCut) return
    const dueMs = Math.max(machine.nowMs + this.#network.delayMs(), this.#lastMs[direction])
    this.#lastMs[direction] = dueMs
    const isToServer = direction === 'to-server'
    machine.after(dueMs - machine.nowMs, isToServer ? null : this.owner, `${this.#server.name} ${label}`, () => {
      const arrives = isToServer ? !this.#isSentLost && (this.#server.isUp || label === 'connects') : this.#state !== 'ended'
      if (arrives) deliver()
    })
  }

  #breakOff(): void {
    if (this.#state === 'ended') return
    const error = new Error('Connection terminated unexpectedly')
    this.#hangUp()
    this.#network.connections.delete(this)
    this.emit('error', error)
    this.#fail(error)
  }

  #fail(error: Error): void {
    const pending = [...(this.#active === null ? [] : [this.#active]), ...this.#queue.splice(0)]
    this.#active = null
    for (const { end } of pending) end(error)
  }

  /** What was sent before still arrives, also when it is held back until later. */
  #hangUp(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#send('to-server', 'closes', () => this.#server.close(this))
    if (this.#held['to-server'].length === 0) this.#network.connections.delete(this)
  }
}

/** The beginning of a statement, for the trace. */
function textLabel(text: string): string {
  return text.trim().slice(0, 40).replace(/\s+/g, ' ')
}
