// A transaction that a decision plans. Only the rules of movements make one: its private member keeps object literals of other nouns from
// compiling, and the architecture test keeps them from importing the class.
import type { Posting, TransactionType } from '../../ledger/transaction.ts'

export interface TransactionPlan {
  readonly id: string
  readonly reference: string
  readonly eventIndex: number
}

export class PlannedTransaction {
  declare private readonly passedRules: true
  readonly id: string
  readonly type: TransactionType
  readonly reference: string
  readonly eventIndex: number
  readonly posting: Posting

  constructor(type: TransactionType, { id, reference, eventIndex }: TransactionPlan, posting: Posting) {
    this.id = id
    this.type = type
    this.reference = reference
    this.eventIndex = eventIndex
    this.posting = posting
  }
}
