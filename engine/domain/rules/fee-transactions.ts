// The transactions of fees, added by the turn to every decision: a decider that moves money cannot forget them. A fee has an event of its
// own, so lists and pages find its transaction as they find any other.
import type { ErrorCode } from '../../contract/errors.ts'
import type { FeeKind } from '../../contract/fees.ts'
import { type Accepted, type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { PlannedTransaction } from './planned-transaction.ts'

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

/** Returns the decision with the transactions of its fees. A fee goes back before its refund: it may be a part of what is refunded. */
export function withFees<Code extends ErrorCode>(
  { accounts }: Pick<State, 'accounts'>,
  decision: Accepted<Code>,
  context: Pick<Context, 'newId'>,
): Accepted<Code> {
  const { transactions } = decision
  if (!hasFee(transactions)) return decision
  const events = [...decision.events]
  const returned: PlannedTransaction[] = []
  const taken: PlannedTransaction[] = []
  const frames = [...decision.frames]
  for (const { id: fee_of, reference, fee } of transactions) {
    if (fee === null) continue
    const { type, plan, on, account, posting } = fee
    const moved: FeeMoved = { plan, on, fee_of }
    const eventIndex = events.push(event(FEE_EVENTS[type], 1, account, moved)) - 1
    const all = type === 'fee' ? taken : returned
    all.push(new PlannedTransaction(type, { id: context.newId(), reference, eventIndex }, posting, null))
    const bearer = type === 'fee' ? posting.debit : posting.credit
    if (accounts.kind(bearer) === 'wallet') frames.push({ account: bearer, type: 'balance.updated', eventIndex })
  }
  return { ...decision, events, frames, transactions: [...returned, ...transactions, ...taken] }
}

function hasFee(transactions: readonly PlannedTransaction[]): boolean {
  for (let at = 0; at < transactions.length; at++) if ((transactions[at] as PlannedTransaction).fee !== null) return true
  return false
}
