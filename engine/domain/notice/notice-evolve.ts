// Appliers of notices.
import { assert } from '../../kernel/assert.ts'
import { DEFAULT_TIME_ZONE, dayStartMs, type TimeZone } from '../../kernel/time-zone.ts'
import { type MerchantAccountSet, timeZoneOf } from '../merchant/merchant-state.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { NoticesChosen, NoticeTimed } from './notice-decide.ts'
import { nextSummaryMs, SUMMARY_TIME_MS } from './notice-limits.ts'
import { type NewsReadRow, noticeKey, recipientsOf } from './notice-state.ts'

export const NOTICE_EVENTS = {
  'notices.chosen@1': choose,
  'notice.timed@1': plan,
  'notice.rested@1': rest,
  'news.read@1': readNews,
} satisfies EventTable

/** The first member who wants the daily summary starts it; its own timer ends it where no member wants it. */
function choose(state: State, { id, notices }: NoticesChosen, _event: StoredEvent, record: LogRecord): void {
  const user = state.dashboard.users.get(id)
  assert(user !== undefined, 'the user is there')
  state.dashboard.users.set(id, { ...user, notices })
  const holder = { merchantId: user.merchant_id, userId: null }
  const key = noticeKey('daily_summary', holder)
  if (state.notices.rows.get(key) !== undefined || recipientsOf(state, 'daily_summary', holder).length === 0) return
  const daily = { key, kind: 'daily_summary', merchant_id: user.merchant_id, user_id: null, count: 1, positions: [] } as const
  state.notices.rows.set(key, { ...daily, due_ms: nextSummaryMs(record.timeMs, zoneOf(state, user.merchant_id)) })
}

function plan({ notices }: State, { key, due_ms, has_left }: NoticeTimed): void {
  const row = notices.rows.get(key)
  assert(row !== undefined, 'the notice is there')
  const left = has_left ? { count: row.kind === 'daily_summary' ? 1 : 0, positions: [] } : {}
  notices.rows.set(key, { ...row, ...left, due_ms })
}

function rest({ notices }: State, { key }: Pick<NoticeTimed, 'key'>): void {
  notices.rows.delete(key)
}

function readNews({ notices }: State, row: NewsReadRow): void {
  notices.newsRead.set(row.user_id, row)
}

/** Moves the next daily summary to 7:00 of its day in the new time zone: no day is left out, and none is sent twice. */
export function moveSummary(state: State, { merchant_id }: MerchantAccountSet): void {
  const { rows } = state.notices
  const row = rows.get(noticeKey('daily_summary', { merchantId: merchant_id, userId: null }))
  if (row !== undefined) rows.set(row.key, { ...row, due_ms: dayStartMs(row.due_ms, zoneOf(state, merchant_id)) + SUMMARY_TIME_MS })
}

function zoneOf({ merchants }: State, merchantId: string): TimeZone {
  const merchant = merchants.merchants.get(merchantId)
  return merchant === undefined ? DEFAULT_TIME_ZONE : timeZoneOf(merchant)
}
