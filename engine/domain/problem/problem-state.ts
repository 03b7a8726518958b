// Problems with payments. Live state holds the open ones: one for each payment. Every problem is a record in the log, and so is its answer.
import type { PROBLEM_PAYMENTS, Problem as ShapeProblem } from '../../contract/problem.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { OPEN_PROBLEMS, PROBLEMS_OF_MERCHANT } from './problem-limits.ts'

export type ProblemPayment = (typeof PROBLEM_PAYMENTS)[number]

/** The problem as its customer and its merchant see it. */
export type Problem = Immutable<ShapeProblem>

/** The payload of `problem.opened`, which is indexed under the merchant. */
export interface ProblemOpened {
  readonly problem: Omit<Problem, 'state' | 'answer' | 'answered_at' | 'merchant_name'>
  readonly wallet: AccountNumber
  /** Position of the event of the payment. */
  readonly payment_position: Position
  /** Ids of the keys, members and links that asked for the payment: a cashier sees its own problems. */
  readonly made_by: readonly string[]
}

/** The payload of `problem.answered`. */
export interface ProblemAnswered extends Pick<Problem, 'transaction_id'> {
  /** Id of the problem. */
  readonly id: string
  readonly opened_position: Position
  readonly answer: string
  readonly answered_at: string
}

/** An open problem, counted for its customer. */
export interface OpenProblem {
  /** Account number of the wallet. */
  readonly account: AccountNumber
  /** Of the `problem.opened` event. */
  readonly position: Position
}

/** The same problem, counted for its merchant. */
interface ProblemOfMerchant {
  /** Account number of the merchant. */
  readonly account: AccountNumber
}

declare module '../stream/stream-state.ts' {
  interface FrameTypes {
    readonly 'problem.answered': true
  }
}

declare module '../state.ts' {
  interface State {
    readonly problems: Problems
  }
}

export class Problems extends SnapshotTables {
  readonly #shared: SharedState
  /** Keyed by the id of the payment's transaction. */
  readonly open: Table<OpenProblem>
  /** The same keys. */
  readonly ofMerchants: Table<ProblemOfMerchant>

  constructor(shared: SharedState) {
    super()
    this.#shared = shared
    this.open = new Table(this, 'problem', countedByAccount(shared, OPEN_PROBLEMS))
    this.ofMerchants = new Table(this, 'merchant_problem', countedByAccount(shared, PROBLEMS_OF_MERCHANT))
  }

  /** Returns the number of open problems with payments of a merchant's account. */
  openOf(merchant: AccountNumber): number {
    const { quotas, accounts } = this.#shared
    return quotas.use(PROBLEMS_OF_MERCHANT).rowsOf(accounts.environment(merchant), merchant)
  }
}
