// Payout batches as the API accepts and returns them: up to 500 lines, each paid or failed on its own, and one report.
import { BATCH_LINES_MAX } from '../kernel/limits.ts'
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
  timestamp,
  uuid,
} from './common.ts'
import { PAYOUT_FAILURE_CODES } from './errors.ts'
import { feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { PAYOUT_STATES, RECIPIENT_DESCRIPTION } from './payout.ts'
import { choice, judged, nullable, type Static, Type } from './schema.ts'

export const BatchLine = moneyBody(
  {
    recipient: recipientInput({ description: RECIPIENT_DESCRIPTION }),
    amount: amount(),
    reference: Type.Optional(reference({ description: 'Your reference for this line: one line of at most 255 characters.' })),
    note: Type.Optional(note()),
  },
  { $id: 'BatchLine' },
)

/** The schema accepts any JSON as a line. `readBatchLine` validates lines, because a malformed line fails alone. */
export const CreateBatchBody = moneyBody(
  {
    items: Type.Array(judged(BatchLine), {
      minItems: 1,
      maxItems: BATCH_LINES_MAX,
      'x-error': 'batch_too_large',
      'x-missing': 'items_required',
      description:
        'Processed in order. A malformed line fails alone: the report gives the reason, and the other lines are paid. A line with an unknown field fails (`unknown_field`).',
    }),
    reference: Type.Optional(reference({ description: 'Your reference for the whole batch. Lines do not inherit it.' })),
  },
  { $id: 'CreateBatchBody' },
)

export type CreateBatchBody = Static<typeof CreateBatchBody>

export const CreateBatchQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Checks the batch and returns the report without moving money. Needs no Idempotency-Key.',
    }),
  ),
})

export type CreateBatchQuery = Static<typeof CreateBatchQuery>

export const BATCH_STATES = ['completed', 'dry_run'] as const

const BatchReportLine = Type.Object(
  {
    index: Type.Integer({ minimum: 0, maximum: BATCH_LINES_MAX - 1, description: 'Index of the line in `items`, from 0.' }),
    payout_id: nullable(uuid(), { description: 'The payout of this line; null when the line was malformed, and in a dry run.' }),
    recipient: Type.String({
      description:
        'Normalized tag, or the phone as sent. With `invalid_recipient`: the first 64 characters of the text that was sent; empty when it was no text.',
      examples: ['awa_diallo'],
    }),
    amount: nullable(balance(), { description: 'As sent; null when it was no integer.' }),
    currency: currency(),
    fee: feeTaken('The fee beside the amount; 0 without one, and of a line that failed. In a dry run: what it would be.'),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    state: choice(PAYOUT_STATES, { description: 'Decided at once and final. In a dry run: the state that the line would have.' }),
    failure_code: Type.Optional(choice(PAYOUT_FAILURE_CODES, { description: 'Present only when the state is `failed`.' })),
    transaction_id: Type.Optional(
      nullable(uuid(), { description: 'Ledger transaction; present only when the state is `paid`. Null in a dry run.' }),
    ),
  },
  { $id: 'BatchReportLine' },
)

export const LINE_WARNINGS = ['recipient_not_found', 'recipient_blocked', 'duplicate_line', 'recently_paid'] as const

export const LineWarning = Type.Object(
  {
    index: Type.Integer({ minimum: 0, maximum: BATCH_LINES_MAX - 1, description: 'Index of the line in `items`, from 0.', examples: [3] }),
    code: choice(LINE_WARNINGS, {
      description:
        '`duplicate_line`: an earlier line has the same recipient, amount and reference. `recently_paid`: the merchant has paid the same amount to the same recipient within the last 72 hours. `recipient_not_found`, `recipient_blocked`: what the line would fail with now.',
    }),
  },
  { $id: 'LineWarning', description: 'What may be a mistake in a line. It changes nothing.' },
)

export type LineWarning = Static<typeof LineWarning>

export const BatchReport = Type.Object(
  {
    id: nullable(uuid(), { description: 'Null in a dry run.' }),
    state: choice(BATCH_STATES, { description: '`dry_run` when no money was moved.' }),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    currency: currency(),
    environment: environment(),
    total_count: Type.Integer({ minimum: 1, description: 'Lines in all.' }),
    paid_count: Type.Integer({ minimum: 0, description: 'Lines that were paid.' }),
    failed_count: Type.Integer({ minimum: 0, description: 'Lines that failed.' }),
    total_amount: balance({ description: '`paid_amount` + `failed_amount`.' }),
    paid_amount: balance({ description: 'Sum of the paid lines, in the smallest currency unit.' }),
    failed_amount: balance({ description: 'Sum of the failed lines. Invalid amounts are not counted.' }),
    fee_amount: feeTaken('Sum of the fees of the paid lines, beside their amounts.'),
    created_at: timestamp(),
    items: Type.Array(BatchReportLine, { description: 'One for each line, in the order of the lines.' }),
    warnings: Type.Array(LineWarning, {
      description: 'Duplicate lines, and lines that were paid recently, in the order of the lines. They are paid all the same.',
    }),
  },
  { $id: 'BatchReport', description: 'Result of each line of a batch.' },
)

export type BatchReport = Static<typeof BatchReport>

/** A report without its lines. */
export const BatchSummary = Type.Omit(BatchReport, ['items', 'warnings'], { $id: 'BatchSummary' })

export type BatchSummary = Static<typeof BatchSummary>

export const BatchList = listOf(BatchSummary, 'BatchList')

export const ListBatchesQuery = Type.Object({ ...PAGE_QUERY, q: Type.Optional(partText('Reference or id of the batch.')) })

export type ListBatchesQuery = Static<typeof ListBatchesQuery>
