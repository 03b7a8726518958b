// Runs the merchant's code after a payment: takes what waits in live state, records that the code starts, runs it, and
// records its end. Code that has started runs again by request alone; what it does moves no money.
import type { Engine } from '../../../engine/actor/engine.ts'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import type { Clock, SandboxResult, Scheduler } from '../../../engine/actor/ports.ts'
import type { BillPayment, Fulfilling, RedeliveryRequested } from '../../../engine/domain/bill/bill-state.ts'
import type { EndFulfillment } from '../../../engine/domain/bill/fulfillment-decide.ts'
import type { ProductVersion } from '../../../engine/domain/biller/biller-state.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { type LogRecord, payloadOf } from '../../../engine/domain/record.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import { cutLine } from '../../text/shown-text.ts'
import type { CodeRequest, RecordedCode } from '../hosted-code/recorded-code.ts'
import {
  FULFILLMENT_ERROR_LENGTH_MAX,
  FULFILLMENT_RUN_MAX_MS,
  FULFILLMENT_TURNS,
  RECORD_RETRY_MS,
  SLOW_RUN_MS,
} from './fulfillment-limits.ts'
import { FulfillmentTurns, type Turn } from './turns.ts'

export interface FulfillerParts {
  readonly engine: Pick<Engine, 'state' | 'history' | 'submit'>
  readonly code: Pick<RecordedCode, 'run'>
  /** False when the disk is nearly full: code whose end could not be kept is not started. */
  readonly canWrite: () => boolean
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** A bug of the service; the fulfillment is recorded as failed all the same. */
  readonly onBug: (error: unknown) => void
}

type Ended = EndFulfillment['fulfillment']

/** How a turn ended. `waits`: the code was not begun. */
type TurnEnd = 'fast' | 'slow' | 'waits'

const INTERRUPTED: Ended = { state: 'failed', error: 'The service stopped while the code was running.', duration_ms: null }
const REFUNDED: Ended = { state: 'failed', error: 'The code was not run: the payment was refunded before.', duration_ms: null }
const BUG: Ended = { state: 'failed', error: 'The code was not run, for a reason of the service.', duration_ms: null }

export class Fulfiller {
  /** Since the start, by how they ended. */
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

  /** Runs under way, their recording included. */
  get underWay(): number {
    return this.#turns.live.running + this.#turns.test.running
  }

  /** Takes up what was open when the process ended, oldest first: what had started has failed, the rest runs. */
  start(): void {
    const rows = [...this.#bills.fulfilling.values()]
    rows.sort((one, other) => placeOf(one) - placeOf(other))
    for (const row of rows) this.#put(row)
  }

  /** Called for each durable record, in order: 30 000 a second under load, and few of them are bills. */
  record(record: LogRecord): void {
    if (record.command !== 'PayBill' && record.command !== 'RedeliverBill') return
    for (const event of record.events) {
      if (event.type !== 'bill.paid' && event.type !== 'bill.redelivery_requested') continue
      const row = this.#bills.fulfilling.get(payloadOf<BillPayment | RedeliveryRequested>(event).charge_id)
      if (row !== undefined) this.#put(row)
    }
  }

  /** Begins no run any more; resolves when those under way are recorded, at the latest after `maxMs`. */
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

  get #bills() {
    return this.#parts.engine.state.bills
  }

  #put({ charge_id, account }: Fulfilling): void {
    this.#turnsOf(account).put(account, charge_id)
    this.#plan()
  }

  #turnsOf(account: AccountNumber): FulfillmentTurns {
    return this.#turns[this.#environment(account)]
  }

  #environment(account: AccountNumber): Environment {
    return this.#parts.engine.state.accounts.environment(account)
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
        // Its row stays: the next start takes it up.
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
    const row = this.#bills.fulfilling.get(id)
    // Refunded while it waited.
    if (row === undefined) return 'fast'
    if (row.has_started) return this.#over(row, INTERRUPTED)
    const { account: merchant } = row
    const request = this.#requestOf(row)
    const start = await this.#submit({ type: 'StartFulfillment', merchant, chargeId: id }, merchant)
    if (start !== 200) return start === null ? 'waits' : 'fast'
    const result = await this.#run(request)
    if (result === null) return this.#over(row, BUG)
    if (!result.ok && !result.started) {
      const returned = await this.#record({ type: 'ReturnFulfillment', merchant, chargeId: id }, merchant)
      return returned === 200 || returned === null ? 'waits' : this.#over(row, REFUNDED)
    }
    await this.#over(row, endedBy(result))
    return result.durationMs < SLOW_RUN_MS ? 'fast' : 'slow'
  }

  async #over({ charge_id, account: merchant }: Fulfilling, fulfillment: Ended): Promise<TurnEnd> {
    const status = await this.#record({ type: 'EndFulfillment', merchant, chargeId: charge_id, fulfillment }, merchant)
    if (status === 200) this.figures[fulfillment.state]++
    return 'fast'
  }

  #requestOf({ account, position, product_position }: Fulfilling): CodeRequest {
    const { history } = this.#parts.engine
    const payment = payloadOf<BillPayment>(history.eventAt(position))
    const { definition } = payloadOf<ProductVersion>(history.eventAt(product_position ?? payment.product_position))
    const { merchant_id: merchantId, product } = payment
    const about = { merchantId, account, product, purpose: this.#environment(account) }
    const argument = JSON.stringify(fulfillmentContext(payment))
    return { ...about, entry: 'onPaid', source: definition.fulfillment_code ?? '', argument, timeoutMs: FULFILLMENT_RUN_MAX_MS }
  }

  /** Null after a bug of the service. */
  async #run(request: CodeRequest): Promise<SandboxResult | null> {
    try {
      return await this.#parts.code.run(request)
    } catch (error) {
      this.#parts.onBug(error)
      return null
    }
  }

  /** The status, once it is on disk; null when the process stops first. Tried again for as long as there is no room. */
  async #record(command: Command, mailbox: AccountNumber): Promise<number | null> {
    for (;;) {
      const status = await this.#submit(command, mailbox)
      if (status !== null || this.#stopped) return status
      await new Promise<void>((resolve) => this.#later(RECORD_RETRY_MS, resolve))
    }
  }

  /** The status, once it is on disk; null when the mailbox or the disk has no room. */
  #submit(command: Command, mailbox: AccountNumber): Promise<number | null> {
    const { engine, canWrite } = this.#parts
    return new Promise((resolve) => {
      const reply = { settle: ({ status }: Outcome): void => resolve(status) }
      const isTaken = canWrite() && engine.submit({ command, mailbox, idempotency: null }, reply) === null
      if (!isTaken) resolve(null)
    })
  }

  #later(ms: number, run: () => void): void {
    const { clock, scheduler } = this.#parts
    scheduler.at(clock.now() + ms, run)
  }
}

/** In the order of the account. */
function placeOf({ queued_position, position }: Fulfilling): number {
  return queued_position ?? position
}

/** What `onPaid` receives: the fields of the specification, and no other. */
export function fulfillmentContext(payment: BillPayment): object {
  const { biller, product, amount, currency, biller_ref, form_values, transaction_id, charge_id, merchant_id, paid_at } = payment
  const common = { biller, product, amount, currency, biller_ref, form_values, transaction_id, charge_id, merchant_id }
  return { ...common, paid_at: Math.floor(parseRfc3339(paid_at) / 1000) }
}

/** What the function returned is not kept. */
function endedBy(result: SandboxResult): Ended {
  const { durationMs: duration_ms } = result
  if (result.ok) return { state: 'succeeded', error: null, duration_ms }
  return { state: 'failed', error: cutLine(result.error, FULFILLMENT_ERROR_LENGTH_MAX), duration_ms }
}
