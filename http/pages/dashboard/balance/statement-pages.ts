// Statements of the account: the list of months, and a month as a page to print and as a file.

import type { Transaction } from '../../../../engine/contract/transaction.ts'
import type { TimeMs } from '../../../../engine/kernel/time.ts'
import { csvText } from '../../../lists/csv-text.ts'
import type { Route } from '../../../server/route.ts'
import { Text } from '../../../text/text.ts'
import { amountText, countText } from '../../shared/amount-text.ts'
import { dayText, longDayAndTime, monthText } from '../../shared/date-text.ts'
import { type Html, html } from '../../shared/html.ts'
import { answerPage } from '../../shared/layout.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SPREADSHEET } from '../lists/list-export.ts'
import { STATEMENT_ROWS_MAX, TOTALS_PER_ACCOUNT_MAX } from '../shared/dashboard-limits.ts'
import { type Column, heading, sheetHead, table } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { aheadMs, daysText } from '../shared/merchant-time.ts'
import { type RowPage, RowReader } from '../shared/row-reader.ts'
import { type MonthStatement, monthStatement, type StatementRow, type StatementSums, statementRow } from './month-statement.ts'
import { TEXTS } from './statement-pages-messages.ts'

/** Older months are reached by their address. */
const MONTHS_SHOWN = 24
const PAGE_ROWS = '100'

export function statementRows(parts: DashboardParts): readonly Route[] {
  const reader = new RowReader(TOTALS_PER_ACCOUNT_MAX)
  const needs = 'listTransactions'
  return [
    pageRow(parts, { path: '/statements', operationId: 'showStatements', needs, summary: 'Statements', show: showMonths }),
    pageRow(parts, {
      path: '/statements/{month}',
      operationId: 'showStatement',
      needs,
      summary: 'The statement of a month',
      show: (visit) => showMonth(visit, reader),
    }),
    pageRow(parts, {
      path: '/statements/{month}/days.csv',
      operationId: 'showStatementCsv',
      needs,
      summary: 'The days of a month as a file',
      show: (visit) => sendFile(visit, reader),
    }),
  ]
}

/** The first and the last instant of a month as if the merchant's time zone were UTC, and its name in addresses. */
interface Month {
  readonly name: string
  readonly fromMs: TimeMs
  readonly toMs: TimeMs
}

function monthAt(ms: TimeMs, monthsBefore = 0): Month {
  const date = new Date(ms)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - monthsBefore]
  const fromMs = Date.UTC(year, month, 1)
  return { name: new Date(fromMs).toISOString().slice(0, 7), fromMs, toMs: Date.UTC(year, month + 1, 1) }
}

/** Returns null for a text that is no month, and for one in the future. */
function askedMonth(visit: Visit): Month | null {
  const typed = visit.params[0] ?? ''
  const ms = /^\d{4}-\d{2}$/.test(typed) ? Date.parse(`${typed}-01T00:00:00.000Z`) : Number.NaN
  return Number.isNaN(ms) || ms > visit.app.engine.query('engine.time', null) + aheadMs(visit) ? null : monthAt(ms)
}

function showMonths(visit: Visit): void {
  const nowMs = visit.app.engine.query('engine.time', null) + aheadMs(visit)
  const sinceMs = monthAt(Date.parse(visit.principal.merchant.created_at) + aheadMs(visit)).fromMs
  const months = Array.from({ length: MONTHS_SHOWN }, (_, before) => monthAt(nowMs, before)).filter(({ fromMs }) => fromMs >= sinceMs)
  const file = ({ name }: Month, query: string, words: Text): Html =>
    html`<a href="${visit.to(`statements/${name}/days.csv`)}${query}" download>${words}</a>`
  const columns: readonly Column<Month>[] = [
    { name: TEXTS.month, cell: ({ name, fromMs }) => html`<a href="${visit.to(`statements/${name}`)}">${monthText(fromMs)}</a>` },
    {
      name: TEXTS.files,
      card: 'action',
      cell: (month) => html`${file(month, `?format=${SPREADSHEET}`, TEXTS.spreadsheet)} · ${file(month, '', TEXTS.plainCsv)}`,
    },
  ]
  const body = html`${heading(TEXTS.statements)}<p>${TEXTS.intro} ${daysText(visit)}</p>${table(TEXTS.statements, columns, months, '')}`
  visit.show({ title: TEXTS.statements, place: 'statements', body })
}

/** Returns null for a month with too many movements, and while the account reads too much at once. */
async function readStatement(visit: Visit, reader: RowReader, { fromMs, toMs }: Month): Promise<MonthStatement | null> {
  const ahead = aheadMs(visit)
  const [from, to] = [new Date(fromMs - ahead).toISOString(), new Date(toMs - ahead).toISOString()]
  const page = async (cursor: string): Promise<RowPage<StatementRow> | null> => {
    const query = { created_from: from, created_to: to, limit: PAGE_ROWS, cursor }
    const answer = await visit.ask<RowPage<Transaction>>('listTransactions', { query })
    return answer.ok ? { data: answer.body.data.map((row) => statementRow(row, ahead)), next_cursor: answer.body.next_cursor } : null
  }
  const [before, first] = await Promise.all([
    visit.ask<RowPage<Transaction>>('listTransactions', { query: { created_to: from, limit: '1' } }),
    page(''),
  ])
  if (!before.ok || first === null) return null
  const isEnough = (rows: readonly StatementRow[]): boolean => rows.length >= STATEMENT_ROWS_MAX
  const { rows, isCut } = await reader.read(visit.principal.account, { first, next: page, isEnough })
  return isCut ? null : monthStatement(rows, before.body.data[0]?.balance_after ?? 0)
}

const SUMS = ['opening', 'incoming', 'outgoing', 'fees', 'closing'] as const

async function showMonth(visit: Visit, reader: RowReader): Promise<void> {
  const month = askedMonth(visit)
  if (month === null) return visit.missing()
  const nowMs = visit.app.engine.query('engine.time', null)
  const statement = await readStatement(visit, reader, month)
  const { merchant } = visit.principal
  const body = html`<div class="receipt-tools"><a class="button quiet" href="${visit.to('statements')}">${TEXTS.back}</a><button type="button" data-print hidden>${DASHBOARD_WORDS.print}</button></div>
<article class="sheet statement">
${sheetHead(visit)}
<h1>${TEXTS.statement}</h1>
<p>${monthText(month.fromMs)}, ${TEXTS.account(merchant.id)}</p>
${statement === null ? tooMany(visit, month) : sumsPart(statement, merchant.currency)}
<p>${daysText(visit)} ${TEXTS.madeOn(longDayAndTime(nowMs))} ${month.toMs > nowMs + aheadMs(visit) && TEXTS.notOver}</p>
${visit.environment === 'test' && html`<p class="sheet-test">${TEXTS.testStatement}</p>`}
</article>`
  answerPage(visit.call, 200, {
    title: TEXTS.statement,
    root: visit.root,
    look: 'dashboard/shared/receipt.css',
    script: 'dashboard/shared/dashboard.js',
    body,
  })
}

function tooMany(visit: Visit, { fromMs, toMs }: Month): Html {
  const day = (ms: TimeMs): string => new Date(ms).toISOString().slice(0, 10)
  return html`<p>${TEXTS.tooMany(countText(STATEMENT_ROWS_MAX))}</p>
<p><a href="${visit.to('transactions')}?from=${day(fromMs)}&amp;to=${day(toMs - 1)}">${TEXTS.seeTransactions}</a></p>`
}

function sumsPart(statement: MonthStatement, currency: string): Html {
  const { days } = statement
  const cells = (sums: StatementSums): Html => html`${SUMS.map((name) => html`<td>${amountText(sums[name], currency)}</td>`)}`
  return html`<dl>${SUMS.map((name) => html`<div><dt>${TEXTS[name]}</dt><dd>${amountText(statement[name], currency)}</dd></div>`)}
<div><dt>${TEXTS.count}</dt><dd>${countText(statement.count)}</dd></div></dl>
<h2>${TEXTS.byDay}</h2>
${
  days.length === 0
    ? html`<p>${TEXTS.noMovements}</p>`
    : html`<div class="days" role="region" aria-label="${TEXTS.byDay}" tabindex="0"><table><thead><tr><th scope="col">${WORDS.day}</th>${SUMS.map((name) => html`<th scope="col">${TEXTS[name]}</th>`)}</tr></thead>
<tbody>${days.map((sums) => html`<tr><th scope="row">${dayText(Date.parse(sums.day))}</th>${cells(sums)}</tr>`)}</tbody></table></div>`
}`
}

const PLAIN_HEADER = ['day', 'opening_balance', 'incoming', 'outgoing', 'fees', 'closing_balance', 'transactions_count', 'currency']

/** Answers the days, and the month as their last line, whose day is the month. */
async function sendFile(visit: Visit, reader: RowReader): Promise<void> {
  const month = askedMonth(visit)
  const statement = month === null ? null : await readStatement(visit, reader, month)
  if (month === null || statement === null) return visit.missing()
  const { language } = languageOf(visit.call)
  const isPlain = visit.query.get('format') !== SPREADSHEET
  const separator = isPlain || language === 'en' ? ',' : ';'
  const say = (words: Text | string): string => (words instanceof Text ? words.in(language) : words)
  const names = [WORDS.day, ...SUMS.map((name) => TEXTS[name]), TEXTS.count, TEXTS.currency].map(say)
  const line = (day: string, sums: StatementSums): string =>
    csvText([day, ...SUMS.map((name) => sums[name]), sums.count, visit.principal.merchant.currency], separator)
  const lines = [
    csvText(isPlain ? PLAIN_HEADER : names, separator),
    ...statement.days.map((sums) => line(sums.day, sums)),
    line(month.name, statement),
  ]
  visit.file(`statement-${month.name}-${visit.environment}.csv`, 'text/csv; charset=utf-8', `\uFEFF${lines.join('')}`)
}
