// Runs the merchant's code after a payment: takes what waits in the state, has it written down that the code starts, runs
// it, and hands what came of it back as a command. It never runs the same twice, and what it does moves no money.
import type { Engine } from '../../engine/actor/engine.ts'
import type { Outcome } from '../../engine/actor/envelope.ts'
import type { Clock, SandboxResult, Scheduler } from '../../engine/actor/ports.ts'
import type { EndFulfillment } from '../../engine/domain/bill/fulfillment-decide.ts'
import type { BillPayment, Fulfilling } from '../../engine/domain/bill/state.ts'
import type { ProductVersion } from '../../engine/domain/biller/state.ts'
import type { Command } from '../../engine/domain/command.ts'
import { type LogRecord, payloadOf } from '../../engine/domain/record.ts'
import { ENVIRONMENTS, type Environment } from '../../engine/kernel/environment.ts'
import { parseRfc3339, type TimeMs } from '../../engine/kernel/time.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { RecordedCode } from '../hosted-code/recorded-code.ts'
import { cutLine } from '../shown-text.ts'
import { Lanes, type Turn } from '../webhooks/lanes.ts'
import {
  FULFILLMENT_ERROR_LENGTH_MAX,
  FULFILLMENT_RUN_MAX_MS,
  FULFILLMENT_WAIT_MAX_MS,
  FULFILLMENTS_PER_MERCHANT_MAX,
  RETRY_MS,
  SLOW_RUN_MS,
  THREADS_PER_FULFILLMENT,
} from './limits.ts'

export interface FulfillerParts {
  readonly engine: Pick<Engine, 'state' | 'history' | 'submit'>
  readonly code: Pick<RecordedCode, 'run'>
  /** Of the sandbox. */
  readonly threads: number
  /** False when the disk is nearly full: code whose end could not be kept is not started. */
  readonly canWrite: () => boolean
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** A fulfillment failed for a reason of ours; it is recorded as failed all the same. */
  readonly onBug: (error: unknown) => void
}

type Ended = EndFulfillment['fulfillment']

const INTERRUPTED: Ended = { state: 'failed', error: 'The service stopped while the code was running.', duration_ms: null }
const WAITED_TOO_LONG: Ended = {
  state: 'failed',
  error: `The code was not run: it had waited for ${FULFILLMENT_WAIT_MAX_MS / 1000} s behind others.`,
  duration_ms: null,
}
const OUR_FAULT: Ended = { state: 'failed', error: 'The code was not run, for a reason of the service.', duration_ms: null }

export class Fulfiller {
  /** Since the start, by how they ended. */
  readonly figures: Record<Ended['state'], number> = { succeeded: 0, failed: 0 }
  readonly #parts: FulfillerParts
  /** Merchants take turns; those whose code hangs or fails share slots of their own. */
  readonly #lanes: Readonly<Record<Environment, Lanes>>
  /** Since when each waits, in this process. */
  readonly #since = new Map<string, TimeMs>()
  #pumpPlanned = false
  #stopped = false
  #running = 0
  #onIdle: (() => void) | null = null

  constructor(parts: FulfillerParts) {
    this.#parts = parts
    const slots = (environment: Environment): Lanes => {
      const slotsMax = Math.max(1, Math.floor(parts.threads / THREADS_PER_FULFILLMENT[environment]))
      const most = FULFILLMENTS_PER_MERCHANT_MAX
      return new Lanes({ slotsMax, failingSlotsMax: Math.max(1, Math.floor(slotsMax / 2)), lane: { start: most, min: 1, max: most } })
    }
    this.#lanes = { live: slots('live'), test: slots('test') }
  }

  /** Runs under way, their recording included. */
  get underWay(): number {
    return this.#running
  }

  /** Takes up what was open when the process ended: what had started has failed, what had not starts now. */
  start(): void {
    for (const row of this.#bills.fulfilling.values()) this.#put(row)
  }

  /** Called for each durable record, in order: 30 000 a second under load, and few of them are bills. */
  record(record: LogRecord): void {
    if (record.command !== 'PayBill') return
    for (const event of record.events) {
      if (event.type !== 'bill.paid') continue
      const row = this.#bills.fulfilling.get(payloadOf<BillPayment>(event).charge_id)
      if (row !== undefined) this.#put(row)
    }
  }

  /** Begins nothing any more; resolves when what is under way is recorded, at the latest after `maxMs`. */
  async stop(maxMs: number): Promise<void> {
    this.#stopped = true
    if (this.#running === 0) return
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
    this.#since.set(charge_id, this.#parts.clock.now())
    this.#lanes[this.#environment(account)].put(String(account), charge_id)
    this.#plan()
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
        const turn = this.#lanes[environment].take()
        if (turn === null) break
        this.#begin(environment, turn)
      }
    }
  }

  #begin(environment: Environment, turn: Turn): void {
    this.#running++
    this.#fulfill(turn.id).then(
      (good) => this.#end(environment, turn, good),
      (error: unknown) => {
        // Its row stays: a start with a release that knows better takes it up.
        this.#parts.onBug(error)
        this.#end(environment, turn, false)
      },
    )
  }

  #end(environment: Environment, turn: Turn, good: boolean): void {
    this.#running--
    this.#since.delete(turn.id)
    this.#lanes[environment].done(turn, good)
    if (this.#running === 0) this.#onIdle?.()
    this.#plan()
  }

  /** Answers whether it went well, and soon. */
  async #fulfill(id: string): Promise<boolean> {
    const row = this.#bills.fulfilling.get(id)
    if (row === undefined) return true
    const { account: merchant } = row
    const fulfillment = await this.#endOf(row)
    if (fulfillment === null) return true
    await this.#record({ type: 'EndFulfillment', merchant, chargeId: id, fulfillment }, merchant)
    this.figures[fulfillment.state]++
    return fulfillment.state === 'succeeded' && (fulfillment.duration_ms ?? 0) < SLOW_RUN_MS
  }

  /** Null: the process stops before the code has started. */
  async #endOf({ charge_id, account, position, has_started }: Fulfilling): Promise<Ended | null> {
    if (has_started) return INTERRUPTED
    const { engine } = this.#parts
    if (this.#hasWaitedEnough(charge_id)) return WAITED_TOO_LONG
    const payment = payloadOf<BillPayment>(engine.history.eventAt(position))
    const { definition } = payloadOf<ProductVersion>(engine.history.eventAt(payment.product_position))
    const status = await this.#record({ type: 'StartFulfillment', merchant: account, chargeId: charge_id }, account)
    if (status !== 200) return null
    try {
      return endedBy(await this.#run(payment, account, definition.fulfillment_code ?? ''))
    } catch (error) {
      this.#parts.onBug(error)
      return OUR_FAULT
    }
  }

  /** Code that the sandbox had no place for was not begun: it waits, as it would have before. */
  async #run(payment: BillPayment, account: AccountNumber, source: string): Promise<SandboxResult> {
    const argument = JSON.stringify(fulfillmentContext(payment))
    const { charge_id, merchant_id: merchantId, product } = payment
    const about = { merchantId, account, product, purpose: this.#environment(account) }
    const run = { ...about, entry: 'onPaid', source, argument, timeoutMs: FULFILLMENT_RUN_MAX_MS } as const
    for (;;) {
      const result = await this.#parts.code.run(run)
      if (result.ok || result.fault !== 'busy' || this.#stopped || this.#hasWaitedEnough(charge_id)) return result
      await this.#pause()
    }
  }

  #hasWaitedEnough(id: string): boolean {
    return this.#parts.clock.now() - (this.#since.get(id) ?? 0) > FULFILLMENT_WAIT_MAX_MS
  }

  /** The status, once it is on disk; null when the process stops first. What the engine has no room for waits. */
  async #record(command: Command, mailbox: AccountNumber): Promise<number | null> {
    const { engine, canWrite } = this.#parts
    for (;;) {
      const status = await new Promise<number | null>((resolve) => {
        const reply = { settle: ({ status }: Outcome): void => resolve(status) }
        const isTaken = canWrite() && engine.submit({ command, mailbox, idempotency: null }, reply) === null
        if (!isTaken) resolve(null)
      })
      if (status !== null || this.#stopped) return status
      await this.#pause()
    }
  }

  #pause(): Promise<void> {
    const { clock, scheduler } = this.#parts
    return new Promise((resolve) => scheduler.at(clock.now() + RETRY_MS, resolve))
  }
}

/** What `onPaid` receives: the fields of the specification, and no other. */
export function fulfillmentContext(payment: BillPayment): object {
  const { biller, product, amount, currency, biller_ref, form_values, transaction_id, charge_id, merchant_id, paid_at } = payment
  const common = { biller, product, amount, currency, biller_ref, form_values, transaction_id, charge_id, merchant_id }
  return { ...common, paid_at: Math.floor(parseRfc3339(paid_at) / 1000) }
}

/** Whatever the function returned is let go of. */
function endedBy(result: SandboxResult): Ended {
  const { durationMs: duration_ms } = result
  if (result.ok) return { state: 'succeeded', error: null, duration_ms }
  return { state: 'failed', error: cutLine(result.error, FULFILLMENT_ERROR_LENGTH_MAX), duration_ms }
}
