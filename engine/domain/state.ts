// The whole live state: what the image keeps and what a turn reads. Changed by evolve and the ledger alone.
import type { Environment } from '../kernel/environment.ts'
import type { ImageSource } from '../kernel/table.ts'
import { TimerBook } from '../kernel/timer-book.ts'
import { Accounts } from '../ledger/accounts.ts'
import { Holds } from '../ledger/holds.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { Authentication } from './auth/auth-state.ts'
import { Bills } from './bill/bill-state.ts'
import { Billers } from './biller/biller-state.ts'
import { Charges } from './charge/charge-state.ts'
import { CodeRuns } from './code-run/code-run-state.ts'
import { Dashboard } from './dashboard/dashboard-state.ts'
import { LogBudget } from './log-budget/log-budget-state.ts'
import { Mandates } from './mandate/mandate-state.ts'
import { Merchants } from './merchant/merchant-state.ts'
import { Schedules } from './schedule/schedule-state.ts'
import { FrameCounters } from './stream/stream-state.ts'
import { Wallets } from './wallet/wallet-state.ts'
import { Webhooks } from './webhook/webhook-state.ts'

/** Accounts that exist from the first record on, in this order. */
const HOUSE_ACCOUNTS = [
  ['settlement', 'live'],
  ['clearing', 'live'],
  ['settlement', 'test'],
  ['clearing', 'test'],
] as const

export class State {
  readonly accounts = new Accounts()
  readonly holds = new Holds(this.accounts)
  readonly merchants = new Merchants()
  readonly wallets = new Wallets()
  readonly auth = new Authentication()
  readonly dashboard = new Dashboard()
  readonly frames = new FrameCounters()
  readonly webhooks = new Webhooks()
  readonly billers = new Billers()
  readonly codeRuns = new CodeRuns()
  readonly timers = new TimerBook()
  readonly charges = new Charges(this.timers)
  readonly bills = new Bills()
  readonly schedules = new Schedules(this.timers)
  readonly mandates = new Mandates(this.timers)
  readonly logBudget = new LogBudget()
  /** Transactions so far, by environment. */
  readonly transactionCounts: Record<Environment, number> = { live: 0, test: 0 }

  constructor() {
    for (const [kind, environment] of HOUSE_ACCOUNTS) this.accounts.open(kind, environment)
  }

  /** Mirrors the money that came in from outside: the other leg of deposits and withdrawals. */
  settlementAccount(environment: Environment): AccountNumber {
    return environment === 'live' ? 0 : 2
  }

  /** Everything of the image but the accounts' blocks. */
  imageSources(): readonly ImageSource[] {
    const {
      holds,
      merchants,
      wallets,
      auth,
      dashboard,
      frames,
      webhooks,
      billers,
      codeRuns,
      charges,
      bills,
      schedules,
      mandates,
      logBudget,
    } = this
    return [
      holds.table,
      merchants.merchants,
      merchants.apiKeys,
      merchants.keyUses,
      wallets,
      ...auth.imageSources(),
      ...dashboard.imageSources(),
      frames,
      webhooks.endpoints,
      webhooks.deliveries,
      billers.profiles,
      billers.products,
      billers.written,
      codeRuns.counts,
      codeRuns.written,
      charges.pending,
      bills.fulfilling,
      schedules.live,
      mandates.live,
      logBudget.written,
    ]
  }
}
