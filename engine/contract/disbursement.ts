// Disbursements as the API accepts and returns them: up to 100 000 lines as one object, paid by turns after its start.
import {
  amount,
  balance,
  currency,
  environment,
  listOf,
  note,
  PAGE_QUERY,
  partText,
  recipientInput,
  reference,
  referenceFilter,
  searchText,
  timestamp,
  uuid,
} from './common.ts'
import { groupText } from './contact.ts'
import { Caller } from './created-by.ts'
import { PAYOUT_FAILURE_CODES } from './errors.ts'
import { feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { RECIPIENT_DESCRIPTION } from './payout.ts'
import { choice, judged, nullable, type Static, Type, text } from './schema.ts'

export const DISBURSEMENT_LINES_MAX = 100_000

export const DISBURSEMENT_STATES = [
  'ready',
  'awaiting_approval',
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
  'rejected',
] as const

export const DISBURSEMENT_LINE_STATES = ['valid', 'invalid', 'paid', 'failed', 'cancelled', 'waiting'] as const

export const PAUSE_REASONS = ['requested', 'insufficient_balance', 'recipient_checks'] as const

export const DISBURSEMENT_WARNINGS = ['duplicate_line', 'recently_paid'] as const

const DisbursementItem = moneyBody(
  {
    recipient: recipientInput({ description: RECIPIENT_DESCRIPTION }),
    amount: amount(),
    reference: Type.Optional(reference({ description: 'Your reference for this line: one line of at most 255 characters.' })),
    note: Type.Optional(note()),
  },
  { $id: 'DisbursementItem' },
)

const OPTIONS = {
  reference: Type.Optional(reference({ description: 'Your reference for the whole. Lines do not inherit it.' })),
  start: Type.Optional(
    choice(['manual', 'auto'], {
      default: 'manual',
      description: '`manual`: nothing is paid before `POST …/start`. `auto`: started by its creation.',
    }),
  ),
  start_at: Type.Optional(timestamp({ description: 'Not paid before this time. RFC 3339; one that has passed starts at once.' })),
  on_insufficient_balance: Type.Optional(
    choice(['pause', 'fail'], {
      default: 'pause',
      description: '`pause`: waits before the line that the balance does not cover. `fail`: the line fails, the next is tried.',
    }),
  ),
}

/** The options beside a file, whose body has lines alone. */
export const CreateDisbursementQuery = Type.Object(OPTIONS)

export type CreateDisbursementQuery = Static<typeof CreateDisbursementQuery>

/** The schema accepts any JSON as a line: a malformed line is an invalid line. */
export const CreateDisbursementBody = moneyBody(
  {
    items: Type.Optional(
      Type.Array(judged(DisbursementItem), {
        minItems: 1,
        maxItems: DISBURSEMENT_LINES_MAX,
        'x-error': 'too_many_items',
        'x-missing': 'items_required',
        description: 'Paid in order. A malformed line is an invalid line and is not paid; it never refuses the others.',
      }),
    ),
    group: Type.Optional(groupText('Name of a group of contacts, in the place of `items`: a line for each contact, oldest first.')),
    amount: Type.Optional(amount({ description: 'With `group`: amount of each contact that has none of its own.' })),
    ...OPTIONS,
  },
  { $id: 'CreateDisbursementBody' },
)

export type CreateDisbursementBody = Static<typeof CreateDisbursementBody>

const Approval = Type.Object(
  {
    state: choice(['pending', 'approved', 'rejected'], { description: 'What the second person decided.' }),
    by: nullable(Caller, { description: 'Who decided; null before.' }),
    at: nullable(timestamp(), { description: 'When; null before.' }),
    reason: nullable(Type.String(), {
      description: 'Of a rejection; null otherwise.',
      examples: ['Le total ne correspond pas à la paie.'],
    }),
  },
  { $id: 'DisbursementApproval' },
)

function count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

export const Disbursement = Type.Object(
  {
    id: uuid({ description: 'Id of the disbursement.' }),
    state: choice(DISBURSEMENT_STATES, { description: '`completed`, `cancelled` and `rejected` are final.' }),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    currency: currency(),
    environment: environment(),
    start_at: nullable(timestamp(), { description: 'Not paid before this time; null without one.' }),
    on_insufficient_balance: choice(['pause', 'fail'], { description: 'As sent.' }),
    total_count: count('Lines in all.'),
    total_amount: balance({ description: 'Sum of all lines whose amount is valid.' }),
    valid_count: count('Lines that can be paid, as far as the creation could see.'),
    valid_amount: balance({ description: 'Their sum. The payout policy compares it.' }),
    valid_fee_amount: feeTaken('What they would cost beside it, by the rules of their check.'),
    invalid_count: count('Lines that are never paid: malformed, or their recipient is unknown.'),
    warnings_count: count('Lines with a warning. They are paid all the same.'),
    paid_count: count('Lines that were paid.'),
    paid_amount: balance({ description: 'Their sum.' }),
    failed_count: count('Lines that failed at their turn. Invalid lines do not count.'),
    failed_amount: balance({ description: 'Their sum.' }),
    fee_amount: feeTaken('Sum of the fees of the paid lines, beside their amounts.'),
    waiting_count: count('Lines that wait for their turn; 0 before the start and after the end.'),
    created_by: Caller,
    approval: nullable(Approval, {
      description: 'Null where no second person is needed, or none any more: it was cancelled before a decision.',
    }),
    pause_reason: nullable(choice(PAUSE_REASONS), {
      description:
        'Null unless it is paused. `requested`: by `POST …/pause`, or the account may move no money. `recipient_checks`: the budget of unknown recipients is spent; it goes on by itself.',
    }),
    retry_of: nullable(uuid(), { description: 'The disbursement whose failed lines these are; null otherwise.' }),
    created_at: timestamp(),
    started_at: nullable(timestamp(), { description: 'When its first line was due; null before.' }),
    completed_at: nullable(timestamp(), { description: 'Null unless it is completed.' }),
    cancelled_at: nullable(timestamp(), { description: 'Null unless it is cancelled.' }),
  },
  { $id: 'Disbursement', description: 'Up to 100 000 payouts as one object.' },
)

export type Disbursement = Static<typeof Disbursement>

export const DisbursementList = listOf(Disbursement, 'DisbursementList')

export const ListDisbursementsQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(DISBURSEMENT_STATES, { description: 'Only disbursements in this state.' })),
  reference: Type.Optional(referenceFilter()),
  q: Type.Optional(partText('Reference or id of the disbursement.')),
})

export type ListDisbursementsQuery = Static<typeof ListDisbursementsQuery>

export const DisbursementLine = Type.Object(
  {
    index: count('Index of the line, from 0.'),
    recipient: Type.String({ description: 'Normalized; of an invalid recipient the start of what was sent.', examples: ['awa_diallo'] }),
    holder: nullable(Type.String(), { description: 'Masked name of the wallet; null until the line is paid.', examples: ['Awa D.'] }),
    amount: nullable(balance(), { description: 'As sent; null when it was no integer.' }),
    currency: currency(),
    fee: feeTaken(),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    note: Type.String({ description: 'As sent; empty when none was sent.' }),
    state: choice(DISBURSEMENT_LINE_STATES, { description: '`valid` before the start, then `waiting`, then `paid` or `failed`.' }),
    failure_code: Type.Optional(
      choice(PAYOUT_FAILURE_CODES, {
        description: 'Present on invalid and failed lines. `invalid_json`: a line of NDJSON that is no JSON object.',
      }),
    ),
    amount_sent: Type.Optional(
      Type.String({ description: 'Of a line whose amount is no number: the start of what was sent.', examples: ['12x'] }),
    ),
    amount_readings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a line of a file whose amount can be read in two ways, and is invalid: both readings.',
        examples: [['25 000', '25']],
      }),
    ),
    warnings: Type.Array(choice(DISBURSEMENT_WARNINGS), {
      description:
        '`duplicate_line`: an earlier line has the same recipient, amount and reference. `recently_paid`: the same amount was paid to the same recipient within the last 72 hours.',
    }),
    payout_id: Type.Optional(uuid({ description: 'Present on paid and failed lines.' })),
    transaction_id: Type.Optional(uuid({ description: 'Present on paid lines.' })),
    row: Type.Optional(
      count(
        'Row of the line in its file, from 1, where that is not `index` + 1, and of a line with `invalid_json`: the names of the columns and empty rows count.',
      ),
    ),
  },
  { $id: 'DisbursementLine' },
)

export type DisbursementLine = Static<typeof DisbursementLine>

export const DisbursementLineList = listOf(DisbursementLine, 'DisbursementLineList')

export const ListDisbursementLinesQuery = Type.Object({
  limit: PAGE_QUERY.limit,
  cursor: PAGE_QUERY.cursor,
  state: Type.Optional(choice(DISBURSEMENT_LINE_STATES, { description: 'Only lines in this state.' })),
  q: Type.Optional(searchText('Recipient or reference of the line.')),
})

export type ListDisbursementLinesQuery = Static<typeof ListDisbursementLinesQuery>

export const RejectDisbursementBody = moneyBody(
  {
    reason: text({
      lines: 'many',
      minLength: 1,
      maxLength: 500,
      description: 'Shown with the disbursement.',
      examples: ['Le total ne correspond pas à la paie.'],
    }),
  },
  { $id: 'RejectDisbursementBody' },
)

export type RejectDisbursementBody = Static<typeof RejectDisbursementBody>
