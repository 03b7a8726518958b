// The transactions of fees, added by the turn to every decision: a decider that moves money cannot forget them. A fee has an event of its
// own, so lists and pages find its transaction as they find any other.
import type { ErrorCode } from '../../contract/errors.ts'
import { FEE_KINDS, type FeeKind } from '../../contract/fees.ts'
import type { ByteWriter } from '../../kernel/byte-writer.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Accepted, Context } from '../decision.ts'
import type { StoredEvent, WrittenEvent } from '../record.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import type { PlannedFrame } from '../stream/stream-state.ts'
import { eventsBefore } from './movement-rules.ts'
import { type PlannedFee, PlannedTransaction } from './planned-transaction.ts'

declare module '../../ledger/transaction.ts' {
  interface TransactionTypes {
    readonly fee: true
    readonly fee_refund: true
  }
}

/** The payload of `fee.taken` and `fee.returned`. */
export interface FeeMoved {
  readonly plan: string
  readonly on: FeeKind
  /** The movement's transaction; of a returned fee the refund's. */
  readonly fee_of: string
}

const FEE_EVENTS = { fee: 'fee.taken', fee_refund: 'fee.returned' } as const

export function isFeeMoved({ type }: StoredEvent): boolean {
  return type === FEE_EVENTS.fee || type === FEE_EVENTS.fee_refund
}

/** Returns the decision with the transactions of its fees. */
export function withFees<Code extends ErrorCode>(
  { accounts }: Pick<State, 'accounts'>,
  decision: Accepted<Code>,
  context: Pick<Context, 'newId'>,
): Accepted<Code> {
  if (!hasFee(decision.transactions)) return decision
  const returned = eventsBeforeAll(decision.transactions)
  const { transactions, frames, body } = behind(decision, returned)
  const before = new FeeRecords(accounts, 0)
  const after = new FeeRecords(accounts, returned + decision.events.length)
  for (let at = 0; at < transactions.length; at++) {
    const transaction = transactions[at] as PlannedTransaction
    const { fee } = transaction
    if (fee !== null) (fee.type === 'fee' ? after : before).add(fee, transaction, context)
  }
  return {
    ...decision,
    body,
    events: [...before.events, ...decision.events, ...after.events],
    transactions: [...before.transactions, ...transactions, ...after.transactions],
    frames: [...before.frames, ...frames, ...after.frames],
  }
}

/** What fees add to a record, from the event of an index on. */
class FeeRecords {
  readonly events: StoredEvent[] = []
  readonly transactions: PlannedTransaction[] = []
  readonly frames: PlannedFrame[] = []
  readonly #accounts: State['accounts']
  readonly #start: number

  constructor(accounts: State['accounts'], start: number) {
    this.#accounts = accounts
    this.#start = start
  }

  add({ type, plan, on, account, posting }: PlannedFee, of: PlannedTransaction, context: Pick<Context, 'newId'>): void {
    const { reference, currency } = of
    const moved: FeeMoved = { plan, on, fee_of: of.id }
    const eventIndex = this.#start + this.events.push(new FeeEvent(FEE_EVENTS[type], account, moved)) - 1
    const movement = { type, posting, fee: null, nearsLimit: false }
    this.transactions.push(new PlannedTransaction(movement, currency, { id: context.newId(), reference, eventIndex }))
    const bearer = type === 'fee' ? posting.debit : posting.credit
    if (this.#accounts.kind(bearer) === 'wallet') this.frames.push(plannedFrame(bearer, 'balance.updated', eventIndex))
  }
}

const BEFORE_FEE_OF = Object.fromEntries(FEE_KINDS.map((on) => [on, `,"on":"${on}","fee_of":"`])) as Record<FeeKind, string>

/** A fee that was decided: its record writes its text where it goes. JSON.stringify took 0.5 µs of each. */
class FeeEvent implements WrittenEvent {
  readonly type: (typeof FEE_EVENTS)[keyof typeof FEE_EVENTS]
  readonly version = 1
  readonly account: AccountNumber
  readonly payload: FeeMoved

  constructor(type: FeeEvent['type'], account: AccountNumber, payload: FeeMoved) {
    this.type = type
    this.account = account
    this.payload = payload
  }

  get text(): string {
    return JSON.stringify(this.payload)
  }

  writeText(out: ByteWriter): void {
    const { plan, on, fee_of } = this.payload
    out.text('{"plan":')
    out.jsonText(plan)
    out.text(BEFORE_FEE_OF[on])
    out.text(fee_of)
    out.text('"}')
  }
}

type Named = Pick<Accepted, 'transactions' | 'frames' | 'body'>

/** Returns what names an event by its index, behind so many further events. */
function behind({ transactions, frames, body }: Named, count: number): Named {
  if (count === 0) return { transactions, frames, body }
  return {
    transactions: transactions.map(
      (one) => new PlannedTransaction(one, one.currency, { id: one.id, reference: one.reference, eventIndex: one.eventIndex + count }),
    ),
    frames: frames.map((frame) => ({ ...frame, eventIndex: frame.eventIndex + count })),
    body: typeof body === 'number' ? body + count : body,
  }
}

function eventsBeforeAll(transactions: readonly PlannedTransaction[]): number {
  let count = 0
  for (let at = 0; at < transactions.length; at++) count += eventsBefore(transactions[at] as PlannedTransaction)
  return count
}

function hasFee(transactions: readonly PlannedTransaction[]): boolean {
  for (let at = 0; at < transactions.length; at++) if ((transactions[at] as PlannedTransaction).fee !== null) return true
  return false
}
