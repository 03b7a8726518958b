// What merchants may learn of recipients: budgets of unknown ones, and whom each merchant has paid.
import assert from 'node:assert/strict'
import type { Command } from '../../../../engine/domain/command.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel } from '../entry.ts'
import type { AccountsModel } from './accounts.ts'
import type { FeesModel } from './fees.ts'
import type { PayoutRulesModel } from './payout-rules.ts'

/** What the engine's defaults are meant to be, written down a second time. */
const BURST = 1000
const PER_MINUTE = 100

export interface ModelLimits {
  readonly unknown_recipients?: number
  readonly unknown_recipients_per_minute?: number
}

interface Budget {
  readonly spent: number
  readonly atMs: number
}

/** A line of a payout batch; a name that is only looked at has no amount. */
export interface AskedName {
  readonly recipient: string
  readonly amount?: number
}

export class RecipientsModel implements NounModel {
  readonly #accounts: AccountsModel
  readonly #rules: PayoutRulesModel
  readonly #fees: FeesModel
  readonly #budgets = new Map<number, Budget>()
  readonly #paid = new Set<string>()
  readonly #limits = new Map<string, ModelLimits>()

  constructor(accounts: AccountsModel, rules: PayoutRulesModel, fees: FeesModel) {
    this.#accounts = accounts
    this.#fees = fees
    this.#rules = rules
  }

  limitsOf(merchantId: string): ModelLimits {
    return this.#limits.get(merchantId) ?? {}
  }

  /**
   * What each name must come to, in order: a wallet is found or not, or the budget is spent. `paidHere`: names that the same record
   * has paid so far.
   */
  looker(account: number, timeMs: number): (recipient: string, paidHere?: ReadonlySet<string>) => 'known' | 'unknown' | 'limited' {
    const { environment } = this.#accounts.account(account)
    let left = environment === 'test' ? Number.POSITIVE_INFINITY : this.#left(account, timeMs)
    return (recipient, paidHere) => {
      const isAdmitted = left >= 1 || this.#paid.has(`${account} ${recipient}`) || paidHere?.has(recipient) === true
      if (!isAdmitted) return 'limited'
      if (this.#accounts.payee(environment, recipient) !== undefined) return 'known'
      left--
      return 'unknown'
    }
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly merchant_id: string; readonly limits: ModelLimits }>(entry, 'merchant.limits_set'))
      this.#limits.set(payload.merchant_id, payload.limits)
    const counted = eventsOf<{ readonly spent: number; readonly at_ms: number }>(entry, 'recipients.counted')
    const { timeMs } = entry.record
    const { command, code = null } = entry.decided ?? {}
    const isTold = code === null || code === 'rate_limited' || code === 'customer_not_found'
    const unknown = command === undefined ? null : isTold ? this.#unknownIn(entry, command) : 0
    for (const { event, payload } of counted) {
      const before = this.#spent(event.account, timeMs)
      if (unknown !== null) assert.ok(Math.abs(payload.spent - before - unknown) < 1e-6, `${unknown} unknown recipients are counted`)
      assert.equal(payload.at_ms, timeMs)
      this.#budgets.set(event.account, { spent: payload.spent, atMs: timeMs })
    }
    if (unknown !== null) assert.equal(counted.length, unknown > 0 ? 1 : 0, 'unknown recipients in live are counted')
    for (const { event, payload } of eventsOf<{ readonly recipient: string }>(entry, 'payout.paid'))
      this.#paid.add(`${event.account} ${payload.recipient}`)
  }

  compare({ recipientBudgets }: State): void {
    assert.equal(recipientBudgets.rows.size, this.#budgets.size, 'budgets of unknown recipients')
    for (const [account, { spent, atMs }] of this.#budgets)
      assert.deepEqual(recipientBudgets.of(account), { account, spent, at_ms: atMs }, `budget of account ${account}`)
  }

  /** Names that the command was answered to be unknown, in live; null for commands that name none. */
  #unknownIn(entry: Entry, command: Command): number | null {
    const asked = namesOf(command)
    if (asked === null) return null
    const { merchant, names } = asked
    if (this.#accounts.account(merchant).environment === 'test') return 0
    if (command.type === 'CreatePayout' || command.type === 'CreateBatch' || command.type === 'AdvanceDisbursement') {
      const failed = eventsOf<{ readonly failure_code?: string }>(entry, 'payout.failed')
      return failed.filter(({ payload }) => payload.failure_code === 'recipient_not_found').length
    }
    return command.type === 'DryRunBatch'
      ? this.#unknownLines(merchant, entry.record.timeMs, names, command.keyId ?? null)
      : this.#unknownNames(merchant, entry.record.timeMs, names, command.type === 'JudgeDisbursementLines')
  }

  /** Up to the first that the budget does not cover, unless it `looksOn` for those that were paid before. */
  #unknownNames(merchant: number, timeMs: number, names: readonly AskedName[], looksOn: boolean): number {
    const look = this.looker(merchant, timeMs)
    let unknown = 0
    for (const { recipient } of names) {
      const fate = look(recipient)
      if (fate === 'limited' && !looksOn) return unknown
      if (fate === 'unknown') unknown++
    }
    return unknown
  }

  /** Over balances that run along. */
  #unknownLines(merchant: number, timeMs: number, lines: readonly AskedName[], keyId: string | null): number {
    const look = this.looker(merchant, timeMs)
    const paidHere = new Set<string>()
    const given = new Map<number, number>()
    let [unknown, spent, paid] = [0, 0, 0]
    if (this.#accounts.stopOf(merchant) !== null) return 0
    for (const { recipient, amount = 0 } of lines) {
      if (!this.#rules.covers(keyId, amount, timeMs, paid)) continue
      const cost = this.#fees.cost('payout', merchant, amount)
      if (cost > this.#accounts.available(merchant) - spent || this.#rules.isAboveOperator('live', amount)) continue
      const fate = look(recipient, paidHere)
      if (fate === 'unknown') unknown++
      if (fate === 'limited' || this.#accounts.payoutFailure(merchant, { recipient, amount, cost }, spent, given) !== null) continue
      const wallet = this.#accounts.payee('live', recipient)?.account ?? -1
      given.set(wallet, (given.get(wallet) ?? 0) + amount)
      spent += cost
      paid += amount
      paidHere.add(recipient)
    }
    return unknown
  }

  #left(account: number, timeMs: number): number {
    return (this.#limitsAt(account).unknown_recipients ?? BURST) - this.#spent(account, timeMs)
  }

  #spent(account: number, timeMs: number): number {
    const budget = this.#budgets.get(account)
    if (budget === undefined) return 0
    const perMinute = this.#limitsAt(account).unknown_recipients_per_minute ?? PER_MINUTE
    return Math.max(0, budget.spent - (Math.max(0, timeMs - budget.atMs) * perMinute) / 60_000)
  }

  #limitsAt(account: number): ModelLimits {
    return this.limitsOf(this.#accounts.merchantAt(account).id)
  }
}

function namesOf(command: Command): { readonly merchant: number; readonly names: readonly AskedName[] } | null {
  switch (command.type) {
    case 'CreatePayout':
    case 'CheckRecipient':
      return { merchant: command.merchant, names: [{ recipient: command.recipient }] }
    case 'CreateMandate':
      return { merchant: command.merchant, names: [{ recipient: command.customerTag }] }
    case 'CreateSchedule':
    case 'ReplaceSchedule':
      return { merchant: command.merchant, names: command.lines.map(({ recipient }) => ({ recipient })) }
    case 'CreateBatch':
    case 'DryRunBatch':
      return {
        merchant: command.merchant,
        names: command.lines.flatMap(({ recipient, amount, fault }) => (fault === null && amount !== null ? [{ recipient, amount }] : [])),
      }
    case 'JudgeDisbursementLines':
      return { merchant: command.merchant, names: command.lines.filter(({ fault }) => fault === null) as AskedName[] }
    case 'AdvanceDisbursement':
      return { merchant: command.merchant, names: [] }
    default:
      return null
  }
}
