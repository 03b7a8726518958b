// The check of a file of lines before money moves: what was read, what the API's dry run answers, and the forms that pay.

import type { Balance } from '../../../../engine/contract/balance.ts'
import type { BatchReport } from '../../../../engine/contract/batch.ts'
import { BATCH_LINES_MAX } from '../../../../engine/kernel/limits.ts'
import { isPhone } from '../../../../engine/kernel/recipient.ts'
import { isUnreadable, type PaymentFile } from '../../../client/src/payment-file/payment-file.ts'
import { maskedName } from '../../../text/masked-name.ts'
import { countText } from '../../shared/amount-text.ts'
import type { ApiAnswer } from '../../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { BATCH_FILE_LINES_MAX, BATCH_LINES_SHOWN_MAX } from '../shared/dashboard-limits.ts'
import { dateText, facts, heading, money } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { tokenField } from '../shared/shell.ts'
import { TEXTS } from './batch-check-messages.ts'
import { hiddenFields, problemWords, showBatchForm, type TypedFile } from './batch-file-form.ts'
import { linesTable, linesText, type NumberedLine, paidSummary } from './batch-pages.ts'
import {
  carriedText,
  doneParts,
  linesKey,
  linesLeft,
  type PayableLine,
  partsOf,
  payableLines,
  readTyped,
  rowsText,
  sumOf,
} from './batch-parts.ts'
import { batchBody, partLinks, runAddress } from './batch-run.ts'
import { fileRemarks, understood, unreadableLines } from './file-remarks.ts'
import { failureReasons } from './outcomes.ts'

/** Shows the API's dry run of the unpaid lines. It moves no money. `again`: see `linesKey`. */
export async function checkFile(visit: Visit, typed: TypedFile, again: string): Promise<void> {
  const file = await readTyped(visit, typed.lines)
  if (isUnreadable(file)) return showBatchForm(visit, typed, problemWords(file.problem))
  if (file.lines.length > BATCH_FILE_LINES_MAX)
    return showBatchForm(visit, typed, html`${TEXTS.fileHasAtMost(linesText(file.lines.length), countText(BATCH_FILE_LINES_MAX))}`)
  const payable = payableLines(file)
  if (payable.length === 0 && file.lines.length > 0)
    return showBatchForm(visit, typed, unreadableLines(file.lines, DASHBOARD_WORDS.correctTheseLines))
  const key = linesKey(payable, typed.reference, again)
  const done = doneParts(visit, key)
  const left = linesLeft(payable, done)
  if (left.length === 0 && done.length > 0) return showPaidBefore(visit, typed, done)
  const reports: BatchReport[] = []
  // An empty file is one empty batch, which the API rejects with its own message.
  for (let part = 0; part < Math.max(1, partsOf(left)); part++) {
    const body = batchBody(left.slice(part * BATCH_LINES_MAX), typed.reference)
    const answer = await visit.ask<BatchReport>('createBatch', { body, query: { dry_run: 'true' } })
    if (!answer.ok) return showBatchForm(visit, typed, answer.error.message)
    reports.push(answer.body)
  }
  await showCheck(visit, { typed, file, key, done, again, checked: checkedOf(visit, left, reports) })
}

const NOT_READ = html`${TEXTS.theseLinesCannotBeRead}`

/** A line that can be read, with its line of the dry run. */
interface CheckedLine extends NumberedLine {
  readonly payable: PayableLine
  /** Paid to the same recipient with the same amount within the last 72 hours. */
  readonly isRecent: boolean
}

function checkedOf(visit: Visit, left: readonly PayableLine[], reports: readonly BatchReport[]): readonly CheckedLine[] {
  return reports.flatMap(({ items, warnings }, part) => {
    const recent = new Set(warnings.filter(({ code }) => code === 'recently_paid').map(({ index }) => index))
    return items.map((line): CheckedLine => {
      const payable = left[part * BATCH_LINES_MAX + line.index] as PayableLine
      const wallet = line.state === 'paid' ? holderOf(visit, line.recipient) : null
      return {
        ...line,
        number: payable.row,
        payable,
        isRecent: recent.has(line.index),
        holder: wallet === null ? null : maskedName(wallet),
      }
    })
  })
}

/** Asked for recipients alone that the dry run would pay, so that others stay unknown. */
function holderOf({ app, environment }: Visit, recipient: string): Parameters<typeof maskedName>[0] | null {
  return isPhone(recipient)
    ? app.engine.query('wallets.byPhone', { phone: recipient })
    : app.engine.query('wallets.byTag', { environment, tag: recipient })
}

interface CheckedFile {
  readonly typed: TypedFile
  readonly file: PaymentFile
  /** Of all lines that can be read. */
  readonly key: string
  readonly done: readonly BatchReport[]
  readonly again: string
  /** The lines that no batch of the key has paid. */
  readonly checked: readonly CheckedLine[]
}

async function showCheck(visit: Visit, check: CheckedFile): Promise<void> {
  const { typed, file, key, done, checked } = check
  const balance = await visit.ask<Balance>('getBalance')
  const payable = payableLines(file)
  const reasons = failureReasons(checked)
  const body = html`${heading(TEXTS.checkBulkPayout)}
${done.length > 0 && alreadyPaid(visit, key, done, partsOf(payable))}
${summary(check, payable, balance)}
${unreadableLines(file.lines, NOT_READ)}
${reasons !== null && html`<section class="reasons" role="status"><p>${TEXTS.theseLinesWouldFail}</p>${reasons}</section>`}
${fileRemarks(
  file,
  checked.map((line) => line.payable),
)}
${payForms(visit, check)}
<div class="actions"><form class="form" method="post" action="${visit.to('batches/edit')}" enctype="multipart/form-data">${tokenField(visit)}${hiddenFields({ lines: typed.lines, reference: typed.reference })}<button class="quiet" type="submit">${TEXTS.correctLines}</button></form></div>
${checkedLines(visit, checked)}`
  visit.show({ title: TEXTS.checkBulkPayout, place: 'batches', body })
}

/** Renders what was understood, the balance and what will be left, or that it does not cover the sum. Each dry run checks its batch alone. */
function summary({ file, checked }: CheckedFile, payable: readonly PayableLine[], balance: ApiAnswer<Balance>): Html {
  const { count, amount } = paidSum(checked)
  const available = balance.ok ? balance.body.available : null
  const left = available === null ? null : available - amount
  return html`${facts([
    [DASHBOARD_WORDS.pay2, html`${TEXTS.of(money(amount), linesText(count), countText(checked.length))}`],
    [DASHBOARD_WORDS.availableBalance, available !== null && money(available)],
    [WORDS.balanceAfter, left !== null && left >= 0 && money(left)],
    ...understood(file, payable),
  ])}
${available !== null && amount > available && html`<p class="error" role="alert">${TEXTS.availableBalanceNotEnoughFor(money(available))}</p>`}`
}

interface PaidSum {
  readonly count: number
  readonly amount: number
}

function paidSum(lines: readonly CheckedLine[]): PaidSum {
  const paid = lines.filter(({ state }) => state === 'paid')
  return { count: paid.length, amount: paid.reduce((sum, { amount }) => sum + (amount ?? 0), 0) }
}

/** A file that goes on after its first batches is one run: its lines are known by their keys, and all that are left are paid. */
function payForms(visit: Visit, check: CheckedFile): Fragment {
  const { checked, done } = check
  const recent = checked.filter(({ isRecent }) => isRecent)
  const others = checked.filter(({ isRecent }) => !isRecent)
  const all = paidSum(checked)
  if (recent.length === 0 || done.length > 0)
    return payForm(visit, check, checked, html`${TEXTS.pay(linesText(all.count), money(all.amount))}`)
  const rest = paidSum(others)
  return html`<div class="notice" role="status"><p>${TEXTS.withinLast72HoursSame(recent.length > 1 ? html`${TEXTS.werePaidAlready(linesText(recent.length))}` : TEXTS.oneLineWasPaidAlready)}</p></div>
${rest.count > 0 && payForm(visit, check, others, html`${TEXTS.payOnly(linesText(rest.count), money(rest.amount))}`)}
${payForm(visit, check, checked, html`${TEXTS.payEverythingAlsoWhatWas(linesText(all.count), money(all.amount))}`, 'quiet')}`
}

/** Renders the form that pays the lines. Lines of which none would be paid have no button. */
function payForm(
  visit: Visit,
  { typed, key: fileKey, done, again, checked }: CheckedFile,
  lines: readonly CheckedLine[],
  words: Fragment,
  look?: 'quiet',
): Html {
  const paid = lines.map(({ payable }) => payable)
  const key = lines.length === checked.length ? fileKey : linesKey(paid, typed.reference, again)
  const part = key === fileKey ? done.length : 0
  const count = sumOf(done).linesCount + paid.length
  const rows = part === 0 ? rowsText(paid.map(({ row }) => row)) : ''
  const fields = {
    key,
    part: String(part),
    parts: String(part + partsOf(paid)),
    count: String(count),
    rows,
    reference: typed.reference,
    lines: carriedText(paid),
  }
  return html`<div class="actions"><form class="form" method="post" action="${visit.to('batches')}" enctype="multipart/form-data">${tokenField(visit)}${hiddenFields(fields)}
${paidSum(lines).count > 0 && html`<button${look === 'quiet' && html` class="quiet"`} type="submit">${words}</button>`}</form></div>`
}

function checkedLines(visit: Visit, lines: readonly CheckedLine[]): Html {
  const failing = lines.filter(({ state }) => state === 'failed')
  const shown = lines.length <= BATCH_LINES_SHOWN_MAX ? lines : failing.slice(0, BATCH_LINES_SHOWN_MAX)
  const notice = TEXTS.onlyLinesWouldFailShown(countText(shown.length), countText(failing.length))
  return html`${shown.length < lines.length && html`<p class="hint">${notice}</p>`}${shown.length > 0 && linesTable(visit, shown, 'checked')}`
}

function alreadyPaid(visit: Visit, key: string, done: readonly BatchReport[], partsCount: number): Html {
  const { linesCount } = sumOf(done)
  return html`<p class="notice">${TEXTS.fileProcessedAlreadyOnlyOthers(linesText(linesCount), visit.to(runAddress(key, partsCount, '')))}</p>`
}

function showPaidBefore(visit: Visit, typed: TypedFile, done: readonly BatchReport[]): void {
  const body = html`${heading(TEXTS.fileAlreadyProcessed)}
<p>${TEXTS.sameLinesWithSameReference(dateText(done[0]?.created_at ?? null))}</p>
${paidSummary(sumOf(done))}
${partLinks(visit, done, [])}
<form class="form" method="post" action="${visit.to('batches/again')}" enctype="multipart/form-data">${tokenField(visit)}${hiddenFields({ lines: typed.lines, reference: typed.reference })}
<div class="buttons"><button class="quiet" type="submit">${TEXTS.anotherBulkPayoutCheckAgain}</button></div></form>`
  visit.show({ title: TEXTS.fileAlreadyProcessed, place: 'batches', body })
}
