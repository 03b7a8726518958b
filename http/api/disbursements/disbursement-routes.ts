// Disbursements: one row for each route. engine/domain/disbursement decides when they start and what a turn pays.
import { DISBURSEMENT_LINES_PER_TURN, type DisbursementVerb, type QueryAnswer } from '../../../engine/api.ts'
import type { BatchLine } from '../../../engine/contract/batch-line.ts'
import {
  CreateDisbursementBody,
  CreateDisbursementQuery,
  Disbursement,
  RejectDisbursementBody,
} from '../../../engine/contract/disbursement.ts'
import { MoneyMoveBody } from '../../../engine/contract/money-body.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { DISBURSEMENT_BODY_BYTES_MAX, DISBURSEMENT_VALUES_MAX } from '../../server/server-limits.ts'
import { UNKNOWN_RECIPIENTS_RULE } from '../payouts/recipient-prose.ts'
import {
  APPROVED_DISBURSEMENT,
  CANCELLED_DISBURSEMENT,
  DISBURSEMENT_REQUEST,
  PAUSED_DISBURSEMENT,
  READY_DISBURSEMENT,
  REJECTED_DISBURSEMENT,
  REJECTION,
  RETRY_DISBURSEMENT,
  RUNNING_DISBURSEMENT,
} from './disbursement-examples.ts'
import { DISBURSEMENT_FILES, linesOfGroup, linesOfItems } from './disbursement-files.ts'
import { DisbursementIntake, type Intake, type LinesSource } from './disbursement-intake.ts'
import { DISBURSEMENT_PARAMS, DISBURSEMENT_TAG, DISBURSEMENTS_PATH, idOf } from './disbursement-path.ts'
import { type DisbursementRoutesParts, disbursementReadingRoutes } from './disbursement-reading-routes.ts'
import { linesThread } from './lines/lines-thread.ts'

const SCOPE = 'disbursements.write'

export function disbursementRoutes(parts: DisbursementRoutesParts): readonly Route[] {
  const intake = new DisbursementIntake(parts)
  return [
    createRoute(parts, intake),
    ...disbursementReadingRoutes(parts),
    ...VERBS.map(verbRoute),
    rejectRoute(),
    retryRoute(parts, intake),
  ]
}

function createRoute(parts: DisbursementRoutesParts, intake: DisbursementIntake): Route {
  return route({
    method: 'POST',
    path: DISBURSEMENTS_PATH,
    operationId: 'createDisbursement',
    tag: DISBURSEMENT_TAG,
    summary: 'Prepare payouts to up to 100 000 wallets',
    description: CREATE_DESCRIPTION,
    auth: 'key-or-session',
    memberRole: 'manager',
    scope: SCOPE,
    idempotency: 'required',
    query: CreateDisbursementQuery,
    body: CreateDisbursementBody,
    bodyFiles: DISBURSEMENT_FILES,
    readLarge: (body) => linesThread.read(body),
    bodyBytesMax: DISBURSEMENT_BODY_BYTES_MAX,
    bodyValuesMax: DISBURSEMENT_VALUES_MAX,
    bodyExample: DISBURSEMENT_REQUEST,
    responses: [{ status: 201, description: 'The disbursement.', schema: Disbursement, example: READY_DISBURSEMENT }],
    commands: ['JudgeDisbursementLines', 'CreateDisbursement'],
    errors: ['items_required', 'too_many_items', 'invalid_csv'],
    handle: (call) => createDisbursement(parts, intake, call),
  })
}

interface Verb {
  readonly verb: Exclude<DisbursementVerb, 'reject'>
  readonly summary: string
  readonly description: string
  readonly example: Disbursement
}

const VERBS: readonly Verb[] = [
  {
    verb: 'start',
    summary: 'Start a disbursement',
    description: `Above the payout policy it is \`awaiting_approval\`; with a \`start_at\` ahead it is \`scheduled\`; else its first line is paid at once. From \`ready\` alone:
otherwise 409 \`invalid_disbursement_state\`. Without a line that can be paid: 409 \`no_valid_lines\`; one that starts by its creation ends at once.`,
    example: RUNNING_DISBURSEMENT,
  },
  {
    verb: 'approve',
    summary: 'Approve a disbursement',
    description: `A member of role owner or manager, or a key with the scope \`disbursements.approve\`. The person who created it gets 403
\`second_person_required\`; a key and the member who made the key are one person.`,
    example: APPROVED_DISBURSEMENT,
  },
  {
    verb: 'pause',
    summary: 'Pause a running disbursement',
    description: 'Between two turns of at most 64 lines.',
    example: PAUSED_DISBURSEMENT,
  },
  {
    verb: 'resume',
    summary: 'Resume a paused disbursement',
    description: 'It goes on with the first line that was not decided.',
    example: RUNNING_DISBURSEMENT,
  },
  {
    verb: 'cancel',
    summary: 'Cancel a disbursement',
    description: 'Lines that were paid stay paid; the others are `cancelled`. Cancelling a cancelled one answers 200 again.',
    example: CANCELLED_DISBURSEMENT,
  },
]

/** Rejections of other verbs. */
const UNREACHABLE = { start: ['second_person_required'], approve: ['no_valid_lines'] } as const

function verbRoute({ verb, summary, description, example }: Verb): Route {
  const isRelease = verb === 'start' || verb === 'approve'
  return route({
    method: 'POST',
    path: `${DISBURSEMENTS_PATH}/{id}/${verb}`,
    operationId: `${verb}Disbursement`,
    tag: DISBURSEMENT_TAG,
    summary,
    description,
    auth: 'key-or-session',
    memberRole: 'manager',
    scope: verb === 'approve' ? 'disbursements.approve' : SCOPE,
    idempotency: 'accepted',
    params: DISBURSEMENT_PARAMS,
    ...(isRelease ? { body: MoneyMoveBody, bodyOptional: true as const, bodyExample: {} } : {}),
    responses: [{ status: 200, description: 'The disbursement.', schema: Disbursement, example }],
    commands: [isRelease ? 'ReleaseDisbursement' : 'MoveDisbursement'],
    ...(isRelease ? { unreachable: UNREACHABLE[verb] } : {}),
    errors: [],
    handle: (call) => {
      const { account, caller: by } = call.principal
      const about = { merchant: account, id: idOf(call), by }
      if (isRelease) call.submit({ type: 'ReleaseDisbursement', ...about, verb }, account)
      else call.submit({ type: 'MoveDisbursement', ...about, verb }, account)
    },
  })
}

function rejectRoute(): Route {
  return route({
    method: 'POST',
    path: `${DISBURSEMENTS_PATH}/{id}/reject`,
    operationId: 'rejectDisbursement',
    tag: DISBURSEMENT_TAG,
    summary: 'Reject a disbursement',
    description: 'Final. It needs what an approval needs, and a `reason`. Who may not decide gets 403 without one too.',
    auth: 'key-or-session',
    memberRole: 'manager',
    scope: 'disbursements.approve',
    idempotency: 'accepted',
    params: DISBURSEMENT_PARAMS,
    body: RejectDisbursementBody,
    bodyOptional: true,
    bodyExample: REJECTION,
    responses: [{ status: 200, description: 'The disbursement.', schema: Disbursement, example: REJECTED_DISBURSEMENT }],
    commands: ['ReleaseDisbursement'],
    unreachable: ['no_valid_lines'],
    errors: [],
    handle: (call) => {
      const { account, caller: by } = call.principal
      // An empty body reaches the engine, which refuses the maker first.
      const { reason }: Partial<RejectDisbursementBody> = call.body
      const said = reason === undefined ? {} : { reason }
      call.submit({ type: 'ReleaseDisbursement', merchant: account, id: idOf(call), verb: 'reject', by, ...said }, account)
    },
  })
}

function retryRoute(parts: DisbursementRoutesParts, intake: DisbursementIntake): Route {
  return route({
    method: 'POST',
    path: `${DISBURSEMENTS_PATH}/{id}/retry`,
    operationId: 'retryDisbursement',
    tag: DISBURSEMENT_TAG,
    summary: 'Make a new disbursement of the failed lines',
    description: `Of a completed or cancelled one, once; again under another key it is 409 \`invalid_disbursement_state\`. Without a failed line: 409
\`no_failed_lines\`. The new one is \`ready\`.`,
    auth: 'key-or-session',
    memberRole: 'manager',
    scope: SCOPE,
    idempotency: 'accepted',
    params: DISBURSEMENT_PARAMS,
    body: MoneyMoveBody,
    bodyOptional: true,
    bodyExample: {},
    responses: [{ status: 201, description: 'The new disbursement.', schema: Disbursement, example: RETRY_DISBURSEMENT }],
    commands: ['JudgeDisbursementLines', 'RetryDisbursement'],
    errors: [],
    handle: (call) => {
      const { account: merchant, caller: by } = call.principal
      const id = idOf(call)
      const source = failedLines((from) => parts.engine.query('disbursements.failedLines', { account: merchant, id, from }))
      const submit: Intake['submit'] = (chunks) => call.submit({ type: 'RetryDisbursement', merchant, id, by, chunks }, merchant)
      // The lines are read from the log as they are judged.
      intake.take({ call, held: DISBURSEMENT_LINES_PER_TURN, source, submit })
    },
  })
}

const CREATE_DESCRIPTION = `Every line is judged and stored, and nothing is paid before the start. A line with an unknown recipient, an unknown field, another currency
or a malformed value is an invalid line: it is never paid and does not count as failed. After the start the lines are paid in their order,
at most 64 a turn, each as one payout with \`disbursement_id\` and exactly once, also across a crash. Other accounts get their turns in between, and while they pay it rests between its turns.
\`group\` in the place of \`items\` makes a line of each contact of the group as it is now; a contact without an amount takes \`amount\`, and without
both it is an invalid line. A group is named exactly as it is written, capitals included; one without contacts is 400 \`items_required\` with \`param\` \`group\`.
A body of \`text/csv\` is a payment file whose first row names its columns (\`recipient\`, \`amount\` and, if wanted, \`reference\`, \`note\`, in French too). Amounts of a
currency with decimals are digits alone, in the smallest unit, as in JSON; a file with decimals, or with the currency beside an amount or in the name of its column,
has major units, and its lines are invalid. What cannot be read is 400 \`invalid_csv\` with what was read. \`application/x-ndjson\` has one line in each line. Both have their options in the query, and a line that
cannot be read in one way alone is an invalid line. The limits of the key that created it hold at each line. An account can have 1 000 disbursements that have not ended (quota \`disbursements\`). ${UNKNOWN_RECIPIENTS_RULE}
Here: it pauses with \`recipient_checks\` before the line and goes on by itself.`

type CreateCall = Call<CreateDisbursementBody, CreateDisbursementQuery, MerchantPrincipal>

function createDisbursement(parts: DisbursementRoutesParts, intake: DisbursementIntake, call: CreateCall): void {
  const { items, group, amount, ...sent } = call.body
  const twice = Object.keys(call.query).find((name) => name in sent)
  if (twice !== undefined) return call.refuse('invalid_parameter', twice, because('repeated_parameter', { name: twice }))
  const { reference = '', start = 'manual', start_at, on_insufficient_balance = 'pause' } = { ...call.query, ...sent }
  const { account: merchant, caller: by, merchant: owner } = call.principal
  const startAtMs = start_at === undefined ? null : parseTime(start_at)
  const order = { merchant, by, reference, start, startAtMs, onInsufficientBalance: on_insufficient_balance } as const
  const submit: Intake['submit'] = (chunks) => call.submit({ type: 'CreateDisbursement', ...order, chunks }, merchant)
  if (group !== undefined && items !== undefined) return call.refuse('invalid_request', 'group', because('group_or_items'))
  if (group !== undefined) {
    const contacts = parts.engine.query('contacts.ofGroup', { account: merchant, group })
    return intake.take({ call, held: contacts.length, source: linesOfGroup(contacts, amount ?? null), submit })
  }
  if (items === undefined) return call.refuse('items_required', 'items')
  if (amount !== undefined) return call.refuse('invalid_request', 'amount', because('amount_without_group'))
  intake.take({ call, held: items.length, source: linesOfItems(items, owner.currency), submit })
}

/** Reads on until there are enough, or no line is left. */
function failedLines(read: (from: number) => QueryAnswer<'disbursements.failedLines'>): LinesSource {
  let from: number | null = 0
  let rest: readonly BatchLine[] = []
  return (count) => {
    while (rest.length < count && from !== null) {
      const more = read(from)
      from = more?.next ?? null
      rest = [...rest, ...(more?.lines ?? [])]
    }
    const taken = rest.slice(0, count)
    rest = rest.slice(count)
    return taken
  }
}
