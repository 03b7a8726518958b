// The stream of each wallet, read at listed nodes across all faults: ids grow by one, so nothing is missing and nothing comes twice.
import { type ClientRequest, request } from 'node:http'
import { Patience } from '../../support/patience.ts'
import type { Prng } from '../../support/prng.ts'
import { readFrames } from '../../support/stream-fixture.ts'
import type { Accounts, Wallet } from './accounts.ts'
import { pause } from './pause.ts'
import type { NodeName, TestedCluster } from './tested-cluster.ts'

const LOOK_MS = 50
const ARRIVAL_MAX_MS = 60_000
/** Three heartbeats. */
const SILENT_MAX_MS = 15_000

export class WalletStreams {
  readonly #streams: readonly WalletStream[]

  private constructor(streams: readonly WalletStream[]) {
    this.#streams = streams
  }

  /** Resolves when each stream has its first connection. */
  static async open(cluster: TestedCluster, accounts: Accounts, prng: Prng): Promise<WalletStreams> {
    const streams = accounts.wallets.map((wallet) => new WalletStream(cluster, accounts, wallet, prng))
    await Promise.all(streams.map((stream) => stream.connected))
    return new WalletStreams(streams)
  }

  /** Resolves when all these transactions were seen, with what is missing or wrong, in words. */
  async faultsOf(expected: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
    for (const patience = new Patience(ARRIVAL_MAX_MS); !patience.isOver; await pause(LOOK_MS)) {
      if (this.#streams.every((stream) => stream.missing(expected.get(stream.tag)).length === 0)) break
    }
    return this.#streams.flatMap((stream) => [
      ...stream.takeFaults(),
      ...stream.missing(expected.get(stream.tag)).map((id) => `the stream of ${stream.tag} lacks the transaction ${id}`),
    ])
  }

  get reconnections(): number {
    return this.#streams.reduce((count, stream) => count + stream.reconnections, 0)
  }

  async close(): Promise<void> {
    await Promise.all(this.#streams.map((stream) => stream.close()))
  }
}

class WalletStream {
  readonly tag: string
  readonly connected: Promise<void>
  reconnections = -1
  readonly #cluster: TestedCluster
  readonly #accounts: Accounts
  readonly #wallet: Wallet
  readonly #prng: Prng
  readonly #running: Promise<void>
  readonly #transactions = new Set<string>()
  #faults: string[] = []
  #lastId: number | null = null
  #onConnected: () => void = () => {}
  #request: ClientRequest | null = null
  #node: NodeName | null = null
  #heardMs = 0
  #isClosed = false

  constructor(cluster: TestedCluster, accounts: Accounts, wallet: Wallet, prng: Prng) {
    this.tag = wallet.tag
    this.#cluster = cluster
    this.#accounts = accounts
    this.#wallet = wallet
    this.#prng = prng
    this.connected = new Promise((resolve) => {
      this.#onConnected = resolve
    })
    this.#running = this.#run()
  }

  missing(expected: ReadonlySet<string> | undefined): string[] {
    return [...(expected ?? [])].filter((id) => !this.#transactions.has(id))
  }

  takeFaults(): string[] {
    const faults = this.#faults
    this.#faults = []
    return faults
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#request?.destroy()
    await this.#running
  }

  async #run(): Promise<void> {
    const looking = setInterval(() => this.#look(), LOOK_MS)
    while (!this.#isClosed) {
      const { listed } = this.#cluster
      if (listed.length > 0) await this.#readOnce(this.#prng.pick(listed))
      await pause(LOOK_MS)
    }
    clearInterval(looking)
  }

  /** Leaves a node that is not listed any more, or sends no heartbeats. */
  #look(): void {
    const isLost = this.#node !== null && !this.#cluster.listed.includes(this.#node)
    if (isLost || performance.now() - this.#heardMs > SILENT_MAX_MS) this.#request?.destroy()
  }

  /** Resolves when the connection has ended. */
  #readOnce(node: NodeName): Promise<void> {
    const headers = {
      accept: 'text/event-stream',
      ...this.#accounts.headersOf(this.#wallet),
      ...(this.#lastId === null ? {} : { 'last-event-id': String(this.#lastId) }),
    }
    this.#node = node
    this.#heardMs = performance.now()
    return new Promise((resolve) => {
      const sent = request(`${this.#cluster.baseUrl(node)}/v1/me/events`, { headers, agent: false })
      this.#request = sent
      sent.once('error', () => resolve())
      sent.once('close', () => resolve())
      sent.once('response', (answer) => {
        if (answer.statusCode !== 200) {
          if (answer.statusCode !== 503) this.#faults.push(`the stream of ${this.tag} at ${node} answered ${answer.statusCode}`)
          sent.destroy()
          return
        }
        this.reconnections++
        this.#onConnected()
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          this.#heardMs = performance.now()
          text += chunk
          const end = text.lastIndexOf('\n\n')
          if (end < 0) return
          this.#take(node, text.slice(0, end + 2))
          text = text.slice(end + 2)
        })
        answer.on('error', () => {
          // The connection broke: read on by the last id.
        })
      })
      sent.end()
    })
  }

  #take(node: NodeName, text: string): void {
    for (const { id, event, data } of readFrames(text)) {
      if (event === 'stream.reset') this.#faults.push(`the stream of ${this.tag} at ${node} was reset: ${JSON.stringify(data)}`)
      else if (this.#lastId !== null && id !== this.#lastId + 1) {
        this.#faults.push(`the stream of ${this.tag} at ${node} has id ${id} after ${this.#lastId}`)
      }
      this.#lastId = id
      if (event === 'balance.updated') this.#transactions.add(String(data.transaction_id))
    }
  }
}
