// Payment of checked lines in batches of 500: each form pays the next batch, and the end leads to the report.

import type { BatchReport } from '../../../../engine/contract/batch.ts'
import { BATCH_LINES_MAX } from '../../../../engine/kernel/limits.ts'
import { paymentFileText } from '../../../client/src/payment-file/payment-file-text.ts'
import { countText } from '../../shared/amount-text.ts'
import { type Html, html } from '../../shared/html.ts'
import { BATCH_FILE_LINES_MAX } from '../shared/dashboard-limits.ts'
import { heading, money } from '../shared/dashboard-parts.ts'
import type { Sent, Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { tokenField } from '../shared/shell.ts'
import { filled } from '../shared/typed-text.ts'
import { hiddenFields, showBatchForm, type TypedFile } from './batch-file-form.ts'
import { linesText, paidSummary } from './batch-pages.ts'
import {
  batchItem,
  carriedLines,
  carriedText,
  doneParts,
  isFileKey,
  PARTS_MAX,
  type PayableLine,
  partKey,
  ROWS_TEXT_LENGTH_MAX,
  rowsOfText,
  rowsText,
  sumOf,
} from './batch-parts.ts'
import { TEXTS } from './batch-run-messages.ts'
import { failureReasons, linesOutcome } from './outcomes.ts'

/** `lines`: those that are left, as `carriedText` writes them. `rows`: rows of the spreadsheet of all lines of the run, in their order. */
export const RUN_FIELDS = ['lines', 'reference', 'part', 'parts', 'count', 'rows'] as const

export type SentRun = Sent<(typeof RUN_FIELDS)[number] | 'key'>

/** Pays the next batch. `check` shows the check of lines whose form was changed on its way. */
export async function payPart(visit: Visit, sent: SentRun, check: (typed: TypedFile) => Promise<void> | void): Promise<void> {
  const { key, reference, rows } = sent
  const [part, partsCount] = [numberOf(sent.part, PARTS_MAX - 1), numberOf(sent.parts, PARTS_MAX)]
  const left = carriedLines(sent.lines)
  const typed = { lines: typedText(left ?? []), reference }
  if (!isFileKey(key) || part === null || partsCount === null || left === null) return check(typed)
  const answer = await visit.ask<BatchReport>('createBatch', { body: batchBody(left, reference), idempotencyKey: partKey(key, part) })
  if (!answer.ok) return showBatchForm(visit, typed, answer.error.message)
  const rest = left.slice(BATCH_LINES_MAX)
  if (rest.length > 0 && part + 1 < PARTS_MAX) {
    const count = Math.max(numberOf(sent.count, BATCH_FILE_LINES_MAX) ?? 0, part * BATCH_LINES_MAX + left.length)
    return showNext(visit, { ...sent, part: String(part + 1), count: String(count), lines: carriedText(rest) }, rest.length)
  }
  if (part === 0) visit.goTo(`batches/${answer.body.id}?rows=${rowsInAddress(rowsOfText(rows))}`, 'batch_done')
  else visit.goTo(runAddress(key, partsCount, rows), 'batches_done')
}

/** Returns the body of the next batch. */
export function batchBody(left: readonly PayableLine[], reference: string): object {
  return filled({ items: left.slice(0, BATCH_LINES_MAX).map(batchItem), reference })
}

function typedText(lines: readonly PayableLine[]): string {
  return paymentFileText(
    lines.map((line) => ({ ...line, amount: String(line.amount) })),
    'fr',
  )
}

function rowsInAddress(rows: readonly number[]): string {
  const text = rowsText(rows)
  return text.length > ROWS_TEXT_LENGTH_MAX ? '' : text
}

export function runAddress(key: string, partsCount: number, rows: string): string {
  return `batches/runs/${key}?parts=${partsCount}${rows === '' || rows.length > ROWS_TEXT_LENGTH_MAX ? '' : `&rows=${rows}`}`
}

function numberOf(text: string, max: number): number | null {
  return /^\d{1,4}$/.test(text) && Number(text) <= max ? Number(text) : null
}

/** Shows the page between two batches: what is paid, and the button for the next batch. A script presses it. */
function showNext(visit: Visit, { key, lines, reference, part, parts, count, rows }: SentRun, leftCount: number): void {
  const sum = sumOf(doneParts(visit, key))
  const body = html`${heading(TEXTS.payoutInProgress)}
<section class="card" data-run><p role="status">${TEXTS.processedPaidFailed(linesText(sum.linesCount), countText(Number(count)), money(sum.paidAmount), linesText(sum.failedCount))}</p>
<progress max="${count}" value="${sum.linesCount}" aria-label="${TEXTS.processedLines}">${sum.linesCount} / ${count}</progress>
<form class="form" method="post" action="${visit.to('batches')}" enctype="multipart/form-data" data-continue>${tokenField(visit)}${hiddenFields({ key, part, parts, count, rows, reference, lines })}
<button type="submit">${TEXTS.continueLeft(linesText(leftCount))}</button></form>
<p class="hint">${TEXTS.whatPaidStaysPaidIf}</p></section>`
  visit.show({ title: TEXTS.payoutInProgress, place: 'batches', body })
}

export function showRun(visit: Visit): void {
  const [key = ''] = visit.params
  const done = isFileKey(key) ? doneParts(visit, key) : []
  if (done.length === 0) return visit.missing()
  const sum = sumOf(done)
  const partsCount = Math.max(done.length, numberOf(visit.query.get('parts') ?? '', PARTS_MAX) ?? 0)
  const isWhole = done.length === partsCount
  const reasons = failureReasons(done.flatMap(({ items }) => items))
  const body = html`${heading(isWhole ? TEXTS.filePaid : TEXTS.filePartlyPaid)}
${!isWhole && html`<p class="error">${TEXTS.partsProcessedSendSameFile(done.length, partsCount)}</p>`}
${paidSummary(sum)}
${reasons !== null && html`<section class="reasons"><p>${DASHBOARD_WORDS.failedLinesAndWhatDo}</p>${reasons}</section>`}
${partLinks(visit, done, rowsOfText(visit.query.get('rows') ?? ''))}
<div class="actions"><a class="button quiet" href="${visit.to('batches')}">${TEXTS.allBulkPayouts}</a></div>`
  visit.show({ title: TEXTS.filePaid, place: 'batches', outcome: linesOutcome(sum), body })
}

/** Links to the reports. `rows` of all lines, so that the lines of a report have the numbers of the check. */
export function partLinks(visit: Visit, done: readonly BatchReport[], rows: readonly number[]): Html {
  const link = ({ id, paid_count, total_count }: BatchReport, part: number): Html => {
    const own = rowsInAddress(rows.slice(part * BATCH_LINES_MAX, part * BATCH_LINES_MAX + total_count))
    const address = visit.to(`batches/${id}${own === '' ? '' : `?rows=${own}`}`)
    return html`<li>${TEXTS.part(address, part + 1, countText(paid_count), linesText(total_count))}</li>`
  }
  return html`<ul>${done.map(link)}</ul>`
}
