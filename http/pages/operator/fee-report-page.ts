// The report of fees on the desk: what was taken in a period, by plan, kind of movement and merchant, or by day.
import type { FeeReport, FeeReportRow } from '../../../engine/contract/fees.ts'
import { rfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { amountText, countText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { answerMissing } from './missing.ts'
import { failurePart } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { queryOf, type Scope, scopeOf, scopeTabs } from './rules-view.ts'
import { FEE_KIND_NAMES, RULES_WORDS } from './rules-words.ts'

const DAY_MS = 86_400_000

/** Days of a period, as they are typed: `2026-11-01`. Both are in it. */
interface Days {
  readonly from: string
  readonly until: string
}

export function feeReportPage(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/fees',
      operationId: 'showOperatorFees',
      summary: 'Fees of a period',
      takesLong: true,
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => show(desk, call, session))),
    }),
  ]
}

async function show(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const scope = scopeOf(desk, call.queryText)
  const days = daysOf(call.queryText, desk.engine.query('engine.time', null))
  const [fromMs, untilMs] = [dayMs(days.from), dayMs(days.until)]
  const place = { place: 'fees', root: '../' } as const
  const view = (part: Fragment): void =>
    desk.answer(call, session, { ...place, title: OPERATOR_WORDS.fees, body: page(desk, scope, days, part) })
  if (fromMs === null || untilMs === null || fromMs > untilMs) return view(failurePart(RULES_WORDS.wrongPeriod))
  const period = { ...scope, from: rfc3339(fromMs), to: rfc3339(untilMs + DAY_MS) }
  const answer = await desk.ask<FeeReport>(call, { operationId: 'getFeeReport', query: { ...period, by: 'day' } })
  if (answer.ok) return view(reportPart(desk, answer.body))
  if (answer.status === 400) return view(failurePart(answer.error.message))
  answerMissing(desk, call, session, { ...place, message: answer.error.message, status: answer.status })
}

/** The month so far where the query names no days. */
function daysOf(queryText: string, nowMs: TimeMs): Days {
  const query = new URLSearchParams(queryText)
  const today = rfc3339(nowMs).slice(0, 10)
  return { from: query.get('from') ?? `${today.slice(0, 8)}01`, until: query.get('until') ?? today }
}

/** Returns the start of a day in UTC; null for what is none. */
function dayMs(day: string): TimeMs | null {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  return Number.isNaN(ms) || rfc3339(ms).slice(0, 10) !== day ? null : ms
}

function page(desk: Desk, scope: Scope, { from, until }: Days, part: Fragment): Html {
  const field = (name: 'from' | 'until', label: Fragment, value: string): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${value}" required></div>`
  return html`<h1>${OPERATOR_WORDS.fees}</h1>
${scopeTabs(desk, 'fees', scope, { from, until })}
<form class="form card narrow" method="get" action="fees"><input type="hidden" name="environment" value="${scope.environment}"><input type="hidden" name="currency" value="${scope.currency}">
${field('from', RULES_WORDS.from, from)}
${field('until', RULES_WORDS.until, until)}
<button type="submit">${RULES_WORDS.show}</button></form>
${part}
<p class="hint">${RULES_WORDS.feesOfPeriod} <a href="rules?${queryOf(scope)}">${OPERATOR_WORDS.rules}</a></p>`
}

function reportPart(desk: Desk, { rows, amount, currency }: FeeReport): Fragment {
  if (rows.length === 0) return html`<p class="hint" role="status">${RULES_WORDS.noFees}</p>`
  const figures: readonly Column<FeeReportRow>[] = [
    { name: RULES_WORDS.count, isFigure: true, cell: ({ count }) => countText(count) },
    { name: WORDS.amount, isFigure: true, card: 'amount', cell: (row) => amountText(row.amount, currency) },
  ]
  const merchantOf = ({ merchant_id }: FeeReportRow): Fragment =>
    merchant_id !== null &&
    html`<a href="merchants/${merchant_id}"><bdi>${desk.engine.query('merchants.byId', { id: merchant_id })?.name ?? merchant_id}</bdi></a>`
  const columns: readonly Column<FeeReportRow>[] = [
    { name: RULES_WORDS.plan, isHeader: true, cell: ({ plan }) => html`<bdi>${plan}</bdi>` },
    { name: OPERATOR_WORDS.movement, card: 'about', cell: ({ on }) => FEE_KIND_NAMES[on] },
    { name: RULES_WORDS.merchantName, card: 'about', cell: merchantOf },
    ...figures,
  ]
  const total = amountText(amount, currency)
  const byKind = summed(rows, ({ plan, on, merchant_id }) => JSON.stringify([plan, on, merchant_id]))
  const byDay = summed(rows, ({ day }) => day ?? '')
  const dayColumns: readonly Column<FeeReportRow>[] = [{ name: RULES_WORDS.day, isHeader: true, cell: ({ day }) => day }, ...figures]
  return html`${dataTable({ name: OPERATOR_WORDS.fees, columns, rows: byKind, foot: [WORDS.total, null, null, null, total] })}
<h2>${RULES_WORDS.byDay}</h2>
${dataTable({ name: RULES_WORDS.byDay, columns: dayColumns, rows: byDay, foot: [WORDS.total, null, total] })}`
}

function summed(rows: readonly FeeReportRow[], keyOf: (row: FeeReportRow) => string): readonly FeeReportRow[] {
  const sums = new Map<string, FeeReportRow>()
  for (const row of rows) {
    const before = sums.get(keyOf(row))
    sums.set(keyOf(row), before === undefined ? row : { ...row, count: before.count + row.count, amount: before.amount + row.amount })
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
