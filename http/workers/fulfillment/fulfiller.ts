// Runs the merchant's code after a payment: takes open fulfillments, records the start, runs the code, records its first call and its
// end. Code that has called runs again on request only. It moves no money.

import {
  type AccountNumber,
  type Clock,
  type Command,
  type CommandOf,
  type EngineApi,
  type Fulfilling,
  type LogRecord,
  type Outcome,
  payloadOf,
  placeOf,
  type RecordedBillPayment,
  type RedeliveryRequested,
  type SandboxResult,
  type Scheduler,
} from '../../../engine/api.ts'
import type { OutcomeKind } from '../../../engine/contract/outcome-kind.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import { cutLine } from '../../text/shown-text.ts'
import type { CodeRequest, RecordedCode } from '../hosted-code/recorded-code.ts'
import {
  FULFILLMENT_ERROR_LENGTH_MAX,
  FULFILLMENT_RUN_MAX_MS,
  FULFILLMENT_TURNS,
  OPEN_FULFILLMENTS_PER_QUERY,
  RECORD_RETRY_MS,
  SLOW_RUN_MS,
} from './fulfillment-limits.ts'
import { FulfillmentTurns, type Turn } from './fulfillment-turns.ts'

export interface FulfillerParts {
  readonly engine: Pick<EngineApi, 'query' | 'submit'>
  readonly code: Pick<RecordedCode, 'run'>
  /** False when the disk is nearly full. Code is then not started, because its end could not be recorded. */
  readonly canWrite: () => boolean
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Receives a bug of the service. The fulfillment is still recorded as failed. */
  readonly onBug: (error: unknown) => void
}

type Ended = CommandOf<'EndFulfillment'>['fulfillment']

/** How a turn ended. `waits`: the code did not start. */
type TurnEnd = 'fast' | 'slow' | 'waits'

const INTERRUPTED: Ended = { state: 'failed', error: 'The service stopped while the code was running.', duration_ms: null }
const REFUNDED: Ended = { state: 'failed', error: 'The code was not run: the payment was refunded before.', duration_ms: null }
const BUG: Ended = { state: 'failed', error: 'The code was not run, for a reason of the service.', duration_ms: null }

export class Fulfiller {
  /** Ended fulfillments since the process started, by state. */
  readonly figures: Record<Ended['state'], number> = { succeeded: 0, failed: 0 }
  readonly #parts: FulfillerParts
  readonly #turns: Readonly<Record<Environment, FulfillmentTurns>> = {
    live: new FulfillmentTurns(FULFILLMENT_TURNS),
    test: new FulfillmentTurns(FULFILLMENT_TURNS),
  }
  #pumpPlanned = false
  #stopped = false
  #onIdle: (() => void) | null = null

  constructor(parts: FulfillerParts) {
    this.#parts = parts
  }

  /** Number of active runs, including their recording. */
  get underWay(): number {
    return this.#turns.live.running + this.#turns.test.running
  }

  /**
   * Queues fulfillments that were open when the process ended, oldest first. Those that had called have failed; the
   * rest runs.
   */
  start(): void {
    const limit = OPEN_FULFILLMENTS_PER_QUERY
    let after: Position | null = null
    for (;;) {
      const rows: readonly Fulfilling[] = this.#parts.engine.query('fulfillments.open', { after, limit })
      for (const row of rows) this.#put(row)
      const last = rows.at(-1)
      if (last === undefined || rows.length < limit) return
      after = placeOf(last)
    }
  }

  /** Receives each durable record in order: 30 000 a second under load, and few of them are bills. */
  record(record: LogRecord): void {
    if (record.command !== 'PayBill' && record.command !== 'RedeliverBill') return
    for (const event of record.events) {
      if (event.type !== 'bill.paid' && event.type !== 'bill.redelivery_requested') continue
      const row = this.#open(payloadOf<RecordedBillPayment | RedeliveryRequested>(event).charge_id)
      if (row !== null) this.#put(row)
    }
  }

  /**
   * Starts no further runs. Resolves when the active ones are recorded, after at most `maxMs`. Code that has not called by then may not
   * call any more: it waits for the next start, as what had not begun.
   */
  async stop(maxMs: number): Promise<void> {
    this.#stopped = true
    if (this.underWay === 0) return
    const { clock, scheduler } = this.#parts
    await new Promise<void>((resolve) => {
      const cancel = scheduler.at(clock.now() + maxMs, resolve)
      this.#onIdle = () => {
        cancel()
        resolve()
      }
    })
  }

  #open(chargeId: string): Fulfilling | null {
    return this.#parts.engine.query('fulfillments.openOne', { chargeId })
  }

  #put({ charge_id, account }: Fulfilling): void {
    this.#turnsOf(account).put(account, charge_id)
    this.#plan()
  }

  #turnsOf(account: AccountNumber): FulfillmentTurns {
    return this.#turns[this.#environment(account)]
  }

  #environment(account: AccountNumber): Environment {
    return this.#parts.engine.query('accounts.environment', { account })
  }

  #plan(): void {
    if (this.#pumpPlanned) return
    this.#pumpPlanned = true
    this.#parts.scheduler.soon(this.#pump)
  }

  readonly #pump = (): void => {
    this.#pumpPlanned = false
    for (const environment of ENVIRONMENTS) {
      while (!this.#stopped) {
        const turn = this.#turns[environment].take()
        if (turn === null) break
        this.#begin(turn)
      }
    }
  }

  #begin(turn: Turn): void {
    this.#fulfill(turn.id).then(
      (end) => this.#end(turn, end),
      (error: unknown) => {
        // Its row stays open, so the next start takes it.
        this.#parts.onBug(error)
        this.#end(turn, 'slow')
      },
    )
  }

  #end(turn: Turn, end: TurnEnd): void {
    const { account } = turn
    const turns = this.#turnsOf(account)
    if (end === 'waits') {
      const pauseMs = turns.putBack(turn)
      if (pauseMs !== null) this.#later(pauseMs, () => this.#resume(account))
    } else {
      turns.done(turn, { isSlow: end === 'slow' })
    }
    if (this.underWay === 0) this.#onIdle?.()
    this.#plan()
  }

  #resume(account: AccountNumber): void {
    this.#turnsOf(account).resume(account)
    this.#plan()
  }

  async #fulfill(id: string): Promise<TurnEnd> {
    const row = this.#open(id)
    // The payment was refunded while it waited.
    if (row === null) return 'fast'
    const { account: merchant } = row
    if (row.has_called === true) return this.#over(row, INTERRUPTED)
    const request = this.#requestOf(row)
    if (request === null) return 'fast'
    // The process ended before its first call.
    const returned = row.has_started ? await this.#giveBack(row) : 'ok'
    if (returned !== 'ok') return returned
    const start = await this.#submit({ type: 'StartFulfillment', merchant, chargeId: id }, merchant)
    if (start !== 'ok') return start === null ? 'waits' : 'fast'
    const result = await this.#run({ ...request, allowCall: () => this.#markCall(row) })
    if (result === null) return this.#over(row, BUG)
    if (!result.ok && !result.started) {
      const end = await this.#giveBack(row)
      return end === 'ok' ? 'waits' : end
    }
    await this.#over(row, endedBy(result))
    return result.durationMs < SLOW_RUN_MS ? 'fast' : 'slow'
  }

  /** Makes durable that the code calls. False: it may not, because the process stops, the payment was refunded, or nothing can be recorded. */
  async #markCall({ charge_id: chargeId, account: merchant }: Fulfilling): Promise<boolean> {
    if (this.#stopped) return false
    return (await this.#submit({ type: 'MarkFulfillmentCall', merchant, chargeId }, merchant)) === 'ok'
  }

  /** Lets code that has had no effect wait again. */
  async #giveBack(row: Fulfilling): Promise<TurnEnd | 'ok'> {
    const { charge_id: chargeId, account: merchant } = row
    const returned = await this.#record({ type: 'ReturnFulfillment', merchant, chargeId }, merchant)
    if (returned === null) return 'waits'
    return returned === 'ok' ? 'ok' : this.#over(row, REFUNDED)
  }

  async #over({ charge_id, account: merchant }: Fulfilling, fulfillment: Ended): Promise<TurnEnd> {
    const kind = await this.#record({ type: 'EndFulfillment', merchant, chargeId: charge_id, fulfillment }, merchant)
    if (kind === 'ok') this.figures[fulfillment.state]++
    return 'fast'
  }

  /** Returns the request to the sandbox; null when the fulfillment has ended. */
  #requestOf({ charge_id: chargeId, account }: Fulfilling): CodeRequest | null {
    const run = this.#parts.engine.query('fulfillments.run', { chargeId })
    if (run === null) return null
    const { payment, source } = run
    const { merchant_id: merchantId, product } = payment
    const about = { merchantId, account, product, purpose: this.#environment(account) }
    const argument = JSON.stringify(fulfillmentContext(payment))
    return { ...about, entry: 'onPaid', source, argument, timeoutMs: FULFILLMENT_RUN_MAX_MS }
  }

  /** Runs the code. Null after a bug of the service. */
  async #run(request: CodeRequest): Promise<SandboxResult | null> {
    try {
      return await this.#parts.code.run(request)
    } catch (error) {
      this.#parts.onBug(error)
      return null
    }
  }

  /**
   * Submits a command until the engine has room. Returns the durable outcome's kind; null when the process stops
   * first.
   */
  async #record(command: Command, mailbox: AccountNumber): Promise<OutcomeKind | null> {
    for (;;) {
      const kind = await this.#submit(command, mailbox)
      if (kind !== null || this.#stopped) return kind
      await new Promise<void>((resolve) => this.#later(RECORD_RETRY_MS, resolve))
    }
  }

  /** Submits a command once. Returns the durable outcome's kind; null when the mailbox or the disk is full. */
  #submit(command: Command, mailbox: AccountNumber): Promise<OutcomeKind | null> {
    const { engine, canWrite } = this.#parts
    return new Promise((resolve) => {
      const reply = { settle: ({ kind }: Outcome): void => resolve(kind) }
      const isTaken = canWrite() && engine.submit({ command, mailbox, idempotency: null }, reply) === null
      if (!isTaken) resolve(null)
    })
  }

  #later(ms: number, run: () => void): void {
    const { clock, scheduler } = this.#parts
    scheduler.at(clock.now() + ms, run)
  }
}

/** Returns the argument of `onPaid`: the fields of the specification and no others. */
export function fulfillmentContext(payment: RecordedBillPayment): object {
  const { biller, product, amount, currency, biller_ref, form_values, transaction_id, charge_id, merchant_id, paid_at } = payment
  const common = { biller, product, amount, currency, biller_ref, form_values, transaction_id, charge_id, merchant_id }
  return { ...common, paid_at: Math.floor(parseRfc3339(paid_at) / 1000) }
}

/** Returns the end to record. The function's return value is not stored. */
function endedBy(result: SandboxResult): Ended {
  const { durationMs: duration_ms } = result
  if (result.ok) return { state: 'succeeded', error: null, duration_ms }
  return { state: 'failed', error: cutLine(result.error, FULFILLMENT_ERROR_LENGTH_MAX), duration_ms }
}
