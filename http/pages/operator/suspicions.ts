// Rules for what an operator should look at: locked PINs, refused withdrawals, a withdrawal that empties an account, a large first
// payout, a jump of takings. Each reads a bounded number of records; none changes anything.

import type { QueryAnswer } from '../../../engine/api.ts'
import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import { DAY_MS, type DayTotal, type DayTotalsReader } from '../dashboard/overview/day-totals.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'
import type { Desk, DeskCall } from './desk.ts'
import { environmentBadge, type ListPage } from './operator-parts.ts'
import type { OpenRequests } from './waiting-list.ts'

const TEXTS = texts({
  fr: {
    nothingUnusualAtMoment: 'Rien d’inhabituel pour le moment.',
    pinLockedAfterTooMany: (tag: Fragment) => html`<bdi>@${tag}</bdi> : code PIN bloqué après trop d’essais faux`,
    pinLockedTimesInRow: (tag: Fragment, locks: Fragment) => html`<bdi>@${tag}</bdi> : code PIN bloqué ${locks} fois de suite`,
    accountLessThanDaysWithdraw: (name: Fragment, newdays: Fragment, asked: Fragment) =>
      html`<bdi>${name}</bdi> : compte de moins de ${newdays} jours, ${asked} à retirer`,
    withdrawNearlyWholeBalance: (name: Fragment, asked: Fragment) => html`<bdi>${name}</bdi> : ${asked} à retirer, presque tout son solde`,
    withdrawalsRefusedInDays: (name: Fragment, refused: Fragment, newdays: Fragment) =>
      html`<bdi>${name}</bdi> : ${refused} retraits refusés en ${newdays} jours`,
    receivedTodayFarMoreThan: (name: Fragment, takings: Fragment) =>
      html`<bdi>${name}</bdi> : ${takings} encaissés aujourd’hui, bien plus que d’habitude`,
    paidOutTodayFirstPayouts: (name: Fragment, payouts: Fragment) =>
      html`<bdi>${name}</bdi> : ${payouts} versés aujourd’hui, ses premiers versements de la semaine`,
  },
  en: {
    nothingUnusualAtMoment: 'Nothing unusual at the moment.',
    pinLockedAfterTooMany: (tag) => html`<bdi>@${tag}</bdi>: PIN locked after too many wrong attempts`,
    pinLockedTimesInRow: (tag, locks) => html`<bdi>@${tag}</bdi>: PIN locked ${locks} times in a row`,
    accountLessThanDaysWithdraw: (name, newdays, asked) =>
      html`<bdi>${name}</bdi>: account of less than ${newdays} days, ${asked} to withdraw`,
    withdrawNearlyWholeBalance: (name, asked) => html`<bdi>${name}</bdi>: ${asked} to withdraw, nearly the whole balance`,
    withdrawalsRefusedInDays: (name, refused, newdays) => html`<bdi>${name}</bdi>: ${refused} withdrawals refused in ${newdays} days`,
    receivedTodayFarMoreThan: (name, takings) => html`<bdi>${name}</bdi>: ${takings} received today, far more than usual`,
    paidOutTodayFirstPayouts: (name, payouts) => html`<bdi>${name}</bdi>: ${payouts} paid out today, the first payouts of the week`,
  },
})

/** Amounts below it are never suspicious. */
const LARGE = 500_000
/** A merchant is new for so many days. */
const NEW_DAYS = 7
/** Takings of a day are a jump from so many times the mean of the days before. */
const JUMP = 5
/** Part of the balance from which a withdrawal empties the account. */
const NEARLY_ALL = 0.9
const REFUSED_MIN = 2
const LOCKS_SHOWN = 10
/** Maximum of merchants whose records one view reads. */
const MERCHANTS_READ = 8
const DAYS_READ = 8

/** What the rules read of a merchant, in the live environment. */
export interface MerchantFigures {
  readonly id: string
  readonly name: string
  readonly createdMs: number
  readonly available: number
  /** Amounts of open withdrawals. */
  readonly withdrawals: readonly number[]
  /** Withdrawals that were refused in the last seven days. */
  readonly refused: number
  /** The last days, oldest first, today included. */
  readonly days: readonly DayTotal[]
}

interface Suspicion {
  readonly text: Html
  /** Path from the desk. */
  readonly path: string
  readonly environment: Environment
}

/** Renders the list of what the rules find. */
export async function suspicionList(desk: Desk, call: DeskCall, requests: OpenRequests, totals: DayTotalsReader): Promise<Html> {
  const nowMs = desk.engine.query('engine.time', null)
  const locked = desk.engine.query('pins.locked', { limit: LOCKS_SHOWN }).map(lockSuspicion)
  const figures = await readFigures(desk, call, requests, totals)
  const found = [...figures.flatMap((merchant) => merchantSuspicions(merchant, nowMs)), ...locked]
  if (found.length === 0) return html`<p class="hint">${TEXTS.nothingUnusualAtMoment}</p>`
  return html`<ul class="suspicions">${found.map(({ text, path, environment }) => html`<li class="card"><a href="operator/${path}">${text}</a> ${environmentBadge(environment)}</li>`)}</ul>`
}

function lockSuspicion({ tag, environment, locks }: QueryAnswer<'pins.locked'>[number]): Suspicion {
  const text = locks === 1 ? html`${TEXTS.pinLockedAfterTooMany(tag)}` : html`${TEXTS.pinLockedTimesInRow(tag, locks)}`
  return { text, path: `wallets/${tag}?environment=${environment}`, environment }
}

/** Reads the merchants with open live withdrawals, then the newest merchants. */
async function readFigures(
  desk: Desk,
  call: DeskCall,
  { withdrawals }: OpenRequests,
  totals: DayTotalsReader,
): Promise<readonly MerchantFigures[]> {
  const open = withdrawals.filter(({ environment }) => environment === 'live')
  const newest = await desk.ask<ListPage<Merchant>>(call, { operationId: 'listMerchants', query: { limit: String(MERCHANTS_READ) } })
  const ids = new Set([...open.map(({ merchant_id }) => merchant_id), ...(newest.ok ? newest.body.data.map(({ id }) => id) : [])])
  const figures: MerchantFigures[] = []
  for (const id of [...ids].slice(0, MERCHANTS_READ)) {
    const amounts = open.filter(({ merchant_id }) => merchant_id === id).map(({ amount }) => amount)
    const read = await figuresOf(desk, id, amounts, totals)
    if (read !== null) figures.push(read)
  }
  return figures
}

async function figuresOf(
  { engine }: Desk,
  id: string,
  withdrawals: readonly number[],
  totals: DayTotalsReader,
): Promise<MerchantFigures | null> {
  const merchant = engine.query('merchants.byId', { id })
  if (merchant === null) return null
  const account = merchant.accounts.live
  const nowMs = engine.query('engine.time', null)
  const refused = engine.query('cashRequests.list', {
    ...{ kind: 'withdrawal', account, slice: 'first' },
    query: { state: 'refused', created_from: new Date(nowMs - NEW_DAYS * DAY_MS).toISOString() },
  })
  return {
    ...{ id, name: merchant.name, createdMs: parseRfc3339(merchant.created_at), withdrawals },
    available: engine.query('accounts.balance', { account }).available,
    refused: refused?.rows.length ?? 0,
    days: await totals.read(engine, account, nowMs, DAYS_READ),
  }
}

/** Returns what the rules find about a merchant. */
export function merchantSuspicions(merchant: MerchantFigures, nowMs: number): readonly Suspicion[] {
  const { id, name, createdMs, available, withdrawals, refused, days } = merchant
  const found: Html[] = []
  const asked = withdrawals.reduce((sum, amount) => sum + amount, 0)
  const isNew = nowMs - createdMs < NEW_DAYS * DAY_MS
  if (asked >= LARGE && isNew) found.push(html`${TEXTS.accountLessThanDaysWithdraw(name, NEW_DAYS, amountText(asked))}`)
  else if (asked >= LARGE && asked >= NEARLY_ALL * (asked + available))
    found.push(html`${TEXTS.withdrawNearlyWholeBalance(name, amountText(asked))}`)
  if (refused >= REFUSED_MIN) found.push(html`${TEXTS.withdrawalsRefusedInDays(name, refused, NEW_DAYS)}`)
  const today = days.at(-1)
  const before = days.slice(0, -1)
  if (today !== undefined) {
    const mean = before.reduce((sum, { takings }) => sum + takings, 0) / Math.max(1, before.length)
    if (today.takings >= LARGE && today.takings >= JUMP * mean)
      found.push(html`${TEXTS.receivedTodayFarMoreThan(name, amountText(today.takings))}`)
    if (today.payouts >= LARGE && before.every(({ payoutsCount }) => payoutsCount === 0))
      found.push(html`${TEXTS.paidOutTodayFirstPayouts(name, amountText(today.payouts))}`)
  }
  return found.map((text) => ({ text, path: `merchants/${id}`, environment: 'live' }))
}
