// Batches of payouts: one row for each route. engine/domain/payout decides each line.

import type { CommandOf } from '../../../engine/api.ts'
import { BatchList, BatchReport, CreateBatchBody, CreateBatchQuery, ListBatchesQuery } from '../../../engine/contract/batch.ts'
import { readBatchLines } from '../../../engine/contract/batch-line.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { answerPage, answerSlices } from '../../lists/list-answers.ts'
import { BATCH_CANDIDATES_MAX } from '../../lists/list-limits.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import {
  LARGE_BODY_VALUES_MAX,
  LINES_BODY_BYTES_MAX,
  PHONE_CHECKS_PER_MINUTE,
  RECIPIENT_CHECKS_PER_MINUTE,
} from '../../server/server-limits.ts'
import { lookUpRecipients, type RecipientLookupParts, refuseLookups } from '../payouts/recipient-lookups.ts'
import { BATCH_REPORT, BATCH_REQUEST, BATCH_SUMMARY, DRY_RUN_REPORT } from './batch-examples.ts'

export function batchRoutes(parts: RecipientLookupParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/payouts/batch',
      operationId: 'createBatch',
      tag: 'Payouts',
      summary: 'Send money to up to 500 wallets',
      description: CREATE_DESCRIPTION,
      auth: 'key',
      memberRole: 'manager',
      scope: 'disbursements.write',
      // A dry run needs no key. The handler requires one for a real batch.
      idempotency: 'accepted',
      query: CreateBatchQuery,
      body: CreateBatchBody,
      bodyBytesMax: LINES_BODY_BYTES_MAX,
      bodyValuesMax: LARGE_BODY_VALUES_MAX,
      bodyExample: BATCH_REQUEST,
      responses: [
        { status: 200, description: 'The report of a dry run.', schema: BatchReport, example: DRY_RUN_REPORT },
        { status: 201, description: 'The report: the fate of each line.', schema: BatchReport, example: BATCH_REPORT },
      ],
      commands: ['CreateBatch'],
      errors: ['idempotency_key_required', 'items_required', 'batch_too_large'],
      handle: (call) => createBatch(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/payouts/batch',
      operationId: 'listBatches',
      tag: 'Payouts',
      summary: 'List batches',
      description: 'Without their lines: those are in the report of each. Batches that a schedule ran are among them.',
      auth: 'key',
      idempotency: 'none',
      query: ListBatchesQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: BatchList,
          example: { data: [BATCH_SUMMARY], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listBatches(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/payouts/batch/{id}',
      operationId: 'getBatch',
      tag: 'Payouts',
      summary: 'Get the report of a batch',
      description: 'Also of a batch that a schedule ran. The payouts themselves: `GET /v1/biz/payouts?batch_id=`.',
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the batch.' }) },
      responses: [{ status: 200, description: 'The report.', schema: BatchReport, example: BATCH_REPORT }],
      errors: [],
      handle: (call) => getBatch(parts, call),
    }),
  ]
}

const CREATE_DESCRIPTION = `The lines are decided in their order, each by itself: one that is short of balance fails and the next is still tried.
A malformed line fails too (\`invalid_recipient\`, \`invalid_amount\`, \`invalid_reference\`, \`invalid_note\`) and makes no payout; it never refuses the batch.
Everything is on disk, in one piece, before the answer leaves: a crash pays all of it or nothing. \`Idempotency-Key\` is required, but not for a dry run,
which moves nothing, stores nothing and ignores a key. Each of its lines to an unknown wallet counts as one \`check-recipient\`:
${RECIPIENT_CHECKS_PER_MINUTE} a minute together, ${PHONE_CHECKS_PER_MINUTE} of them by phone, then 429 \`rate_limited\`. A dry run with more unknown phones waits for none and uses up the next minutes.`

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createBatch(parts: RecipientLookupParts, call: MerchantCall<CreateBatchBody, CreateBatchQuery>): void {
  const { account: merchant } = call.principal
  const { items, reference = '' } = call.body
  const isDryRun = call.query.dry_run === true
  if (!isDryRun && call.idempotency === null) return call.refuse('idempotency_key_required')
  const command: CommandOf<'CreateBatch'> = {
    type: 'CreateBatch',
    merchant,
    lines: readBatchLines(items),
    reference,
    scheduleId: null,
  }
  if (!isDryRun) return call.submit(command, merchant)
  const recipients = command.lines.filter(({ fault }) => fault === null).map(({ recipient }) => recipient)
  const waitS = lookUpRecipients(parts, call.principal, recipients)
  if (waitS > 0) return refuseLookups(call, waitS)
  call.answer(200, parts.engine.query('batches.dryRun', command))
}

function listBatches({ engine }: RecipientLookupParts, call: MerchantCall<unknown, ListBatchesQuery>): void {
  const { account } = call.principal
  if ((call.query.q ?? '').trim() === '') return answerPage(call, engine.query('batches.list', { account, query: call.query }))
  answerSlices(call, (query, slice) => engine.query('batches.search', { account, query, slice }), BATCH_CANDIDATES_MAX)
}

function getBatch({ engine }: RecipientLookupParts, call: MerchantCall): void {
  const report = engine.query('batches.get', { account: call.principal.account, id: String(call.params[0]) })
  if (report === null) return call.refuse('not_found')
  call.answer(200, report)
}
