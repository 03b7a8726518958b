// Events that cause notices. The cause is counted while its own record is applied, so neither exists without the other.
import { NEWS_MAX } from '../../contract/news.ts'
import type { NoticeKind } from '../../contract/notice.ts'
import { type Position, positionOf } from '../../kernel/position.ts'
import type { FulfillmentEnded } from '../bill/bill-state.ts'
import type { BillerProfile } from '../biller/biller-state.ts'
import type { DashboardSessionRow, DashboardUserRow } from '../dashboard/dashboard-state.ts'
import type { DisbursementChanged } from '../disbursement/disbursement-state.ts'
import type { Evolve } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { ScheduleRan, ScheduleRunEnded } from '../schedule/schedule-state.ts'
import type { State } from '../state.ts'
import { NOTICE_EVENTS_MAX } from './notice-limits.ts'
import { type NoticeHolder, type NoticeRow, noticeKey, recipientsOf } from './notice-state.ts'

/** By type and version of the event. */
export const NOTICE_CAUSES = {
  'merchant.activated@1': noted('activation'),
  'merchant.activation_refused@1': noted('activation'),
  'merchant.name_approved@1': noted('activation'),
  'merchant.name_refused@1': noted('activation'),
  'merchant.logo_approved@1': noted('activation'),
  'merchant.logo_refused@1': noted('activation'),
  'top_up.confirmed@1': noted('top_up'),
  'top_up.refused@1': noted('top_up'),
  'withdrawal.paid@1': noted('withdrawal'),
  'withdrawal.refused@1': noted('withdrawal'),
  'schedule.ran@1': noted<ScheduleRan>('run_failed', ({ run }) => run.disbursement_id === undefined && run.state !== 'completed'),
  'schedule.run_ended@1': noted<ScheduleRunEnded>('run_failed', ({ run }) => run.state !== 'completed'),
  'bill.fulfilled@1': noted<FulfillmentEnded>(
    'delivery_failed',
    ({ fulfillment, refund }) => fulfillment.state === 'failed' && refund === null,
  ),
  'delivery.attempted@1': noted<{ readonly state: string }>('delivery_failed', ({ state }) => state === 'failed'),
  'biller.approved@1': noted<BillerProfile>('biller_decision', ({ live }) => live),
  'biller.rejected@1': noted('biller_decision'),
  'biller.suspended@1': noted('biller_decision'),
  'biller.reinstated@1': noted('biller_decision'),
  'biller.logo_approved@1': noted('biller_decision'),
  'biller.logo_rejected@1': noted('biller_decision'),
  'disbursement.created@1': noteDisbursement,
  'disbursement.changed@1': noteDisbursement,
  'dashboard_session.opened@1': noteNewDevice,
} as const satisfies Readonly<Record<string, Evolve>>

/** What news do with events about members. */
export const NEWS_MEMBERS = {
  'dashboard_user.joined@1': beginNews,
  'dashboard_user.removed@1': endNews,
} as const satisfies Readonly<Record<string, Evolve>>

/** Notes events of live accounts for all members of their merchant. `isCause`: whether the event is one. */
function noted<Payload>(kind: NoticeKind, isCause: (payload: Payload) => boolean = () => true) {
  return (state: State, payload: Payload, event: StoredEvent, record: LogRecord): void => {
    if (isCause(payload)) noteForAll(state, kind, event, record)
  }
}

/** A pause by hand, or one that ends by itself, needs no one. A retry marks a disbursement that has ended. */
function noteDisbursement(state: State, { progress }: Pick<DisbursementChanged, 'progress'>, event: StoredEvent, record: LogRecord): void {
  const { status, is_retried } = progress
  const isShort = status.state === 'paused' && status.pause_reason === 'insufficient_balance'
  const hasEnded = status.state === 'completed' || status.state === 'rejected'
  if (status.state === 'awaiting_approval') noteForAll(state, 'approval_wanted', event, record)
  else if (isShort || (hasEnded && !is_retried)) noteForAll(state, 'disbursement', event, record)
}

function noteForAll(state: State, kind: NoticeKind, event: StoredEvent, record: LogRecord): void {
  const merchant = state.merchants.byAccount(event.account)
  if (merchant?.accounts.live === event.account) note(state, kind, { merchantId: merchant.id, userId: null }, event, record)
}

function noteNewDevice(state: State, session: DashboardSessionRow, event: StoredEvent, record: LogRecord): void {
  const user = state.dashboard.users.get(session.user_id)
  if (session.is_new_device !== true || user === undefined) return
  note(state, 'new_device', { merchantId: user.merchant_id, userId: user.id }, event, record)
}

function note(state: State, kind: NoticeKind, holder: NoticeHolder, event: StoredEvent, record: LogRecord): void {
  const position = positionOf(record.sequence, record.events.indexOf(event))
  addNews(state, holder, position)
  if (recipientsOf(state, kind, holder).length === 0) return
  const key = noticeKey(kind, holder)
  const { merchantId: merchant_id, userId: user_id } = holder
  const fresh: NoticeRow = { key, kind, merchant_id, user_id, due_ms: record.timeMs, count: 0, positions: [] }
  const row = state.notices.rows.get(key) ?? fresh
  const positions = row.positions.length < NOTICE_EVENTS_MAX ? [...row.positions, position] : row.positions
  state.notices.rows.set(key, { ...row, count: row.count + 1, positions })
}

function addNews({ notices: { news } }: State, { merchantId, userId }: NoticeHolder, position: Position): void {
  const holder_id = userId ?? merchantId
  const { count, positions } = news.get(holder_id) ?? { count: 0, positions: [] }
  news.set(holder_id, { holder_id, count: count + 1, positions: [...positions, position].slice(-NEWS_MAX) })
}

/** What happened before a member joined is no news to it. */
function beginNews({ notices }: State, { id, merchant_id }: Pick<DashboardUserRow, 'id' | 'merchant_id'>): void {
  const merchant = notices.news.get(merchant_id)?.count ?? 0
  if (merchant > 0) notices.newsRead.set(id, { user_id: id, merchant, own: 0 })
}

function endNews({ notices: { news, newsRead } }: State, { id }: Pick<DashboardUserRow, 'id'>): void {
  if (news.get(id) !== undefined) news.delete(id)
  if (newsRead.get(id) !== undefined) newsRead.delete(id)
}
