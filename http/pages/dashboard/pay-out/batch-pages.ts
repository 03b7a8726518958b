// Batches of the API and of schedules: the list, and the report of one. A form pays many by a disbursement.

import type { BatchReport } from '../../../../engine/contract/batch.ts'
import { paymentFileText } from '../../../client/src/payment-file/payment-file-text.ts'
import type { Route } from '../../../server/route.ts'
import { payoutFailureText } from '../../../text/payout-failure-messages.ts'
import type { Text } from '../../../text/text.ts'
import { amountText, countedText, countText } from '../../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import { badge, type Column, dateText, facts, heading, money, table, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { feeColumn } from '../shared/fee-facts.ts'
import { tokenField } from '../shared/shell.ts'
import { recipientText } from '../shared/typed-text.ts'
import { TEXTS } from './batch-pages-messages.ts'
import { failureReasons, linesOutcome } from './outcomes.ts'
import { amountCell, type Sum, sumOf } from './payment-lines.ts'
import { payoutBadge } from './payout-pages.ts'

type BatchRow = Omit<BatchReport, 'items' | 'warnings'>

export const BATCHES: ListNoun<BatchRow> = {
  place: 'disbursements',
  title: TEXTS.batches,
  path: 'batches',
  operationId: 'listBatches',
  filters: [SEARCH],
  columns: (visit) => [
    { name: WORDS.date, cell: ({ id, created_at }) => html`<a href="${visit.to(`batches/${id}`)}">${dateText(created_at)}</a>` },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
    { name: DASHBOARD_WORDS.lines, isFigure: true, cell: ({ total_count }) => total_count },
    { name: DASHBOARD_WORDS.paid2, isFigure: true, cell: ({ paid_count }) => paid_count },
    { name: DASHBOARD_WORDS.paidAmount, card: 'amount', isFigure: true, cell: ({ paid_amount, currency }) => money(paid_amount, currency) },
  ],
  csvFields: {
    id: true,
    reference: true,
    currency: true,
    total_count: true,
    paid_count: true,
    failed_count: true,
    total_amount: true,
    paid_amount: true,
    failed_amount: true,
    fee_amount: true,
    created_at: true,
    state: false,
    environment: false,
  },
  counted: [TEXTS.bulkPayout, TEXTS.bulkPayouts],
  total: ({ paid_amount }) => ({ group: DASHBOARD_WORDS.paid, amount: paid_amount }),
  empty: TEXTS.noBulkPayoutsYet,
  live: ['batch.'],
  actions: (visit) => visit.button('createDisbursement', 'disbursements/new', TEXTS.newBulkPayout),
}

export function batchRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, BATCHES),
    // Bookmarks of the form that paid files before.
    pageRow(parts, {
      path: '/batches/new',
      operationId: 'showBatchForm',
      needs: 'createDisbursement',
      summary: 'The form of disbursements',
      show: (visit) => visit.goTo('disbursements/new'),
    }),
    pageRow(parts, { path: '/batches/{id}', operationId: 'showBatch', summary: 'The report of a batch', show: showBatch }),
  ]
}

async function showBatch(visit: Visit): Promise<void> {
  const answer = await visit.ask<BatchReport>('getBatch', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const report = answer.body
  const sum = sumOf(report)
  const reasons = failureReasons(report.items)
  const body = html`${heading(DASHBOARD_WORDS.bulkPayout)}
${paidSummary(sum, report.currency)}
${reasons !== null && html`<section class="reasons"><p>${DASHBOARD_WORDS.failedLinesAndWhatDo}</p>${reasons}</section>`}
${reasons !== null && visit.may('createDisbursement') && failedAgain(visit, report)}
${facts([
  [WORDS.fee, report.fee_amount > 0 && money(report.fee_amount, report.currency)],
  [WORDS.reference, theirs(report.reference)],
  [WORDS.date, dateText(report.created_at)],
  [WORDS.identifier, theirs(report.id)],
])}
${linesTable(
  visit,
  report.items.map((line) => ({ ...line, number: line.index + 1 })),
  'paid',
)}`
  visit.show({ title: DASHBOARD_WORDS.bulkPayout, place: 'disbursements', outcome: linesOutcome(sum), body })
}

/** Renders the button that puts the failed lines into the form again, with their notes, which the report does not have. */
function failedAgain(visit: Visit, { id, items, reference, currency }: BatchReport): Html {
  const notes = visit.app.engine.query('batches.notes', { account: visit.principal.account, id: id ?? '' }) ?? []
  const failed = items.filter(({ state }) => state === 'failed')
  const lines = failed.map((line) => {
    const { amount, index, reference: own } = line
    return { recipient: recipientOf(line), amount: amountCell(amount, currency), reference: own, note: notes[index] ?? '' }
  })
  return html`<form class="form" method="post" action="${visit.to('disbursements/edit')}" enctype="multipart/form-data">${tokenField(visit)}
<input type="hidden" name="lines" value="${paymentFileText(lines, languageOf(visit.call).language)}"><input type="hidden" name="reference" value="${reference}">
<button class="quiet" type="submit">${TEXTS.correctFailedLines}</button></form>`
}

export function linesText(count: number): Text {
  return countedText(count, DASHBOARD_WORDS.line, DASHBOARD_WORDS.lines2)
}

export function paidSummary(sum: Sum, currency: string): Html {
  const { paidCount, failedCount, linesCount, paidAmount, failedAmount } = sum
  return html`<section class="card"><p>${TEXTS.paid(money(paidAmount, currency), linesText(paidCount), countText(linesCount))}</p>
${failedCount > 0 && html`<p>${TEXTS.failed(money(failedAmount, currency), linesText(failedCount))}</p>`}
<progress max="${linesCount}" value="${paidCount}" aria-label="${DASHBOARD_WORDS.paid}">${paidCount} / ${linesCount}</progress></section>`
}

/** A line of a report with its number in the whole file. */
export interface NumberedLine extends Line {
  readonly number: number
  /** Masked name of the wallet's holder, where the table shows one. */
  readonly holder?: string | null
  /** The same recipient got the same amount within the last 72 hours. */
  readonly isRecent?: boolean
}

type Line = BatchReport['items'][number]

/** Lines that are only checked have paid nothing, and none has failed. */
type LinesState = 'checked' | 'paid'

export function linesTable(visit: Visit, lines: readonly NumberedLine[], state: LinesState): Html {
  const columns: readonly Column<NumberedLine>[] = [
    { name: WORDS.line, card: 'line', isFigure: true, cell: ({ number }) => number },
    {
      name: DASHBOARD_WORDS.recipient,
      card: 'title',
      cell: (line) => theirs(recipientOf(line)),
    },
    ...(state === 'checked'
      ? [{ name: WORDS.holder, card: 'about', cell: ({ holder = null }: NumberedLine) => theirs(holder) } as const]
      : []),
    {
      name: WORDS.amount,
      card: 'amount',
      isFigure: true,
      cell: ({ amount }) => (amount === null ? theirs(null) : amountText(amount, visit.currency)),
    },
    ...feeColumn(lines, visit.currency),
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
    { name: DASHBOARD_WORDS.result, card: 'state', isProse: true, cell: (line) => result(visit, line, state) },
  ]
  return table(TEXTS.linesBulkPayout, columns, lines, '')
}

function result(visit: Visit, line: NumberedLine, shown: LinesState): Fragment {
  const { payout_id, failure_code, isRecent } = line
  const badges = shown === 'checked' ? checkedBadge(line) : payoutBadge(line)
  const mark = isRecent === true ? html`${badges} ${badge(TEXTS.paidAlready, 'wait')}` : badges
  const linked = payout_id === null ? mark : html`<a href="${visit.to(`payouts/${payout_id}`)}">${mark}</a>`
  return html`${linked}${failure_code !== undefined && html` <span class="soft">${payoutFailureText(failure_code)}</span>`}`
}

/** Returns the recipient as people write it; an invalid one as it was sent. */
function recipientOf({ recipient, failure_code }: Pick<Line, 'recipient' | 'failure_code'>): string {
  return failure_code === 'invalid_recipient' ? recipient : recipientText(recipient)
}

function checkedBadge({ state }: Pick<Line, 'state'>): Html {
  return state === 'paid' ? badge(DASHBOARD_WORDS.pay2, 'wait') : badge(TEXTS.wouldFail, 'bad')
}
