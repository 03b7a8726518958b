// A transaction that a decision plans. Only the rules of movements make one: its private member keeps object literals of other nouns from
// compiling, and the architecture test keeps them from importing the class.
import type { FeeKind } from '../../contract/fees.ts'
import type { Currency } from '../../kernel/currency.ts'
import type { AccountNumber, AppliedPosting, PlannedPosting, Transaction, TransactionType } from '../../ledger/transaction.ts'

export interface TransactionPlan {
  readonly id: string
  readonly reference: string
  readonly eventIndex: number
}

export interface PlannedMovement {
  readonly type: TransactionType
  readonly posting: PlannedPosting
  readonly fee: PlannedFee | null
  /** Whether it brings one of its wallets near a limit. */
  readonly nearsLimit: boolean
}

/** The fee of a movement, or the one that a refund gives back. The turn makes a transaction of its own of it. */
export interface PlannedFee {
  readonly type: 'fee' | 'fee_refund'
  readonly plan: string
  readonly on: FeeKind
  /** The merchant's account whose plan it is; of transfers the sender's. */
  readonly account: AccountNumber
  readonly posting: PlannedPosting
}

const NOT_APPLIED: readonly AppliedPosting[] = []

/** The turn applies it in place, and the record holds it. */
export class PlannedTransaction implements Transaction {
  declare private readonly passedRules: true
  readonly id: string
  readonly type: TransactionType
  readonly currency: Currency
  readonly reference: string
  readonly eventIndex: number
  /** Empty until it is applied. */
  postings: readonly AppliedPosting[] = NOT_APPLIED
  readonly posting: PlannedPosting
  readonly fee: PlannedFee | null
  readonly nearsLimit: boolean

  constructor(movement: PlannedMovement, currency: Currency, { id, reference, eventIndex }: TransactionPlan) {
    const { type, posting, fee, nearsLimit } = movement
    this.id = id
    this.type = type
    this.currency = currency
    this.reference = reference
    this.eventIndex = eventIndex
    this.posting = posting
    this.fee = fee
    this.nearsLimit = nearsLimit
  }
}
