// Disbursements on the dashboard: the list, the form, the check before money moves, the page of one with its moves, its result as CSV.

import { answerLinesCsv } from '../../../api/disbursements/disbursement-reading-routes.ts'
import { paymentFileText, type WrittenLine } from '../../../client/src/payment-file/payment-file-text.ts'
import type { Route } from '../../../server/route.ts'
import { DISBURSEMENT_BODY_BYTES_MAX } from '../../../server/server-limits.ts'
import { countText } from '../../shared/amount-text.ts'
import { newFormKey } from '../../shared/api-calls.ts'
import { listRows } from '../lists/list-page.ts'
import { CORRECTED_LINES_MAX } from '../shared/dashboard-limits.ts'
import { type DashboardParts, fileRow, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { moveRow } from '../shared/record-moves.ts'
import { streamRow } from '../shared/stream-row.ts'
import { checkNew, leaveRecentOut } from './disbursement-check.ts'
import { DISBURSEMENT_FIELDS, type DisbursementForm, EMPTY_DISBURSEMENT, showDisbursementForm } from './disbursement-form.ts'
import { fileLine, readLines } from './disbursement-lines.ts'
import { DISBURSEMENTS } from './disbursement-list.ts'
import { TEXTS } from './disbursement-pages-messages.ts'
import { showDisbursement } from './disbursement-record.ts'
import { withText } from './payment-file-form.ts'

const MOVES = [
  ['start', 'startDisbursement', 'disbursement_started'],
  ['approve', 'approveDisbursement', 'disbursement_approved'],
  ['pause', 'pauseDisbursement', 'disbursement_paused'],
  ['resume', 'resumeDisbursement', 'disbursement_resumed'],
  ['cancel', 'cancelDisbursement', 'disbursement_cancelled'],
] as const

export function disbursementRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, DISBURSEMENTS),
    ...formRows(parts),
    pageRow(parts, {
      path: '/disbursements/{id}',
      operationId: 'showDisbursement',
      needs: 'getDisbursement',
      summary: 'A disbursement',
      show: (visit) => showDisbursement(visit, null),
    }),
    csvRow(parts),
    ...MOVES.map(([move, operationId, note]) =>
      moveRow(parts, { ...{ path: `/disbursements/{id}/${move}`, operationId, note }, done: placeOfOne, again: showDisbursement }),
    ),
    ...otherMoves(parts),
  ]
}

const placeOfOne = ({ params }: Visit): string => `disbursements/${params[0]}`

function formRows(parts: DashboardParts): readonly Route[] {
  const file = { needs: 'createDisbursement', bytesMax: DISBURSEMENT_BODY_BYTES_MAX } as const
  return [
    pageRow(parts, {
      path: '/disbursements/new',
      operationId: 'showDisbursementForm',
      needs: 'createDisbursement',
      summary: 'Pay many wallets',
      show: (visit) => showDisbursementForm(visit, { ...EMPTY_DISBURSEMENT, group: visit.query.get('group') ?? '' }, null),
    }),
    fileRow(parts, {
      ...file,
      path: '/disbursements/new',
      operationId: 'sendDisbursementCheck',
      summary: 'What it would pay',
      fields: DISBURSEMENT_FIELDS,
      act: checkSent,
    }),
    fileRow(parts, {
      ...file,
      path: '/disbursements/edit',
      operationId: 'sendDisbursementEdit',
      summary: 'The lines again',
      fields: [...DISBURSEMENT_FIELDS, 'draft'],
      act: editAgain,
    }),
    fileRow(parts, {
      ...file,
      path: '/disbursements/again',
      operationId: 'sendDisbursementAgain',
      summary: 'The same lines as another disbursement',
      fields: DISBURSEMENT_FIELDS,
      act: (visit, _file, sent) => checkNew(visit, formOf(sent), newFormKey()),
    }),
  ]
}

function formOf({ lines, reference, group, amount }: DisbursementForm): DisbursementForm {
  return { lines, reference, group, amount }
}

async function checkSent(visit: Visit, file: Buffer | undefined, sent: DisbursementForm): Promise<void> {
  const form = await withText(visit, file, formOf(sent), (words) => showDisbursementForm(visit, formOf(sent), words))
  if (form !== null) await checkNew(visit, form, '')
}

/** The check that is corrected is no longer there to be started. */
async function editAgain(visit: Visit, _file: Buffer | undefined, sent: DisbursementForm & Sent<'draft'>): Promise<void> {
  if (sent.draft !== '') await visit.ask('cancelDisbursement', { params: [sent.draft] })
  showDisbursementForm(visit, formOf(sent), null)
}

function otherMoves(parts: DashboardParts): readonly Route[] {
  return [
    formRow(parts, {
      path: '/disbursements/{id}/reject',
      operationId: 'sendDisbursementRejection',
      needs: 'rejectDisbursement',
      summary: 'reject',
      fields: ['reason'],
      act: async (visit, { key, reason }) => {
        const answer = await visit.ask('rejectDisbursement', { params: visit.params, body: { reason: reason.trim() }, idempotencyKey: key })
        if (answer.ok) visit.goTo(placeOfOne(visit), 'disbursement_rejected')
        else await showDisbursement(visit, answer.error)
      },
    }),
    formRow(parts, {
      path: '/disbursements/{id}/retry',
      operationId: 'sendDisbursementRetry',
      needs: 'retryDisbursement',
      summary: 'The failed lines as a new disbursement',
      fields: [],
      act: async (visit, { key }) => {
        const answer = await visit.ask<{ readonly id: string }>('retryDisbursement', { params: visit.params, idempotencyKey: key })
        if (answer.ok) visit.goTo(`disbursements/${answer.body.id}`)
        else await showDisbursement(visit, answer.error)
      },
    }),
    formRow(parts, {
      path: '/disbursements/{id}/without-recent',
      operationId: 'sendDisbursementWithoutRecent',
      needs: 'createDisbursement',
      summary: 'The lines that were not paid lately as a new disbursement',
      fields: [],
      act: (visit) => leaveRecentOut(visit, (message) => showDisbursement(visit, { message })),
    }),
    formRow(parts, {
      path: '/disbursements/{id}/correct',
      operationId: 'sendDisbursementCorrection',
      needs: 'createDisbursement',
      summary: 'The lines that are not paid in the form',
      fields: [],
      act: correctLines,
    }),
  ]
}

async function correctLines(visit: Visit): Promise<void> {
  const [id = ''] = visit.params
  const record = await visit.ask<{ readonly reference: string }>('getDisbursement', { params: [id] })
  if (!record.ok) return visit.missing()
  const lines: WrittenLine[] = []
  const seen: Parameters<typeof readLines>[2] = (line) => {
    if (line.state === 'failed' || line.state === 'invalid') lines.push(fileLine(line))
  }
  await readLines(visit, id, seen, () => lines.length > CORRECTED_LINES_MAX)
  if (lines.length > CORRECTED_LINES_MAX)
    return showDisbursement(visit, { message: TEXTS.tooManyToCorrect(countText(CORRECTED_LINES_MAX)) })
  const { reference } = record.body
  showDisbursementForm(visit, { ...EMPTY_DISBURSEMENT, lines: paymentFileText(lines, 'fr'), reference }, null)
}

/** The whole result, as the API answers it: a link of a page asks for no type. */
function csvRow(parts: DashboardParts): Route {
  return streamRow(parts, {
    path: '/disbursements/{id}/lines.csv',
    operationId: 'showDisbursementCsv',
    needs: 'listDisbursementLines',
    summary: 'lines.csv',
    answer: ({ app, principal, params: [id = ''] }, call) => {
      const csvCall: Parameters<typeof answerLinesCsv>[1] = {
        ...{ query: {}, queryText: '', principal },
        refuse: (...about) => call.refuse(...about),
        answerAs: (...answer) => call.answerAs(...answer),
        stream: (...stream) => call.stream(...stream),
        fail: (error) => call.fail(error),
        sealCursor: (cursor) => call.sealCursor(cursor),
      }
      answerLinesCsv(app, csvCall, { account: principal.account, id: id.toLowerCase() })
    },
  })
}
