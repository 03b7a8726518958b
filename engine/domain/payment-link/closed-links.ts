// Links that close: what makes room for them among the closed ones, and which ones have expired without a record.
import type { AccountNumber } from '../../ledger/transaction.ts'
import { event } from '../decision.ts'
import { isProven } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { CLOSED_LINKS, EXPIRED_CLOSED_MAX } from './payment-link-limits.ts'
import type { PaymentLink, PaymentLinkRow } from './payment-link-state.ts'

/** The payload of `payment_link.closed`. */
export interface PaymentLinkClosed extends Pick<PaymentLink, 'id' | 'closed_at'> {
  /** Id of the closed link that left live state for this one. */
  readonly forgets?: string
}

/** Returns the member that names the closed link of the account which gives way to one more; none while there is room. */
export function forgottenFor(state: State, { account, link }: PaymentLinkRow): Pick<PaymentLinkClosed, 'forgets'> {
  return forgottenAmong(state, account, [link.id])[0] ?? {}
}

/** Returns the events that close the account's links whose time is over, the first EXPIRED_CLOSED_MAX of them. */
export function expiredEvents(state: State, account: AccountNumber, now: string): StoredEvent[] {
  const expired = state.paymentLinks
    .of(account)
    .filter(({ link }) => link.state === 'active' && link.expires_at !== null && link.expires_at <= now)
    .slice(0, EXPIRED_CLOSED_MAX)
  const ids = expired.map(({ link }) => link.id)
  const forgotten = forgottenAmong(state, account, ids)
  return expired.map(({ link }, index) => {
    const payload: PaymentLinkClosed = { id: link.id, closed_at: link.expires_at, ...forgotten[index] }
    return event('payment_link.closed', 1, account, payload)
  })
}

/** For links that close in one decision. One for which nothing gives way is forgotten itself. */
function forgottenAmong(state: State, account: AccountNumber, closing: readonly string[]): readonly Pick<PaymentLinkClosed, 'forgets'>[] {
  const use = state.quotas.use(CLOSED_LINKS)
  const part = state.accounts.environment(account)
  const proven = isProven(state, account)
  let more = 0
  let closed: string[] | null = null
  return closing.map((id) => {
    if (use.hasRoom(part, account, proven, more)) {
      more++
      return {}
    }
    closed ??= state.paymentLinks
      .of(account)
      .filter(({ link }) => link.state === 'closed')
      .map(({ link }) => link.id)
      .sort()
    return { forgets: closed.shift() ?? id }
  })
}
