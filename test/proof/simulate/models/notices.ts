// Notices in the model: what happened since the last one of its kind and holder, and that each leaves once, to those who want it.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel, sameRows } from '../entry.ts'
import type { AccountsModel } from './accounts.ts'
import type { MembersModel, ModelUser } from './members.ts'

export interface ModelNotice {
  readonly key: string
  readonly kind: string
  readonly merchantId: string
  readonly userId: string | null
  dueMs: number
  count: number
}

interface Caused {
  readonly state?: string
  readonly live?: boolean
  readonly run?: { readonly state: string; readonly disbursement_id?: string }
  readonly fulfillment?: { readonly state: string }
  readonly refund?: object | null
}

/** What the engine's times are meant to be, written down a second time. */
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const DAY_MS = 24 * HOUR_MS
const NEWS_MAX = 20

const always = (): boolean => true
/** By type of event: the kind, and whether the event is one of it. */
const CAUSES: Readonly<Record<string, readonly [kind: string, isCause: (payload: Caused) => boolean]>> = {
  'merchant.activated': ['activation', always],
  'merchant.activation_refused': ['activation', always],
  'merchant.name_approved': ['activation', always],
  'merchant.name_refused': ['activation', always],
  'merchant.logo_approved': ['activation', always],
  'merchant.logo_refused': ['activation', always],
  'top_up.confirmed': ['top_up', always],
  'top_up.refused': ['top_up', always],
  'withdrawal.paid': ['withdrawal', always],
  'withdrawal.refused': ['withdrawal', always],
  'schedule.ran': ['run_failed', ({ run }) => run?.disbursement_id === undefined && run?.state !== 'completed'],
  'schedule.run_ended': ['run_failed', ({ run }) => run?.state !== 'completed'],
  'bill.fulfilled': ['delivery_failed', ({ fulfillment, refund }) => fulfillment?.state === 'failed' && refund === null],
  'delivery.attempted': ['delivery_failed', ({ state }) => state === 'failed'],
  'biller.approved': ['biller_decision', ({ live }) => live === true],
  'biller.rejected': ['biller_decision', always],
  'biller.suspended': ['biller_decision', always],
  'biller.reinstated': ['biller_decision', always],
  'biller.logo_approved': ['biller_decision', always],
  'biller.logo_rejected': ['biller_decision', always],
}

interface Progress {
  readonly progress: { readonly status: { readonly state: string; readonly pause_reason: string | null }; readonly is_retried: boolean }
}

function kindOf({ progress: { status, is_retried } }: Progress): string | null {
  if (status.state === 'awaiting_approval') return 'approval_wanted'
  const isShort = status.state === 'paused' && status.pause_reason === 'insufficient_balance'
  return isShort || (!is_retried && ['completed', 'rejected'].includes(status.state)) ? 'disbursement' : null
}

export class NoticesModel implements NounModel {
  /** By key. */
  readonly notices = new Map<string, ModelNotice>()
  /** How many news each merchant and each member ever had. */
  readonly news = new Map<string, number>()
  /** How many of them each member has read: of its merchant, and its own. */
  readonly read = new Map<string, readonly [merchant: number, own: number]>()
  /** Time zones that owners chose, by merchant. */
  readonly #zones = new Map<string, string>()
  readonly #chosen = new Map<string, Readonly<Record<string, boolean>>>()
  readonly #accounts: AccountsModel
  readonly #members: MembersModel

  constructor(accounts: AccountsModel, members: MembersModel) {
    this.#accounts = accounts
    this.#members = members
  }

  get timers(): number {
    return this.notices.size
  }

  overdue(nowMs: number): string[] {
    return [...this.notices.values()].filter(({ dueMs }) => dueMs <= nowMs).map(({ key }) => `notice ${key}`)
  }

  wants({ id, role }: ModelUser, kind: string): boolean {
    return this.#chosen.get(id)?.[kind] ?? (role === 'owner' && kind !== 'daily_summary')
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly id: string; readonly notices: Record<string, boolean> }>(entry, 'notices.chosen'))
      this.#choose(payload.id, payload.notices, entry.record.timeMs)
    for (const [type, [kind, isCause]] of Object.entries(CAUSES)) {
      for (const { event, payload } of eventsOf<Caused>(entry, type)) {
        const merchant = this.#accounts.merchants.find(({ live }) => live === event.account)
        if (merchant !== undefined && isCause(payload)) this.#note(kind, merchant.id, null, entry.record.timeMs)
      }
    }
    for (const type of ['disbursement.created', 'disbursement.changed']) {
      for (const { event, payload } of eventsOf<Progress>(entry, type)) {
        const kind = kindOf(payload)
        const merchant = this.#accounts.merchants.find(({ live }) => live === event.account)
        if (merchant !== undefined && kind !== null) this.#note(kind, merchant.id, null, entry.record.timeMs)
      }
    }
    const opened = eventsOf<{ readonly user_id: string; readonly is_new_device?: true }>(entry, 'dashboard_session.opened')
    for (const { payload } of opened) {
      const user = this.#members.users.get(payload.user_id)
      if (user !== undefined && payload.is_new_device === true) this.#note('new_device', user.merchantId, user.id, entry.record.timeMs)
    }
    this.#auditRead(entry)
    for (const { payload } of eventsOf<{ readonly merchant_id: string; readonly time_zone: string }>(entry, 'merchant.account_set'))
      this.#move(payload.merchant_id, payload.time_zone)
    this.#auditSent(entry)
  }

  compare({ notices }: State): void {
    sameRows(
      [...notices.rows.values()].map(({ key, due_ms, count }) => `${key} ${due_ms} ${count}`),
      [...this.notices.values()].map(({ key, dueMs, count }) => `${key} ${dueMs} ${count}`),
      'notices that wait, and those that left',
    )
    sameRows(
      [...notices.news.values()].map(({ holder_id, count, positions }) => `${holder_id} ${count} ${positions.length}`),
      [...this.news].map(([id, count]) => `${id} ${count} ${Math.min(count, NEWS_MAX)}`),
      'news of merchants and members',
    )
    sameRows(
      [...notices.newsRead.values()].map(({ user_id, merchant, own }) => `${user_id} ${merchant} ${own}`),
      [...this.read].map(([id, [merchant, own]]) => `${id} ${merchant} ${own}`),
      'news that members have read',
    )
  }

  /** The next daily summary leaves at 7:00 of the same day, in the new time zone. */
  #move(merchantId: string, zone: string): void {
    const before = aheadOf(this.#zones.get(merchantId))
    this.#zones.set(merchantId, zone)
    const daily = this.notices.get(`daily_summary:${merchantId}`)
    if (daily !== undefined && before !== aheadOf(zone)) daily.dueMs += before - aheadOf(zone)
  }

  #sevenAfter(timeMs: number, merchantId: string): number {
    const ahead = aheadOf(this.#zones.get(merchantId))
    return sevenAfter(timeMs + ahead) - ahead
  }

  /** What is read stays read, and no member has read more than there is. */
  #auditRead(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly id: string; readonly merchant_id: string }>(entry, 'dashboard_user.joined')) {
      const before = this.news.get(payload.merchant_id) ?? 0
      if (before > 0) this.read.set(payload.id, [before, 0])
    }
    for (const { payload } of eventsOf<{ readonly id: string }>(entry, 'dashboard_user.removed')) {
      this.news.delete(payload.id)
      this.read.delete(payload.id)
    }
    for (const { payload } of eventsOf<{ readonly user_id: string; readonly merchant: number; readonly own: number }>(entry, 'news.read')) {
      const [merchant, own] = this.read.get(payload.user_id) ?? [0, 0]
      const merchantId = this.#members.users.get(payload.user_id)?.merchantId ?? ''
      assert.ok(payload.merchant >= merchant && payload.merchant <= (this.news.get(merchantId) ?? 0), 'news of the merchant')
      assert.ok(payload.own >= own && payload.own <= (this.news.get(payload.user_id) ?? 0), 'news of the member')
      this.read.set(payload.user_id, [payload.merchant, payload.own])
    }
  }

  #choose(id: string, chosen: Readonly<Record<string, boolean>>, timeMs: number): void {
    this.#chosen.set(id, chosen)
    const merchantId = this.#members.users.get(id)?.merchantId ?? ''
    const key = `daily_summary:${merchantId}`
    if (chosen.daily_summary !== true || this.notices.has(key)) return
    this.notices.set(key, { key, kind: 'daily_summary', merchantId, userId: null, count: 1, dueMs: this.#sevenAfter(timeMs, merchantId) })
  }

  #note(kind: string, merchantId: string, userId: string | null, timeMs: number): void {
    this.news.set(userId ?? merchantId, (this.news.get(userId ?? merchantId) ?? 0) + 1)
    if (this.#recipients({ kind, merchantId, userId }).length === 0) return
    const key = `${kind}:${userId ?? merchantId}`
    const notice = this.notices.get(key) ?? { key, kind, merchantId, userId, dueMs: timeMs, count: 0 }
    notice.count++
    this.notices.set(key, notice)
  }

  #recipients({ kind, merchantId, userId }: Pick<ModelNotice, 'kind' | 'merchantId' | 'userId'>): string[] {
    const members = this.#members.ofMerchant(merchantId).filter(({ id }) => userId === null || id === userId)
    return members.filter((user) => this.wants(user, kind)).map(({ email }) => email)
  }

  #auditSent(entry: Entry): void {
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<{ readonly key: string }>(entry, 'notice.rested')) {
      const notice = this.#due(payload.key, timeMs)
      assert.ok(notice.count === 0 || this.#recipients(notice).length === 0, 'a notice that someone waits for leaves')
      this.notices.delete(notice.key)
    }
    for (const { payload } of eventsOf<{ readonly key: string; readonly has_left: boolean }>(entry, 'notice.timed')) {
      const notice = this.#due(payload.key, timeMs)
      assert.ok(payload.has_left, 'few e-mails are open')
      const isDaily = notice.kind === 'daily_summary'
      const stopped = this.#accounts.stopOf(this.#accounts.merchant(notice.merchantId)?.live ?? 0) !== null
      const sent = eventsOf<{ readonly to: string; readonly notice: { readonly count: number } }>(entry, 'message.queued')
      const expected = isDaily && stopped ? [] : this.#recipients(notice).map((to) => `${to} ${notice.count}`)
      sameRows(
        sent.map(({ payload: { to, notice: said } }) => `${to} ${said.count}`),
        expected,
        'who gets a notice of how many events',
      )
      notice.count = isDaily ? 1 : 0
      notice.dueMs = isDaily ? this.#sevenAfter(timeMs, notice.merchantId) : timeMs + 10 * MINUTE_MS
    }
  }

  #due(key: string, timeMs: number): ModelNotice {
    const notice = this.notices.get(key)
    assert.ok(notice !== undefined && notice.dueMs <= timeMs, 'a notice leaves at its time')
    return notice
  }
}

const HOURS_AHEAD: Readonly<Record<string, number>> = { 'Africa/Lagos': 1, 'Atlantic/Cape_Verde': -1 }

function aheadOf(zone: string | undefined): number {
  return (HOURS_AHEAD[zone ?? ''] ?? 0) * HOUR_MS
}

function sevenAfter(timeMs: number): number {
  const sevenMs = timeMs - (timeMs % DAY_MS) + 7 * HOUR_MS
  return sevenMs > timeMs ? sevenMs : sevenMs + DAY_MS
}
