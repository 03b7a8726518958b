// Clients of the kill rounds: writers that send each write with its key until the result is known, over any number of kills, a reader of
// balances, and one key that fifty clients send at once.
import type { KeyAttempt } from '../cluster/key-history.ts'
import { type Effect, MERCHANT } from '../cluster/money-writes.ts'
import { pause } from '../cluster/pause.ts'
import { RoundHistory } from '../cluster/round-history.ts'
import type { Prng } from '../support/prng.ts'
import type { KillAccounts } from './kill-accounts.ts'
import { HOLD_PREFIX, type KillWrite, type KillWriteKind, type KillWrites } from './kill-writes.ts'
import type { Running, ServerSlot } from './server-slot.ts'
import type { Told } from './wire.ts'

const WRITERS = 8
const READ_PAUSE_MS = 5
const BROKEN_PAUSE_MS = 50
/** Requests with one key at once. */
export const DUPLICATES = 50
const ASKED_AGAIN = 12

export interface KillLoadParts {
  readonly slot: ServerSlot
  readonly accounts: KillAccounts
  readonly writes: KillWrites
  readonly prng: Prng
}

export class KillLoad {
  readonly history = new RoundHistory()
  /** Acknowledged writes by kind. */
  readonly counts = new Map<KillWriteKind, number>()
  readonly #parts: KillLoadParts
  readonly #acknowledged: KillWrite[] = []
  /** Requests of each key that many clients sent at once. */
  readonly #floods = new Map<string, KeyAttempt[]>()
  readonly #clients: Promise<void>[]
  #waiting: { readonly count: number; readonly resolve: () => void } | null = null
  #keys = 0
  #isOver = false
  duplicates = 0

  constructor(parts: KillLoadParts) {
    this.#parts = parts
    this.#clients = [...Array.from({ length: WRITERS }, () => this.#writer()), this.#reader()]
  }

  get acknowledged(): number {
    return this.#acknowledged.length
  }

  /** Transactions of all acknowledged writes. */
  get transactions(): ReadonlySet<string> {
    const ids = this.history.changes.flatMap(({ transactionIds }) => transactionIds)
    return new Set(ids.filter((id) => !id.startsWith(HOLD_PREFIX)))
  }

  /** Resolves when so many more writes are acknowledged from now on. */
  untilAcknowledged(more: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count: this.acknowledged + more, resolve }
    })
  }

  /** Ends the clients when each has the result of its last write. */
  async finish(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  /** Sends one payout many times at once. `answered` resolves after so many answers; `all` when no request is under way. */
  flood(answers: number): { readonly answered: Promise<void>; readonly all: Promise<void>; readonly write: KillWrite } {
    const key = `d-${this.#keys++}`
    const write = this.#parts.writes.payout(key)
    this.#floods.set(key, [])
    let count = 0
    let resolve: () => void = () => {}
    const answered = new Promise<void>((reached) => {
      resolve = reached
    })
    const send = async (): Promise<void> => {
      await this.#attempt(write)
      if (++count >= answers) resolve()
    }
    const all = Promise.all(Array.from({ length: DUPLICATES }, send)).then(() => {})
    return { answered, all, write }
  }

  /** Sends the payout of a flood again as often: each request must be answered, with one body. */
  async floodAgain(write: KillWrite): Promise<void> {
    const attempts = this.#floods.get(write.key ?? '') ?? []
    const startMs = attempts.reduce((earliest, one) => Math.min(earliest, one.startMs), Number.POSITIVE_INFINITY)
    const told = await Promise.all(Array.from({ length: DUPLICATES }, () => this.#attempt(write)))
    const [first] = told
    if (told.some((one) => one?.status !== 201) || first === null || first === undefined) {
      this.history.refusals.push(`the key ${write.key} was not answered ${DUPLICATES} times with 201 after the kill`)
      return
    }
    this.duplicates += told.length
    this.#acknowledge(write, first, startMs)
  }

  /** Returns what is wrong with keys that were sent many times at once, in words: two bodies, or more than one execution. */
  floodFaults(): string[] {
    return [...this.#floods].flatMap(([key, attempts]) => {
      const answered = attempts.filter(({ body }) => body !== null)
      const bodies = new Set(answered.map(({ body }) => body)).size
      const executions = answered.filter(({ isReplay }) => !isReplay).length
      return bodies === 1 && executions <= 1 ? [] : [`the key ${key} has ${bodies} bodies and ${executions} executions`]
    })
  }

  /** Asks for the last acknowledged keys again. Their answers are compared by the history. */
  async askAgain(): Promise<void> {
    await Promise.all(this.#acknowledged.slice(-ASKED_AGAIN).map((write) => this.#attempt(write)))
  }

  async #writer(): Promise<void> {
    while (!this.#isOver) await this.#untilKnown(this.#parts.writes.next(`w-${this.#keys++}`))
  }

  async #reader(): Promise<void> {
    const { slot, accounts } = this.#parts
    for (let count = 0; !this.#isOver; count++) {
      const wallet = accounts.wallets[count % (accounts.wallets.length + 1)]
      const running = await slot.current()
      const [path, headers] =
        wallet === undefined ? ['/v1/biz/balance', accounts.merchantHeaders] : ['/v1/me/balance', accounts.headersOf(wallet)]
      const startMs = performance.now()
      const told = await this.#send(running, 'GET', path, headers, null)
      if (told?.status === 200) {
        const { available: balance } = JSON.parse(told.text) as { available: number }
        this.history.readings.push({ account: wallet?.tag ?? MERCHANT, node: running.name, balance, startMs, endMs: performance.now() })
      } else if (told !== null) this.history.refusals.push(`a balance: ${told.status} ${told.text}`)
      await pause(READ_PAUSE_MS)
    }
  }

  async #untilKnown(write: KillWrite): Promise<void> {
    const startMs = performance.now()
    for (let unclear = 0; ; unclear++) {
      const told = await this.#attempt(write)
      if (told !== null) {
        if (unclear > 0) this.history.unknown[told.replayed ? 'executed' : 'notExecuted']++
        if (told.status < 400) this.#acknowledge(write, told, startMs)
        return
      }
      if (write.key === null) return
    }
  }

  /** Null without a clear answer. */
  async #attempt({ kind, key, path, headers, body }: KillWrite): Promise<Told | null> {
    const running = await this.#parts.slot.current()
    const startMs = performance.now()
    const told = await this.#send(running, 'POST', path, key === null ? headers : { ...headers, 'idempotency-key': key }, body)
    const common = { node: running.name, startMs }
    if (told === null) {
      this.history.unknown.attempts++
      this.#addAttempt(key, { ...common, endMs: Number.POSITIVE_INFINITY, body: null, isReplay: false })
      return null
    }
    if (told.status < 300) this.#addAttempt(key, { ...common, endMs: performance.now(), body: told.text, isReplay: told.replayed })
    // A page that makes no charge for now says why with 422.
    const isExpected = told.status < 300 || (kind === 'link charge' && (told.status === 303 || told.status === 422))
    if (!isExpected) this.history.refusals.push(`${kind} ${key}: ${told.status} ${told.text}`)
    return told
  }

  /** Null when the server was killed before the whole answer was there. Only then may a connection break. */
  async #send(
    running: Running,
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
  ): Promise<Told | null> {
    try {
      return await running.wire.send(method, path, headers, body)
    } catch (error) {
      if (this.#parts.slot.isRunning(running)) {
        this.history.refusals.push(`${path}: ${(error as Error).message} while the server ran`)
        await pause(BROKEN_PAUSE_MS)
      }
      return null
    }
  }

  #acknowledge(write: KillWrite, told: Told, startMs: number): void {
    const endMs = performance.now()
    let effects: readonly Effect[] = []
    try {
      effects = write.effectsOf(told)
    } catch (error) {
      this.history.refusals.push(`${write.kind} ${write.key}: ${(error as Error).message}: ${told.text}`)
    }
    this.history.addEffects(effects, startMs, endMs)
    this.counts.set(write.kind, (this.counts.get(write.kind) ?? 0) + 1)
    if (write.key !== null) this.#acknowledged.push(write)
    if (this.#waiting !== null && this.acknowledged >= this.#waiting.count) {
      this.#waiting.resolve()
      this.#waiting = null
    }
  }

  #addAttempt(key: string | null, attempt: KeyAttempt): void {
    if (key === null) return
    const flood = this.#floods.get(key)
    if (flood === undefined) this.history.addAttempt(key, attempt)
    else flood.push(attempt)
  }
}
