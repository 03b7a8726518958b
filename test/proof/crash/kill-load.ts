// Clients of the kill rounds: writers that send each write with its key until the result is known, over any number of kills, a reader of
// balances, and one key that fifty clients send at once.

import type { Prng } from '../../support/prng.ts'
import type { KeyAttempt } from '../cluster/key-history.ts'
import type { Effect } from '../cluster/money-writes.ts'
import { pause } from '../cluster/pause.ts'
import { RoundHistory } from '../cluster/round-history.ts'
import { DUPLICATES, type Flood, KeyFloods } from './key-floods.ts'
import type { BalancePlace, KillAccounts } from './kill-accounts.ts'
import { HOLD_PREFIX } from './kill-write.ts'
import type { KillWrite, KillWriteKind, KillWrites } from './kill-writes.ts'
import { postOperation } from './money-operations.ts'
import { endsInTime, type Running, type ServerSlot } from './server-slot.ts'
import type { Told } from './wire.ts'

const READ_PAUSE_MS = 5
const BROKEN_PAUSE_MS = 50
/** Before a lookup is asked for again: the sandbox was starting. */
const LOOKUP_PAUSE_MS = 100
const ASKED_AGAIN = 12

export interface KillLoadParts {
  readonly slot: ServerSlot
  readonly accounts: KillAccounts
  readonly writes: KillWrites
  readonly prng: Prng
  /** Clients that write. */
  readonly writers: number
  /** Start of all keys, where several loads write with the same accounts. */
  readonly keys?: string
}

export class KillLoad {
  readonly history = new RoundHistory()
  readonly floods = new KeyFloods((write) => this.#attempt(write))
  /** Acknowledged writes by kind. */
  readonly counts = new Map<KillWriteKind, number>()
  /** Acknowledged writes by operation of the document. */
  readonly operations = new Map<string, number>()
  readonly #parts: KillLoadParts
  readonly #acknowledged: KillWrite[] = []
  readonly #clients: Promise<void>[]
  #waiting: { readonly count: number; readonly resolve: () => void } | null = null
  #keys = 0
  #isOver = false

  constructor(parts: KillLoadParts) {
    this.#parts = parts
    this.#clients = [...Array.from({ length: parts.writers }, () => this.#writer()), this.#reader()]
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

  /** Sends one payout many times at once. `answered` resolves after so many answers. */
  flood(answers: number): Flood {
    return this.floods.flood(this.#parts.writes.payout(this.#newKey('d')), answers)
  }

  /** Sends the payout of a flood again as often: each request must be answered, with one body. */
  async floodAgain(write: KillWrite): Promise<void> {
    const result = await this.floods.again(write)
    if (result !== null) this.#acknowledge(write, result.told, result.startMs)
    else this.history.refusals.push(`the key ${write.key} was not answered ${DUPLICATES} times with 201 after the kill`)
  }

  /** Asks for the last acknowledged keys again. Their answers are compared by the history. */
  async askAgain(): Promise<void> {
    await Promise.all(this.#acknowledged.slice(-ASKED_AGAIN).map((write) => this.#attempt(write)))
  }

  async #writer(): Promise<void> {
    while (!this.#isOver) await this.#untilKnown(this.#parts.writes.next(this.#newKey('w')))
  }

  async #reader(): Promise<void> {
    const { slot, accounts } = this.#parts
    for (let count = 0; !this.#isOver; count++) {
      const { account, path, headers } = accounts.balances[count % accounts.balances.length] as BalancePlace
      const running = await slot.current()
      const startMs = performance.now()
      const told = await this.#send(running, 'GET', path, headers, null)
      if (told?.status === 200) {
        const { available: balance } = JSON.parse(told.text) as { available: number }
        this.history.readings.push({ account, node: running.name, balance, startMs, endMs: performance.now() })
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
        else if (isUnavailableLookup(write.kind, told)) await pause(LOOKUP_PAUSE_MS)
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
    const isPage = kind === 'link charge' && (told.status === 303 || told.status === 422)
    if (told.status >= 300 && !isPage && !isUnavailableLookup(kind, told))
      this.history.refusals.push(`${kind} ${key}: ${told.status} ${told.text}`)
    return told
  }

  /** Null when the server ended before the whole answer was there. Only then may a connection break. */
  async #send(
    running: Running,
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
  ): Promise<Told | null> {
    try {
      const told = await running.wire.send(method, path, headers, body)
      if (!running.mayEnd || told.status !== 503) return told
      await pause(BROKEN_PAUSE_MS)
      return null
    } catch (error) {
      if (!this.#parts.slot.isRunning(running) || (running.mayEnd && (await endsInTime(running.server)))) return null
      this.history.refusals.push(`${path}: ${(error as Error).message} while the server ran`)
      await pause(BROKEN_PAUSE_MS)
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
    const operation = postOperation(write.path)
    if (operation !== null) this.operations.set(operation, (this.operations.get(operation) ?? 0) + 1)
    if (write.key !== null) this.#acknowledged.push(write)
    if (this.#waiting !== null && this.acknowledged >= this.#waiting.count) {
      this.#waiting.resolve()
      this.#waiting = null
    }
  }

  #newKey(letter: string): string {
    return `${this.#parts.keys ?? ''}${letter}-${this.#keys++}`
  }

  #addAttempt(key: string | null, attempt: KeyAttempt): void {
    if (key !== null && !this.floods.add(key, attempt)) this.history.addAttempt(key, attempt)
  }
}

/** A quote moves no money. It is refused while the sandbox starts, and when its wallet waits for two others. */
function isUnavailableLookup(kind: KillWriteKind, { status }: Told): boolean {
  return kind === 'quote' && [429, 502, 503, 504].includes(status)
}
