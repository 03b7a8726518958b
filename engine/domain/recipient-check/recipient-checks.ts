// The one door to recipients for what a merchant asks: payouts, lines, schedules, checks, mandates. Each answer that a live
// recipient is unknown costs one of the merchant's budget. Beyond it, only recipients that the merchant has paid are looked at:
// a refusal of unknown ones alone would tell which exist.
import { errorValue } from '../../contract/errors.ts'
import { type OwnLimits, wholeLimits } from '../../contract/merchant-limits.ts'
import { because } from '../../contract/reasons.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, event } from '../decision.ts'
import { paidRecipientIndexKey } from '../payout/payout-index-keys.ts'
import type { Payout } from '../payout/payout-state.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { Payee, Wallet } from '../wallet/wallet-state.ts'

const MINUTE_MS = 60_000
const MINUTE_S = 60

/** The checks of one decision. They run along: what one finds counts for the next. */
export class RecipientChecks {
  environment: Environment
  readonly #state: State
  #merchant: AccountNumber
  readonly #context: Pick<Context, 'timeMs' | 'past'>
  #unknown = 0

  constructor(state: State, merchant: AccountNumber, context: Pick<Context, 'timeMs' | 'past'>) {
    this.environment = state.accounts.environment(merchant)
    this.#state = state
    this.#merchant = merchant
    this.#context = context
  }

  /** Begins the checks of another decision; false where they are not of this state in this context. */
  begin(state: State, merchant: AccountNumber, context: Pick<Context, 'timeMs' | 'past'>): boolean {
    if (state !== this.#state || context !== this.#context) return false
    this.environment = state.accounts.environment(merchant)
    this.#merchant = merchant
    this.#unknown = 0
    return true
  }

  /** Returns the account that a payment to the recipient goes to, or why it goes to none. */
  payeeOf(recipient: string): Payee | 'currency_mismatch' | 'recipient_check_limited' {
    if (!this.#mayLookAt(recipient)) return 'recipient_check_limited'
    const payee = this.#state.wallets.payeeOf(this.environment, recipient)
    if (payee === 'recipient_not_found') this.#unknown++
    return typeof payee === 'string' || this.#state.accounts.isSameLedger(this.#merchant, payee) ? payee : 'currency_mismatch'
  }

  /** Returns the recipient's wallet, blocked or not. */
  walletOf(recipient: string): Wallet | 'recipient_not_found' | 'recipient_check_limited' {
    if (!this.#mayLookAt(recipient)) return 'recipient_check_limited'
    const wallet = this.#state.wallets.byRecipient(this.environment, recipient)
    if (wallet === undefined) this.#unknown++
    return wallet ?? 'recipient_not_found'
  }

  /** The event that counts what was unknown. It belongs behind all others of the record; none where nothing counts. */
  events(): readonly StoredEvent[] {
    if (this.#unknown === 0 || this.environment === 'test') return []
    const { timeMs } = this.#context
    return [event('recipients.counted', 1, this.#merchant, { spent: this.#spent() + this.#unknown, at_ms: timeMs })]
  }

  /**
   * Returns the rejection of a command that named a recipient beyond the budget. What was unknown before it counts: the rejection
   * tells as much. `namesCount`: how many names the command has; when `Retry-After` is over the budget covers them, or is full.
   */
  limited(param: string, namesCount = 1): Accepted<'rate_limited'> {
    const { unknown_recipients: burst, unknown_recipients_per_minute: perMinute } = this.#limits()
    const missing = Math.min(burst, namesCount) - (burst - this.#spent() - this.#unknown)
    return {
      environment: this.environment,
      events: this.events(),
      transactions: [],
      frames: [],
      kind: 'rate_limited',
      body: errorValue('rate_limited', param, because('unknown_recipients')),
      rejection: 'rate_limited',
      retryAfterS: Math.max(1, Math.ceil((missing * MINUTE_S) / perMinute)),
    }
  }

  /** Costs a payout of a merchant that never named an unknown recipient one look into an empty table. */
  #mayLookAt(recipient: string): boolean {
    if (this.environment === 'test') return true
    if (this.#unknown === 0 && this.#state.recipientBudgets.of(this.#merchant) === undefined) return true
    return this.#limits().unknown_recipients - this.#spent() - this.#unknown >= 1 || this.#hasPaid(recipient)
  }

  /** What was spent before this decision and has not come back. */
  #spent(): number {
    const row = this.#state.recipientBudgets.of(this.#merchant)
    if (row === undefined) return 0
    const passedMs = Math.max(0, this.#context.timeMs - row.at_ms)
    return Math.max(0, row.spent - (passedMs * this.#limits().unknown_recipients_per_minute) / MINUTE_MS)
  }

  #limits(): Required<OwnLimits> {
    return wholeLimits(this.#state.merchants.byAccount(this.#merchant)?.limits)
  }

  /** Only paid payouts have the index key, so the first hit says it. */
  #hasPaid(recipient: string): boolean {
    const isIt = (found: StoredEvent): boolean =>
      found.type === 'payout.paid' && found.account === this.#merchant && payloadOf<Payout>(found).recipient === recipient
    return this.#context.past.latest(paidRecipientIndexKey(this.#merchant, recipient), isIt) !== null
  }
}
