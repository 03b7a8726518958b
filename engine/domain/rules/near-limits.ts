// The notice of a wallet that has used 80 % of a limit: an event and a frame behind those of its movement, added by the turn, once in each
// window of the limit.

import type { ErrorCode } from '../../contract/errors.ts'
import { WALLET_LIMITS, type WalletLimit, type WalletTier } from '../../contract/limits.ts'
import type { Amount } from '../../kernel/amount.ts'
import { monthNumber } from '../../kernel/calendar.ts'
import type { Currency } from '../../kernel/currency.ts'
import { dayOf, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import type { PlannedFrame } from '../stream/stream-state.ts'
import { COUNTED_SIDES } from './movement-counters.ts'
import type { PlannedTransaction } from './planned-transaction.ts'

declare module '../stream/stream-state.ts' {
  interface FrameTypes {
    readonly 'limit.near': true
  }
}

/** The payload of `limit.near`, and what the wallet is shown. */
export interface LimitNear {
  readonly limit: WalletLimit
  readonly max: Amount
  /** With the movement of the record. */
  readonly used: Amount
  readonly left: Amount
  readonly currency: Currency
}

/** A fifth of a limit is left. */
const LEFT_PART = 5

/** Returns the decision with a notice for each limit that a wallet comes near to by it. */
export function withNearLimits<Code extends ErrorCode>(state: State, decision: Accepted<Code>, timeMs: TimeMs): Accepted<Code> {
  if (!state.rules.hasLimits || !nearsLimit(decision.transactions)) return decision
  const events: StoredEvent[] = []
  const frames: PlannedFrame[] = []
  for (const [wallet, moved] of movedByWallet(state, decision.transactions)) {
    for (const near of nearLimits(state, wallet, moved, timeMs)) {
      events.push(event('limit.near', 1, wallet, near))
      frames.push(plannedFrame(wallet, 'limit.near', decision.events.length + events.length - 1))
    }
  }
  if (events.length === 0) return decision
  return { ...decision, events: [...decision.events, ...events], frames: [...decision.frames, ...frames] }
}

/** The rules have compared each movement with the limits of its wallets: nearly all are far from them. */
function nearsLimit(transactions: readonly PlannedTransaction[]): boolean {
  for (let at = 0; at < transactions.length; at++) if ((transactions[at] as PlannedTransaction).nearsLimit) return true
  return false
}

/** The window in which a limit is named once: its own, or the month for what a wallet holds. */
export function windowOf(limit: WalletLimit, timeMs: TimeMs): number {
  return limit === 'sent_day_max' ? dayOf(timeMs) : monthNumber(timeMs)
}

interface Moved {
  paid: Amount
  received: Amount
  /** What the decision changes the balance by. */
  change: number
}

function movedByWallet({ accounts, rules }: State, transactions: readonly PlannedTransaction[]): ReadonlyMap<AccountNumber, Moved> {
  const moved = new Map<AccountNumber, Moved>()
  const of = (account: AccountNumber): Moved | null => {
    const known = moved.get(account)
    if (known !== undefined) return known
    if (accounts.kind(account) !== 'wallet') return null
    if (rules.tierOf(accounts.environment(account), accounts.currency(account), account) === null) return null
    const made = { paid: 0, received: 0, change: 0 }
    moved.set(account, made)
    return made
  }
  for (const { type, posting } of transactions) {
    const { debit, credit, amount } = posting
    const [payer, payee] = [of(debit), of(credit)]
    if (payer !== null) {
      payer.change -= amount
      if (COUNTED_SIDES[type].paid) payer.paid += amount
    }
    if (payee !== null) {
      payee.change += amount
      if (COUNTED_SIDES[type].received) payee.received += amount
    }
  }
  return moved
}

function nearLimits({ accounts, rules }: State, wallet: AccountNumber, moved: Moved, timeMs: TimeMs): LimitNear[] {
  const currency = accounts.currency(wallet)
  const tier = rules.tierOf(accounts.environment(wallet), currency, wallet)
  if (tier === null) return []
  const used = usedOf({ accounts, rules }, wallet, moved, timeMs)
  return WALLET_LIMITS.flatMap((limit) => {
    const [max, sum] = [tier[limit], used[limit]]
    if (max === null || sum === null || !isNear(sum, max)) return []
    if (rules.noticedWindow(wallet, limit) === windowOf(limit, timeMs)) return []
    return { limit, max, used: sum, left: Math.max(0, max - sum), currency }
  })
}

/** What counts against each limit behind the decision; null where it adds nothing. */
function usedOf(
  { accounts, rules }: Pick<State, 'accounts' | 'rules'>,
  wallet: AccountNumber,
  { paid, received, change }: Moved,
  timeMs: TimeMs,
): Record<keyof Omit<WalletTier, 'name'>, Amount | null> {
  const { paidDay, paidMonth, receivedMonth } = rules.counters.usageOf(wallet, timeMs)
  return {
    balance_max: received > 0 ? accounts.balance(wallet) + change : null,
    received_month_max: received > 0 ? receivedMonth + received : null,
    sent_day_max: paid > 0 ? paidDay + paid : null,
    sent_month_max: paid > 0 ? paidMonth + paid : null,
  }
}

/** Whether four fifths of a limit are used; never without a limit. */
export function isNear(used: Amount, max: Amount | null): boolean {
  return max !== null && max > 0 && used >= max - Math.floor(max / LEFT_PART)
}
