// A transaction that a decision plans. Only the rules of movements make one: its private member keeps object literals of other nouns from
// compiling, and the architecture test keeps them from importing the class.
import type { FeeKind } from '../../contract/fees.ts'
import type { AccountNumber, Posting, TransactionType } from '../../ledger/transaction.ts'

export interface TransactionPlan {
  readonly id: string
  readonly reference: string
  readonly eventIndex: number
}

/** The fee of a movement, or the one that a refund gives back. The turn makes a transaction of its own of it. */
export interface PlannedFee {
  readonly type: 'fee' | 'fee_refund'
  readonly plan: string
  readonly on: FeeKind
  /** The merchant's account whose plan it is; of transfers the sender's. */
  readonly account: AccountNumber
  readonly posting: Posting
}

export class PlannedTransaction {
  declare private readonly passedRules: true
  readonly id: string
  readonly type: TransactionType
  readonly reference: string
  readonly eventIndex: number
  readonly posting: Posting
  readonly fee: PlannedFee | null

  constructor(type: TransactionType, { id, reference, eventIndex }: TransactionPlan, posting: Posting, fee: PlannedFee | null) {
    this.id = id
    this.type = type
    this.reference = reference
    this.eventIndex = eventIndex
    this.posting = posting
    this.fee = fee
  }
}
