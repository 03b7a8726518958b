// The page of one disbursement: its state and progress, what a reader may do, its lines.

import type { Balance } from '../../../../engine/contract/balance.ts'
import { DISBURSEMENT_LINE_STATES, type Disbursement, type DisbursementLine } from '../../../../engine/contract/disbursement.ts'
import type { Text } from '../../../text/text.ts'
import { amountText, countText } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import {
  actionButton,
  areaField,
  badge,
  confirmedAction,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  live,
  money,
  theirs,
} from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { hasFees } from '../shared/fee-facts.ts'
import { makerName } from '../shared/record-parts.ts'
import type { RowPage } from '../shared/row-reader.ts'
import { linesText } from './batch-pages.ts'
import { checkedSum, startForms } from './disbursement-check.ts'
import { disbursementLinesTable, LINE_STATES, rowOf, seeLines } from './disbursement-lines.ts'
import { DISBURSEMENT_STATE_WORDS } from './disbursement-list.ts'
import { TEXTS } from './disbursement-pages-messages.ts'
import { failureReasons } from './outcomes.ts'

const LINES_PER_PAGE = 50
/** Each looks at 4 000 lines. */
const ANSWERS_MAX = 25

export async function showDisbursement(visit: Visit, error: Pick<ApiError, 'message'> | null): Promise<void> {
  const answer = await visit.ask<Disbursement>('getDisbursement', { params: visit.params.slice(0, 1) })
  if (!answer.ok) return visit.missing()
  const record = answer.body
  const wanted = DISBURSEMENT_LINE_STATES.find((state) => state === visit.query.get('state'))
  const page = await linesFrom(visit, record, wanted === undefined ? {} : { state: wanted }, visit.query.get('cursor'))
  const body = html`${live('title', heading(DASHBOARD_WORDS.bulkPayout, badge(...DISBURSEMENT_STATE_WORDS[record.state])))}
${failure(error)}
${live('state', await stateOf(visit, record))}
${live('moves', html`${await decisions(visit, record)}${actions(visit, record)}`)}
${facts([
  [WORDS.reference, theirs(record.reference)],
  [WORDS.fee, record.fee_amount > 0 && money(record.fee_amount, record.currency)],
  [WORDS.date, dateText(record.created_at)],
  [TEXTS.createdBy, makerName(record.created_by)],
  [TEXTS.startedAt, record.started_at !== null && dateText(record.started_at)],
  [DASHBOARD_WORDS.endedOn, record.completed_at !== null && dateText(record.completed_at)],
  [TEXTS.retryOf, record.retry_of !== null && html`<a href="${visit.to(`disbursements/${record.retry_of}`)}">${record.retry_of}</a>`],
  [WORDS.identifier, theirs(record.id)],
])}
<section><h2>${DASHBOARD_WORDS.lines}</h2>
${live(
  'lines',
  html`${stateLinks(visit, record, wanted)}${reasonsOf(page.data)}${disbursementLinesTable(
    visit,
    page.data.map((line) => ({ ...line, number: rowOf(line) })),
  )}${pager(visit, record, wanted ?? '', page.next_cursor)}`,
)}</section>`
  visit.show(
    { title: DASHBOARD_WORDS.bulkPayout, place: 'disbursements', live: ['disbursement.', 'balance.'], body },
    error === null ? 200 : 409,
  )
}

/** Returns a full page, where there are so many lines: one answer of a rare state may have few of them, or none. */
async function linesFrom(visit: Visit, { id }: Disbursement, query: { readonly state?: string }, from: string | null): Promise<LinesPage> {
  const data: DisbursementLine[] = []
  let cursor = from
  for (let answers = 0; answers < ANSWERS_MAX && data.length < LINES_PER_PAGE; answers++) {
    const answer: Awaited<ReturnType<typeof visit.ask<LinesPage>>> = await visit.ask<LinesPage>('listDisbursementLines', {
      params: [id],
      query: { limit: String(LINES_PER_PAGE - data.length), ...query, ...(cursor === null ? {} : { cursor }) },
    })
    if (!answer.ok) break
    data.push(...answer.body.data)
    cursor = answer.body.next_cursor
    if (cursor === null) break
  }
  return { data, next_cursor: cursor }
}

type LinesPage = RowPage<DisbursementLine>

async function stateOf(visit: Visit, record: Disbursement): Promise<Fragment> {
  const { state, invalid_count } = record
  if (state !== 'ready' && state !== 'awaiting_approval') return html`${progress(record)}${reasonOfState(visit, record)}`
  const balance = await visit.ask<Balance>('getBalance')
  return html`${state === 'ready' && html`<p class="hint">${TEXTS.oldCheck}</p>`}${checkedSum(record, balance, await feesAhead(visit, record), [])}
${invalid_count > 0 && html`<p>${TEXTS.invalid(linesText(invalid_count))}</p>`}`
}

/** What its lines would cost by the rules as they are now. They are read where there are fees alone. */
async function feesAhead(visit: Visit, { id }: Disbursement): Promise<number> {
  return hasFees(visit) ? (await seeLines(visit, id)).feeAmount : 0
}

/** A region of its own: it does not change while amounts do, so what is typed in it stays. */
async function decisions(visit: Visit, record: Disbursement): Promise<Fragment> {
  if (record.state === 'awaiting_approval') return approval(visit, record)
  if (record.state !== 'ready') return null
  return startForms(visit, record, record.warnings_count === 0 ? NOTHING_RECENT : await seeLines(visit, record.id))
}

const NOTHING_RECENT = { recentCount: 0, recentAmount: 0 }

function progress(record: Disbursement): Html {
  const { currency, paid_amount, paid_count, failed_amount, failed_count, invalid_count, waiting_count, valid_count } = record
  const done = paid_count + failed_count
  return html`<section class="card"><p>${TEXTS.paid(money(paid_amount, currency), linesText(paid_count), countText(valid_count))}</p>
${failed_count > 0 && html`<p>${TEXTS.failed(money(failed_amount, currency), linesText(failed_count))}</p>`}
${invalid_count > 0 && html`<p>${TEXTS.invalid(linesText(invalid_count))}</p>`}
${waiting_count > 0 && html`<p>${TEXTS.waiting(linesText(waiting_count))}</p>`}
<progress max="${Math.max(1, valid_count)}" value="${done}" aria-label="${TEXTS.processedLines}">${done} / ${valid_count}</progress></section>`
}

function reasonOfState(visit: Visit, { state, pause_reason, approval }: Disbursement): Fragment {
  if (state === 'rejected' && approval !== null)
    return html`<div class="error"><p>${TEXTS.rejectedBy(theirs(approval.by?.name ?? null), dateText(approval.at))}</p><p>${theirs(approval.reason)}</p></div>`
  const approved =
    approval?.state === 'approved' && html`<p>${TEXTS.approvedBy(theirs(approval.by?.name ?? null), dateText(approval.at))}</p>`
  return html`${approved}${state === 'paused' && html`<p class="notice" role="status">${pauseWords(visit, pause_reason)}</p>`}`
}

function pauseWords(visit: Visit, reason: Disbursement['pause_reason']): Text | Html {
  if (reason === 'insufficient_balance') return TEXTS.pausedByBalance(visit.to('top-ups/new'))
  return reason === 'recipient_checks' ? TEXTS.pausedByChecks : TEXTS.pausedByRequest
}

/** What the second person reads and sends. Its maker sees that another person decides. */
function approval(visit: Visit, { id, created_by, valid_amount }: Disbursement): Html {
  const here = visit.to(`disbursements/${id}`)
  const { account, caller } = visit.principal
  const isMaker = visit.app.engine.query('disbursements.maker', { account, id }) === caller.id
  const asked = html`<p class="notice" role="status">${TEXTS.askedBy(makerName(created_by))} ${TEXTS.secondPerson}</p>`
  if (isMaker || !visit.may('approveDisbursement')) return asked
  return html`${asked}
<div class="actions">${actionButton(visit, `${here}/approve`, TEXTS.approveAndPay(amountText(valid_amount, visit.currency)), 'strong')}</div>
<details class="confirm"><summary class="button quiet">${TEXTS.reject}</summary>
<form class="form card" method="post" action="${here}/reject">${formStart(visit)}
${areaField({ name: 'reason', label: TEXTS.reason, value: '', rows: 2 })}
<button class="danger" type="submit">${TEXTS.reject}</button></form></details>`
}

const OPEN: readonly Disbursement['state'][] = ['ready', 'awaiting_approval', 'scheduled', 'running', 'paused']

function actions(visit: Visit, record: Disbursement): Html {
  const { id, state, failed_count, invalid_count, paid_count } = record
  const here = visit.to(`disbursements/${id}`)
  const isOver = state === 'completed' || state === 'cancelled'
  const link = (address: string, words: Text): Html => html`<a class="button quiet" href="${address}">${words}</a>`
  return html`<div class="actions">
${state === 'running' && html`${link(here, TEXTS.refresh)}${actionButton(visit, `${here}/pause`, TEXTS.pause)}`}
${state === 'paused' && actionButton(visit, `${here}/resume`, TEXTS.resume, 'strong')}
${isOver && failed_count > 0 && actionButton(visit, `${here}/retry`, TEXTS.retry, 'strong')}
${isOver && failed_count + invalid_count > 0 && actionButton(visit, `${here}/correct`, TEXTS.correct)}
${isOver && paid_count > 0 && visit.may('createSchedule') && link(`${here}/repeat`, TEXTS.everyMonth)}
<a class="button quiet" href="${here}/lines.csv" download>${TEXTS.resultFile}</a>
${OPEN.includes(state) && confirmedAction(visit, `${here}/cancel`, { ask: DASHBOARD_WORDS.cancel, warn: TEXTS.cancelWarning, go: TEXTS.cancelBulkPayout })}
</div>`
}

/** Links to the lines of each state that some line is in. */
function stateLinks(visit: Visit, record: Disbursement, wanted: DisbursementLine['state'] | undefined): Html {
  const { paid_count, failed_count, invalid_count, waiting_count, total_count } = record
  const counts = [
    ['', total_count],
    ['paid', paid_count],
    ['failed', failed_count],
    ['invalid', invalid_count],
    ['waiting', waiting_count],
  ] as const
  const link = ([state, count]: (typeof counts)[number]): Html =>
    html`<a href="${visit.to(`disbursements/${record.id}${state === '' ? '' : `?state=${state}`}`)}"${(wanted ?? '') === state && html` aria-current="true"`}>${state === '' ? TEXTS.allLines : LINE_STATES[state][0]} (${countText(count)})</a> `
  return html`<p class="pager">${counts.filter(([, count]) => count > 0).map(link)}</p>`
}

/** The reasons of the lines that are shown. */
function reasonsOf(lines: readonly DisbursementLine[]): Fragment {
  const reasons = failureReasons(lines)
  return reasons !== null && html`<section class="reasons"><p>${DASHBOARD_WORDS.failedLinesAndWhatDo}</p>${reasons}</section>`
}

function pager(visit: Visit, { id }: Disbursement, state: string, next: string | null): Fragment {
  if (next === null) return null
  const query = new URLSearchParams({ ...(state === '' ? {} : { state }), cursor: next })
  return html`<p class="pager"><a href="${visit.to(`disbursements/${id}?${query}`)}" rel="next">${WORDS.nextPage}</a></p>`
}
