// Deciders of notices: what a member chooses, and the e-mails of a notice that is due.
import { NOTICE_KINDS, type NoticeKind } from '../../contract/notice.ts'
import type { TimeMs } from '../../kernel/time.ts'
import { DEFAULT_TIME_ZONE, dayStartMs, type TimeZone } from '../../kernel/time-zone.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { timeZoneOf } from '../merchant/merchant-state.ts'
import { hasNoticeRoom, noticeEvents } from '../message/outgoing.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { DAY_MS, NOTICE_INTERVAL_MS, NOTICE_RETRY_MS, nextSummaryMs } from './notice-limits.ts'
import { type NoticeRow, noticesOf, recipientsOf } from './notice-state.ts'

export interface SetNotices {
  readonly type: 'SetNotices'
  readonly userId: string
  /** Kinds that are left out stay as they are. Other names, which a body may carry, are ignored. */
  readonly email: Readonly<Partial<Record<NoticeKind, boolean>>>
}

/** By the timer of the row. */
export interface SendNotice {
  readonly type: 'SendNotice'
  readonly key: string
}

/** The payload of `notices.chosen`: every kind. */
export interface NoticesChosen {
  readonly id: string
  readonly notices: Readonly<Record<NoticeKind, boolean>>
}

/** The payload of `notice.timed`. */
export interface NoticeTimed {
  readonly key: string
  /** When the next notice leaves, or this one is tried again. */
  readonly due_ms: TimeMs
  /** False: there was no room for its e-mails. */
  readonly has_left: boolean
}

export const SET_NOTICES_REJECTIONS = ['not_found', 'insufficient_role'] as const

/** Returns `ok` and the choice. Rejections: not_found, insufficient_role (a cashier may only learn about its own logins). */
export function decideSetNotices(
  state: State,
  { userId, email }: SetNotices,
  _context: Context,
): Decision<(typeof SET_NOTICES_REJECTIONS)[number]> {
  const user = state.dashboard.users.get(userId)
  if (user === undefined) return { refusal: 'not_found' }
  const before = noticesOf(user)
  const notices = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, email[kind] ?? before[kind]])) as NoticesChosen['notices']
  const closed = user.role === 'cashier' ? NOTICE_KINDS.find((kind) => kind !== 'new_device' && notices[kind]) : undefined
  if (closed !== undefined) return { refusal: 'insufficient_role', param: `email.${closed}` }
  const chosen: NoticesChosen = { id: userId, notices }
  const isSame = NOTICE_KINDS.every((kind) => notices[kind] === before[kind])
  const account = state.merchants.merchants.get(user.merchant_id)?.accounts.live ?? state.settlementAccount('live')
  return accepted(isSame ? [] : [event('notices.chosen', 1, account, chosen)], { email: notices })
}

export const SEND_NOTICE_REJECTIONS = ['not_found'] as const

/**
 * Returns `ok`. Queues an e-mail for each member who wants the notice. Without an event since the last one, or without such a member, the
 * row ends. Rejections: not_found (there is no row, or it is not due).
 */
export function decideSendNotice(state: State, { key }: SendNotice, context: Context): Decision<(typeof SEND_NOTICE_REJECTIONS)[number]> {
  const row = state.notices.rows.get(key)
  if (row === undefined || row.due_ms > context.timeMs) return { refusal: 'not_found' }
  const { kind, merchant_id: merchantId, user_id: userId, count, positions } = row
  const merchant = state.merchants.merchants.get(merchantId)
  const account = merchant?.accounts.live ?? state.settlementAccount('live')
  const zone = merchant === undefined ? DEFAULT_TIME_ZONE : timeZoneOf(merchant)
  const members = recipientsOf(state, kind, { merchantId, userId })
  if (count === 0 || members.length === 0) return accepted([event('notice.rested', 1, account, { key })], {})
  const timed = (has_left: boolean, due_ms: TimeMs): StoredEvent => {
    const payload: NoticeTimed = { key, due_ms, has_left }
    return event('notice.timed', 1, account, payload)
  }
  if (!hasNoticeRoom(state, merchantId, members.length)) return accepted([timed(false, context.timeMs + NOTICE_RETRY_MS)], {})
  const notice = { kind, merchant_id: merchantId, count, positions, day_ms: dayBefore(row, context.timeMs, zone) }
  const mails = isSilent(state, row, account) ? [] : members.flatMap(({ email }) => noticeEvents(state, context, email, notice))
  return accepted([timed(true, nextMs(row, context.timeMs, zone)), ...mails], {})
}

/** A merchant that moves no live money has no day to sum up. */
function isSilent(state: State, { kind }: NoticeRow, live: number): boolean {
  return kind === 'daily_summary' && state.merchants.stopOf(live) !== null
}

function nextMs({ kind }: NoticeRow, timeMs: TimeMs, zone: TimeZone): TimeMs {
  return kind === 'daily_summary' ? nextSummaryMs(timeMs, zone) : timeMs + NOTICE_INTERVAL_MS
}

function dayBefore({ kind }: NoticeRow, timeMs: TimeMs, zone: TimeZone): TimeMs | null {
  return kind === 'daily_summary' ? dayStartMs(timeMs, zone) - DAY_MS : null
}

function accepted(events: readonly StoredEvent[], body: object): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(body) }
}
