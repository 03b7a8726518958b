// The check of a disbursement before money moves. It is made of the lines and stays `ready`: every line is judged by the API, nothing is
// paid. The page shows what was read and what was judged, and the forms that start it. The idempotency key comes from the lines: the same
// lines sent again lead to what became of them.

import { hash } from 'node:crypto'
import type { Balance } from '../../../../engine/contract/balance.ts'
import { DISBURSEMENT_LINES_MAX, type Disbursement } from '../../../../engine/contract/disbursement.ts'
import { isUnreadable, type PaymentFile, type PaymentLine } from '../../../client/src/payment-file/payment-file.ts'
import { fairWork } from '../../../server/fair-work.ts'
import { errorText } from '../../../text/error-text.ts'
import type { Text } from '../../../text/text.ts'
import { amountText, countText } from '../../shared/amount-text.ts'
import type { ApiAnswer, ApiRequest } from '../../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { actionButton, dateText, facts, heading, money } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { feeChecked } from '../shared/fee-facts.ts'
import { tokenField } from '../shared/shell.ts'
import { amountOf } from '../shared/typed-text.ts'
import { linesText } from './batch-pages.ts'
import { TEXTS } from './disbursement-check-messages.ts'
import { type DisbursementForm, showDisbursementForm } from './disbursement-form.ts'
import { CHECKED_LINES_SHOWN_MAX, disbursementLinesTable, type LinesSeen, readLines, rowOf, seeLines } from './disbursement-lines.ts'
import { fileRemarks, understood, unreadableLines } from './file-remarks.ts'
import { failureReasons } from './outcomes.ts'
import { hiddenFields, problemWords } from './payment-file-form.ts'
import { batchItem, payableLines, readTyped, STEP_COST } from './payment-lines.ts'

/** Longest text of lines that the form shows again: a longer file is corrected where it was written. */
const CORRECTED_TEXT_MAX = 512 * 1024

/** `again` distinguishes lines from earlier ones that are the same. It is empty unless the author confirmed that. */
export async function checkNew(visit: Visit, form: DisbursementForm, again: string): Promise<void> {
  if (form.group !== '' && form.lines.trim() === '') return checkGroup(visit, form, again)
  const file = await readTyped(visit, form.lines)
  if (isUnreadable(file)) return showDisbursementForm(visit, form, problemWords(file.problem))
  const { lines } = file
  if (lines.length === 0) return showDisbursementForm(visit, form, errorText({ code: 'items_required', param: 'items' }))
  if (lines.length > DISBURSEMENT_LINES_MAX)
    return showDisbursementForm(visit, form, html`${TEXTS.fileHasAtMost(linesText(lines.length), countText(DISBURSEMENT_LINES_MAX))}`)
  if (payableLines(file).length === 0) return showDisbursementForm(visit, form, unreadableLines(lines, DASHBOARD_WORDS.correctTheseLines))
  const bytes = await fairWork.run(visit.principal.account, STEP_COST, linesAsJson(lines))
  const query = form.reference === '' ? {} : { reference: form.reference }
  const key = keyOf([hash('sha256', bytes, 'hex'), form.reference, again])
  await made(visit, { form, file, key, request: { file: { type: 'application/x-ndjson', bytes }, query } })
}

/** A group that has changed since is another disbursement: its contacts are part of the key. */
async function checkGroup(visit: Visit, form: DisbursementForm, again: string): Promise<void> {
  const { group, reference } = form
  const amount = form.amount === '' ? undefined : amountOf(form.amount, visit.currency)
  const contacts = visit.app.engine.query('contacts.ofGroup', { account: visit.principal.account, group })
  const state = hash('sha256', contacts.map(({ id, updated_at }) => `${id} ${updated_at}`).join('\n'), 'hex')
  const key = keyOf([state, group, String(amount ?? ''), reference, again])
  const body = { group, ...(amount === undefined ? {} : { amount }), ...(reference === '' ? {} : { reference }) }
  await made(visit, { form, file: null, key, request: { body } })
}

function keyOf(parts: readonly string[]): string {
  return `lot-${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 40)}`
}

const LINES_PER_STEP = 1000

/**
 * A line that cannot be read is sent as it was typed: its amount is a text, so it is an invalid line and has its place in the report.
 * Each stands in its row of the spreadsheet, which the report names.
 */
function* linesAsJson(lines: readonly PaymentLine[]): Generator<undefined, Buffer> {
  const rows = new JsonRows()
  for (const [index, line] of lines.entries()) {
    const { row, recipient, amount, reference, note, problem, typed } = line
    rows.add(row, problem === null && amount !== null ? batchItem({ recipient, amount, reference, note }) : { ...typed, reference, note })
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield
  }
  return rows.bytes()
}

/** Lines of JSON, each in its row. Those without a line are empty. */
class JsonRows {
  readonly #texts: string[] = []
  /** Row of the last line. */
  #row = 1

  /** `row` is below that of the line before. */
  add(row: number, item: object): void {
    this.#texts.push('\n'.repeat(row - this.#row), JSON.stringify(item))
    this.#row = row
  }

  bytes(): Buffer {
    return Buffer.from(this.#texts.join(''))
  }
}

interface Made {
  readonly form: DisbursementForm
  /** Null for a group. */
  readonly file: PaymentFile | null
  readonly key: string
  readonly request: Omit<ApiRequest, 'operationId' | 'as' | 'from' | 'idempotencyKey'>
}

/** A check that was made less than so long ago is shown again: a form sent twice makes one. */
const SAME_CHECK_MS = 60_000
/** Maximum number of abandoned checks of the same lines that are passed over. */
const CHECKS_OF_LINES_MAX = 50

async function made(visit: Visit, { form, file, key, request }: Made): Promise<void> {
  for (let number = 0; number < CHECKS_OF_LINES_MAX; number++) {
    const idempotencyKey = number === 0 ? key : `${key}-${number}`
    const answer = await visit.ask<Disbursement>('createDisbursement', { ...request, idempotencyKey })
    if (!answer.ok) return showDisbursementForm(visit, form, answer.error.message)
    const record = answer.replayed ? await now(visit, answer.body) : answer.body
    if (record.state === 'ready' && !isOld(visit, record)) return showCheck(visit, { form, file, record })
    // A check is as old as its making: wallets and balances have changed since.
    if (record.state === 'ready') await visit.ask('cancelDisbursement', { params: [record.id] })
    else if (!isAbandoned(record)) return showSentBefore(visit, form, record)
  }
  showDisbursementForm(visit, form, errorText({ code: 'invalid_disbursement_state' }))
}

async function now(visit: Visit, { id, ...made }: Disbursement): Promise<Disbursement> {
  const answer = await visit.ask<Disbursement>('getDisbursement', { params: [id] })
  return answer.ok ? answer.body : { id, ...made }
}

function isOld({ app }: Visit, { created_at }: Disbursement): boolean {
  return app.engine.query('engine.time', null) - Date.parse(created_at) > SAME_CHECK_MS
}

/** It was never started, so it has paid nothing. */
function isAbandoned({ state, started_at }: Disbursement): boolean {
  return state === 'cancelled' && started_at === null
}

interface Check {
  readonly form: DisbursementForm
  readonly file: PaymentFile | null
  readonly record: Disbursement
}

async function showCheck(visit: Visit, { form, file, record }: Check): Promise<void> {
  const [seen, balance] = await Promise.all([seeLines(visit, record.id), visit.ask<Balance>('getBalance')])
  const payable = file === null ? [] : payableLines(file)
  const reasons = failureReasons(seen.invalid)
  const body = html`${heading(TEXTS.checkBulkPayout)}
${checkedSum(record, balance, seen.feeAmount, file === null ? [] : understood(file, payable, visit.currency))}
${file !== null && unreadableLines(file.lines, html`${TEXTS.theseLinesCannotBeRead}`)}
${reasons !== null && html`<section class="reasons" role="status"><p>${TEXTS.theseLinesAreNotPaid}</p>${reasons}</section>`}
${file !== null && fileRemarks(file, payable, visit.currency)}
${startForms(visit, record, seen)}
<div class="actions">${correctForm(visit, form, record)}${actionButton(visit, visit.to(`disbursements/${record.id}/cancel`), TEXTS.abandon)}</div>
${checkedLines(visit, record, seen)}`
  visit.show({ title: TEXTS.checkBulkPayout, place: 'disbursements', body })
}

/** Renders the sum, the balance and what will be left, or that it does not cover the sum. */
export function checkedSum(record: Disbursement, balance: ApiAnswer<Balance>, feeAmount: number, more: Parameters<typeof facts>[0]): Html {
  const { valid_amount, valid_count, total_count, currency } = record
  const available = balance.ok ? balance.body.available : null
  const left = available === null ? null : available - valid_amount - feeAmount
  return html`${facts([
    [DASHBOARD_WORDS.pay2, html`${TEXTS.of(money(valid_amount, currency), linesText(valid_count), countText(total_count))}`],
    ...feeChecked(valid_amount, feeAmount, currency),
    [DASHBOARD_WORDS.availableBalance, available !== null && money(available, currency)],
    [WORDS.balanceAfter, left !== null && left >= 0 && money(left, currency)],
    ...more,
  ])}
${left !== null && left < 0 && html`<p class="error" role="alert">${TEXTS.availableBalanceNotEnoughFor(money(available ?? 0, currency))}</p>`}`
}

/** Renders the forms that start it: of all lines, and of those alone that were not paid within 72 hours. */
export function startForms(visit: Visit, record: Disbursement, seen: Pick<LinesSeen, 'recentCount' | 'recentAmount'>): Fragment {
  const { id, valid_count, valid_amount, currency } = record
  const { recentCount, recentAmount } = seen
  if (valid_count === 0) return null
  const above = visit.app.engine.query('payoutPolicies.get', { account: visit.principal.account }).approval_above
  const isApproved = above !== null && valid_amount > above
  const here = visit.to(`disbursements/${id}`)
  const count = linesText(valid_count)
  const note = isApproved && html`<p class="notice" role="status">${TEXTS.needsApproval(money(above, currency))}</p>`
  const pay = isApproved ? TEXTS.sendForApproval : TEXTS.pay
  const start = (words: Text, look: 'strong' | 'quiet'): Html => actionButton(visit, `${here}/start`, words, look)
  if (recentCount === 0) return html`${note}<div class="actions">${start(pay(count, amountText(valid_amount, currency)), 'strong')}</div>`
  const [restCount, restAmount] = [valid_count - recentCount, valid_amount - recentAmount]
  const paidWords = recentCount > 1 ? TEXTS.werePaidAlready(linesText(recentCount)) : TEXTS.oneLineWasPaidAlready
  return html`${note}<div class="notice" role="status"><p>${TEXTS.withinLast72HoursSame(paidWords)}</p></div>
<div class="actions">${restCount > 0 && actionButton(visit, `${here}/without-recent`, TEXTS.only(linesText(restCount), amountText(restAmount, currency)), 'strong')}
${start(TEXTS.payEverythingAlsoWhatWas(count, amountText(valid_amount, currency)), 'quiet')}</div>`
}

function correctForm(visit: Visit, { lines, reference, group, amount }: DisbursementForm, { id }: Disbursement): Fragment {
  if (lines.length > CORRECTED_TEXT_MAX) return html`<p class="hint">${TEXTS.correctYourFile}</p>`
  return html`<form class="form" method="post" action="${visit.to('disbursements/edit')}" enctype="multipart/form-data">${tokenField(visit)}${hiddenFields({ lines, reference, group, amount, draft: id })}<button class="quiet" type="submit">${TEXTS.correctLines}</button></form>`
}

/** The lines have the rows of the spreadsheet. */
function checkedLines(visit: Visit, record: Disbursement, { first, firstInvalid }: LinesSeen): Html {
  const isWhole = record.total_count <= CHECKED_LINES_SHOWN_MAX
  const shown = isWhole ? first : firstInvalid
  const notice = TEXTS.onlyLinesNotPaidShown(countText(shown.length), countText(record.invalid_count))
  const rows = shown.map((line) => ({ ...line, holder: null, number: rowOf(line) }))
  return html`${!isWhole && html`<p class="hint">${notice}</p>`}${rows.length > 0 && disbursementLinesTable(visit, rows)}`
}

function showSentBefore(visit: Visit, form: DisbursementForm, { id, created_at }: Disbursement): void {
  const { lines, reference, group, amount } = form
  const isCarried = lines.length <= CORRECTED_TEXT_MAX
  const again = html`<form class="form" method="post" action="${visit.to('disbursements/again')}" enctype="multipart/form-data">${tokenField(visit)}${hiddenFields({ lines, reference, group, amount })}
<div class="buttons"><button class="quiet" type="submit">${TEXTS.anotherBulkPayoutCheckAgain}</button></div></form>`
  const body = html`${heading(TEXTS.fileAlreadyProcessed)}
<p>${TEXTS.sameLinesWithSameReference(dateText(created_at))}</p>
<div class="actions"><a class="button" href="${visit.to(`disbursements/${id}`)}">${TEXTS.seeIt}</a></div>
${isCarried ? again : html`<p class="hint">${TEXTS.otherReference}</p>`}`
  visit.show({ title: TEXTS.fileAlreadyProcessed, place: 'disbursements', body })
}

/** Makes another disbursement of the lines that were not paid within 72 hours, and cancels this one. It is made once. */
export async function leaveRecentOut(visit: Visit, again: (words: Text) => Promise<void>): Promise<void> {
  const [id = ''] = visit.params
  const record = await visit.ask<Disbursement>('getDisbursement', { params: [id] })
  if (!record.ok) return visit.missing()
  // Sent a second time, the form leads to the same one.
  if (record.body.state !== 'ready' && !isAbandoned(record.body)) return again(errorText({ code: 'invalid_disbursement_state' }))
  const rows = new JsonRows()
  await readLines(visit, id, (line) => {
    const { state, warnings, recipient, amount, reference, note } = line
    if (state !== 'invalid' && !warnings.includes('recently_paid'))
      rows.add(rowOf(line), batchItem({ recipient, amount: amount ?? 0, reference, note }))
  })
  const { reference } = record.body
  const answer = await visit.ask<Disbursement>('createDisbursement', {
    file: { type: 'application/x-ndjson', bytes: rows.bytes() },
    query: reference === '' ? {} : { reference },
    idempotencyKey: `lot-${id}-reste`,
  })
  if (!answer.ok) return again(answer.error.message)
  if (record.body.state === 'ready') await visit.ask('cancelDisbursement', { params: [id] })
  visit.goTo(`disbursements/${answer.body.id}`)
}
