// The till: what a period brought in, for each person, and the sheet that closes it, with a count of the cash beside it. The sheet is
// made of its address alone: nothing of the cash is stored.

import type { Member } from '../../../../engine/contract/dashboard.ts'
import type { Till } from '../../../../engine/contract/till.ts'
import type { TimeMs } from '../../../../engine/kernel/time.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { amountKeyboard, amountText, countedText, currencySymbol } from '../../shared/amount-text.ts'
import type { ApiAnswer } from '../../shared/api-calls.ts'
import { dataTable } from '../../shared/data-table.ts'
import { dayText, longDayAndTime } from '../../shared/date-text.ts'
import { DAY_MS } from '../../shared/day-period.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { answerPage } from '../../shared/layout.ts'
import { type Filtered, filterForm, filterQuery, listAddress, type OwnChoicesOf } from '../lists/list-filters.ts'
import { type Column, heading, live, money, sheetHead, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { aheadMs, daysText } from '../shared/merchant-time.ts'
import { amountOf } from '../shared/typed-text.ts'
import { piecesOf } from './cash-pieces.ts'
import { TEXTS } from './till-pages-messages.ts'

const PIECES_MAX = 100_000
const MEMBERS_READ = '100'

export function tillRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, { path: '/till', operationId: 'showTill', needs: 'getTill', summary: 'The till', show: showTill }),
    pageRow(parts, {
      path: '/till/close',
      operationId: 'showTillSheet',
      needs: 'getTill',
      summary: 'The sheet of the till',
      show: showSheet,
    }),
  ]
}

/** Choices of the members that the reader may see. */
export const memberChoices: OwnChoicesOf = async (visit) => {
  const answer = await visit.ask<{ readonly data: readonly Member[] }>('listMembers', { query: { limit: MEMBERS_READ } })
  return answer.ok ? answer.body.data.map(({ id, email }) => ({ value: id, words: email })) : []
}

function tillOf(visit: Visit, path: string): Filtered {
  const members = { name: 'member_id', label: TEXTS.member, ownChoices: memberChoices }
  return { path, filters: visit.may('listMembers') ? [members] : [], hasPeriodAlways: true, aheadMs: aheadMs(visit) }
}

/** Reads the till of the period in the address; without one, of today. */
async function readTill(visit: Visit, path: string): Promise<ApiAnswer<Till>> {
  const { query } = visit
  if (!query.has('from') && !query.has('to')) {
    const today = new Date(visit.app.engine.query('engine.time', null) + aheadMs(visit)).toISOString().slice(0, 10)
    query.set('from', today)
    query.set('to', today)
  }
  const { created_from: from = '', created_to: to = '', member_id = '' } = filterQuery(visit, tillOf(visit, path))
  return visit.ask<Till>('getTill', { query: { from, to, member_id } })
}

async function showTill(visit: Visit): Promise<void> {
  const answer = await readTill(visit, 'till')
  const noun = tillOf(visit, 'till')
  const close = html`<a class="button" href="${listAddress(visit, { path: 'till/close' }, {})}">${TEXTS.closeTill}</a>`
  const error = answer.ok ? null : answer.error.param === 'from' ? { ...answer.error, message: TEXTS.periodTooLong } : answer.error
  const body = html`${heading(TEXTS.till, close)}
${await filterForm(visit, noun, error)}
${live('till', answer.ok && tillPart(visit, answer.body))}`
  // After a failure the script keeps what the page shows.
  visit.show({ title: TEXTS.till, place: 'till', live: ['charge.'], body }, answer.ok ? 200 : answer.status)
}

function tillPart(visit: Visit, till: Till): Html {
  const tile = (name: Text, value: Fragment, hint: Fragment): Html =>
    html`<section class="tile"><h2>${name}</h2><p class="big">${value}</p><p class="hint">${hint}</p></section>`
  const rows = rowsOf(till)
  const { currency } = visit
  return html`<div class="tiles">${tile(TEXTS.amount, money(till.paid_amount, currency), paymentsText(till.paid_count))}
${tile(TEXTS.refunds, money(till.refunded_amount, currency), paymentsText(till.refunded_count))}
${tile(TEXTS.net, money(till.net_amount, currency), null)}</div>
<section><h2>${TEXTS.byMember}</h2>${
    rows.length === 0
      ? html`<p class="empty">${TEXTS.nothingInPeriod}</p>`
      : dataTable({ name: TEXTS.byMember, columns: columns(visit), rows })
  }</section>`
}

function paymentsText(count: number): Text {
  return countedText(count, TEXTS.payment, TEXTS.paymentsCounted)
}

/** A row for each member, and one for what keys took. */
type TakenRow = Omit<Till['by_member'][number], 'id'> & { readonly id: string | null }

function rowsOf({ by_member, ...all }: Till): readonly TakenRow[] {
  const others = { paid_count: 0, paid_amount: 0, refunded_count: 0, refunded_amount: 0 }
  for (const name of ['paid_count', 'paid_amount', 'refunded_count', 'refunded_amount'] as const)
    others[name] = all[name] - by_member.reduce((sum, member) => sum + member[name], 0)
  const hasOthers = others.paid_count > 0 || others.refunded_count > 0
  return [...by_member, ...(hasOthers ? [{ id: null, name: '', ...others }] : [])]
}

function columns(visit: Visit): readonly Column<TakenRow>[] {
  const nameOf = ({ id, name }: TakenRow): Fragment =>
    id === null
      ? TEXTS.others
      : html`<a href="${listAddress(visit, { path: 'charges' }, { created_by: id, member_id: null })}">${theirs(name)}</a>`
  return [{ name: TEXTS.member, cell: nameOf }, ...figures(visit.currency)]
}

function figures(currency: string): readonly Column<TakenRow>[] {
  return [
    { name: TEXTS.payments, isFigure: true, cell: ({ paid_count }) => paid_count },
    { name: TEXTS.amount, isFigure: true, cell: ({ paid_amount }) => money(paid_amount, currency) },
    { name: TEXTS.refunds, isFigure: true, cell: ({ refunded_amount }) => money(refunded_amount, currency) },
    {
      name: TEXTS.net,
      card: 'amount',
      isFigure: true,
      cell: ({ paid_amount, refunded_amount }) => money(paid_amount - refunded_amount, currency),
    },
  ]
}

/** The sheet to print: the figures of the period, the cash that was counted, and two signatures. */
async function showSheet(visit: Visit): Promise<void> {
  const answer = await readTill(visit, 'till/close')
  if (!answer.ok) return showTill(visit)
  const till = answer.body
  const { currency } = visit
  const back = listAddress(visit, { path: 'till' }, Object.fromEntries(piecesOf(visit.currency).map((piece) => [`p${piece}`, null])))
  const body = html`<div class="receipt-tools"><a class="button quiet" href="${back}">${TEXTS.backTill}</a><button type="button" data-print hidden>${DASHBOARD_WORDS.print}</button></div>
<article class="sheet closing">
${sheetHead(visit)}
<h1>${TEXTS.closing}</h1>
<p>${periodOf(till, aheadMs(visit))}</p>
${sheetRows([
  [TEXTS.payments, till.paid_count],
  [TEXTS.amount, amountText(till.paid_amount, currency)],
  [TEXTS.refunds, amountText(till.refunded_amount, currency)],
  [TEXTS.net, html`<b>${amountText(till.net_amount, currency)}</b>`],
])}
${rowsOf(till).length > 0 && html`<h2>${TEXTS.byMember}</h2>${sheetRows(rowsOf(till).map((row) => [row.id === null ? TEXTS.others : row.name, html`${row.paid_count} · ${amountText(row.paid_amount - row.refunded_amount, currency)}`]))}`}
${cashPart(visit, till)}
<dl class="signatures"><div><dt>${TEXTS.cashier}</dt><dd></dd></div><div><dt>${TEXTS.manager}</dt><dd></dd></div></dl>
<p>${daysText(visit)} ${TEXTS.madeOn(longDayAndTime(visit.app.engine.query('engine.time', null)))}</p>
${visit.environment === 'test' && html`<p class="sheet-test">${TEXTS.testSheet}</p>`}
</article>
${countForm(visit)}`
  const page = {
    title: TEXTS.closing,
    root: visit.root,
    look: 'dashboard/shared/receipt.css',
    script: 'dashboard/shared/dashboard.js',
    body,
  } as const
  answerPage(visit.call, 200, page)
}

function periodOf({ from, to }: Till, ahead: TimeMs): Html {
  const [first, last] = [Date.parse(from) + ahead, Date.parse(to) - 1 + ahead]
  if (first + DAY_MS > last) return html`${TEXTS.on} ${dayText(first)}`
  return html`${TEXTS.from} ${dayText(first)} ${TEXTS.to} ${dayText(last)}`
}

function sheetRows(rows: readonly (readonly [name: Text | string, value: Fragment])[]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<div><dt><bdi>${name}</bdi></dt><dd>${value}</dd></div>`)}</dl>`
}

/** The cash of the sheet, once some was counted. */
function cashPart({ query, currency }: Visit, { net_amount }: Till): Fragment {
  const counts = piecesOf(currency)
    .map((piece) => [piece, countOf(query, piece)] as const)
    .filter(([, count]) => count > 0)
  const counted = counts.reduce((sum, [piece, count]) => sum + piece * count, 0)
  const float = floatOf(query, currency)
  if (counted === 0 && float === 0) return null
  const text = (amount: number): Text => amountText(amount, currency)
  return html`<h2>${TEXTS.cashCounted}</h2>${sheetRows([
    ...counts.map(([piece, count]) => [text(piece), html`${count} · ${text(piece * count)}`] as const),
    [TEXTS.cashCounted, html`<b>${text(counted)}</b>`],
    [TEXTS.ofWhichFloat, text(float)],
    [TEXTS.cashTaken, text(counted - float)],
    [TEXTS.received, text(net_amount)],
    [TEXTS.all, html`<b>${text(net_amount + counted - float)}</b>`],
  ])}`
}

function countOf(query: URLSearchParams, piece: number): number {
  const typed = query.get(`p${piece}`)?.trim() ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.min(Number(typed), PIECES_MAX) : 0
}

function floatOf(query: URLSearchParams, currency: string): number {
  const amount = amountOf(query.get('float') ?? '', currency)
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount <= FLOAT_MAX ? amount : 0
}

const FLOAT_MAX = 10_000_000_000

/** A form of the address: the browser keeps nothing, and going back restores the count. */
function countForm(visit: Visit): Html {
  const { query, currency } = visit
  const kept = ['from', 'to', 'member_id'].map((name) => html`<input type="hidden" name="${name}" value="${query.get(name) ?? ''}">`)
  const field = (piece: number): Html =>
    html`<div class="field"><label for="p${piece}">${TEXTS.pieces(amountText(piece, currency))}</label><input id="p${piece}" name="p${piece}" inputmode="numeric" maxlength="6" autocomplete="off" value="${query.get(`p${piece}`) ?? ''}"></div>`
  return html`<form class="receipt-tools is-below count" method="get" action="${visit.to('till/close')}">${kept}
<h2>${TEXTS.countCash}</h2><p class="hint">${TEXTS.countHint}</p>
<div class="field"><label for="float">${TEXTS.float(currencySymbol(currency))}</label><input id="float" name="float" inputmode="${amountKeyboard(currency)}" maxlength="15" autocomplete="off" value="${query.get('float') ?? ''}"></div>
${piecesOf(currency).map(field)}
<button type="submit">${TEXTS.count}</button></form>`
}
