// Budgets of unknown recipients, one small row for each live account of a merchant that named any. It is a token bucket:
// what was spent comes back continuously.
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

/** The payload of `recipients.counted`: what is spent at its time, what came back since the row before left out. */
export interface RecipientsCounted {
  readonly spent: number
  readonly at_ms: TimeMs
}

export interface RecipientBudget extends RecipientsCounted {
  readonly account: AccountNumber
}

declare module '../state.ts' {
  interface State {
    readonly recipientBudgets: RecipientBudgets
  }
}

export class RecipientBudgets extends SnapshotTables {
  /** By account number as it is: a text for each payout would cost more than the look-up. */
  readonly #byAccount = new Map<AccountNumber, RecipientBudget>()

  readonly rows = new Table<RecipientBudget>(this, 'recipient_budget', { boundedBy: 'one row of each merchant' }, (row) => {
    if (row !== undefined) this.#byAccount.set(row.account, row)
  })

  /** Undefined: nothing is spent. */
  of(account: AccountNumber): RecipientBudget | undefined {
    return this.#byAccount.get(account)
  }
}
