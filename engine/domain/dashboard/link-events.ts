// Links that are sent by e-mail: the link and its e-mail are in the same log record, and a newer link replaces an older one.
// Of links to reset a password the newest three work.
import type { MemberRole } from '../../contract/dashboard.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import { emailEvents, type OutgoingEmail } from '../message/outgoing.ts'
import { merchantQuotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import {
  CONFIRMATION_LIFETIME_MS,
  INVITATION_LIFETIME_MS,
  LINK_INTERVAL_MS,
  RESET_LIFETIME_MS,
  RESET_LINKS,
  RESET_LINKS_MAX,
  RESETS_PER_HOUR,
  SENT_LINKS,
} from './dashboard-limits.ts'
import type { DashboardUserRow, LinkRow } from './dashboard-state.ts'

/** A link as http/ makes it. */
export interface NewLink {
  /** SHA-256 of the token in the link. */
  readonly tokenHash: string
  readonly email: OutgoingEmail
}

/** For whom the link is. */
export type LinkSubject =
  | { readonly kind: 'reset' | 'confirmation'; readonly user: Pick<DashboardUserRow, 'id' | 'merchant_id' | 'email'> }
  | { readonly kind: 'invitation'; readonly merchantId: string; readonly email: string; readonly role: MemberRole }

const LIFETIMES_MS = {
  invitation: INVITATION_LIFETIME_MS,
  reset: RESET_LIFETIME_MS,
  confirmation: CONFIRMATION_LIFETIME_MS,
} as const satisfies Record<LinkRow['kind'], number>

/** Returns the events of a link and its e-mail; none where too many were sent, or the merchant has used up its share. */
export function sentEvents(state: State, context: Context, subject: LinkSubject, { tokenHash, email }: NewLink): StoredEvent[] {
  const { kind } = subject
  const isInvitation = subject.kind === 'invitation'
  const merchant_id = isInvitation ? subject.merchantId : subject.user.merchant_id
  const to = isInvitation ? subject.email : subject.user.email
  const before = state.dashboard.linksBefore({ kind, merchant_id, email: to })
  if (isTooSoon(state, context, subject, before.at(-1))) return []
  const replaced = givesWay(kind, before, context.timeMs)
  // A link that replaces another one takes its row.
  const quota = kind === 'reset' ? RESET_LINKS : SENT_LINKS
  if (replaced === null && merchantQuotaRefusal(state, quota, merchant_id) !== null) return []
  const link: LinkRow = {
    ...{ id: context.newId(), token_hash: tokenHash, kind, merchant_id, email: to },
    user_id: isInvitation ? null : subject.user.id,
    role: isInvitation ? subject.role : null,
    created_at: rfc3339(context.timeMs),
    created_at_ms: context.timeMs,
    expires_at_ms: context.timeMs + LIFETIMES_MS[kind],
  }
  const sent = event('dashboard_link.sent', 1, liveAccount(state, merchant_id), {
    ...link,
    replaced: givesWay(kind, before, context.timeMs),
  })
  return [sent, ...emailEvents(state, context, merchant_id, email)]
}

function isTooSoon({ dashboard }: State, { timeMs }: Context, subject: LinkSubject, newest: LinkRow | undefined): boolean {
  if (subject.kind === 'invitation') return false
  if (subject.kind === 'reset') return dashboard.resetsBefore(subject.user.id, timeMs).length >= RESETS_PER_HOUR
  return newest !== undefined && timeMs - newest.created_at_ms < LINK_INTERVAL_MS
}

/** Returns the token hash of the link that a new one replaces; null for none. Links to reset a password work together. */
function givesWay(kind: LinkRow['kind'], before: readonly LinkRow[], timeMs: number): string | null {
  const open = kind === 'reset' ? before.filter(({ expires_at_ms }) => expires_at_ms > timeMs) : before
  const [oldest] = open
  return oldest !== undefined && open.length >= (kind === 'reset' ? RESET_LINKS_MAX : 1) ? oldest.token_hash : null
}

/** Returns the event that ends a link: `used` by its token, or `withdrawn`. */
export function endedEvent(state: State, { id, token_hash, merchant_id }: LinkRow, reason: 'used' | 'withdrawn'): StoredEvent {
  return event('dashboard_link.ended', 1, liveAccount(state, merchant_id), { id, token_hash, reason })
}

function liveAccount(state: State, merchantId: string): number {
  return state.merchants.merchants.get(merchantId)?.accounts.live ?? state.settlementAccount('live')
}
