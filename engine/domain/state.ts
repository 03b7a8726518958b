// The whole live state: what the snapshot keeps and what a turn reads. Changed by evolve and the ledger alone.
// Each noun adds its part to `State` by declaration merging, in its own <noun>-state.ts.
import type { Environment } from '../kernel/environment.ts'
import type { Quotas } from '../kernel/quota.ts'
import type { SnapshotSource } from '../kernel/table.ts'
import type { TimerQueue } from '../kernel/timer-queue.ts'
import type { Accounts } from '../ledger/accounts.ts'
import type { Holds } from '../ledger/holds.ts'
import type { AccountNumber } from '../ledger/transaction.ts'

/** What all nouns share. */
export interface SharedState {
  readonly accounts: Accounts
  readonly holds: Holds
  readonly timers: TimerQueue
  /** Rows of every table that callers fill, by holder. */
  readonly quotas: Quotas
  /** Transactions so far, by environment. */
  readonly transactionCounts: Record<Environment, number>
  /** Everything of the snapshot but the accounts' blocks. */
  readonly snapshotSources: readonly SnapshotSource[]
}

export interface State extends SharedState {
  /**
   * The account of events and commands that belong to no merchant and no wallet. Money moves to and from
   * `accounts.own('settlement', …)` of its currency.
   */
  settlementAccount(environment: Environment): AccountNumber
}
