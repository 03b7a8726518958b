// Payouts as the API accepts and returns them. Names come from the specification; descriptions define what it leaves open.
import {
  amount,
  currency,
  environment,
  listOf,
  note,
  PAGE_QUERY,
  recipientInput,
  recipientOutput,
  reference,
  referenceFilter,
  searchText,
  timestamp,
  uuid,
} from './common.ts'
import { PAYOUT_FAILURE_CODES } from './errors.ts'
import { feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const PAYOUT_STATES = ['paid', 'failed'] as const

/** The two environments have different phones, so a phone of the other one is unknown. */
export const RECIPIENT_DESCRIPTION =
  'Wallet to pay: its tag, with or without the `@`, or its phone in E.164 (`+` and country code; digits alone are 400 `invalid_recipient`, a failed line in a batch). Phones that begin with `+22500` are of the test environment, all others of live.'

export const CreatePayoutBody = moneyBody(
  {
    recipient: recipientInput({ description: RECIPIENT_DESCRIPTION, 'x-error': 'invalid_recipient' }),
    amount: amount(),
    reference: Type.Optional(reference({ description: 'Your reference (payroll, invoice): one line of at most 255 characters.' })),
    note: Type.Optional(note()),
  },
  { $id: 'CreatePayoutBody' },
)

export type CreatePayoutBody = Static<typeof CreatePayoutBody>

export const Payout = Type.Object(
  {
    id: uuid({ description: 'Id of the payout.' }),
    recipient: recipientOutput(),
    amount: amount(),
    currency: currency(),
    fee: feeTaken(),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    state: choice(PAYOUT_STATES, { description: 'Decided at once and final.' }),
    failure_code: Type.Optional(choice(PAYOUT_FAILURE_CODES, { description: 'Present only when the state is `failed`.' })),
    transaction_id: Type.Optional(uuid({ description: 'Ledger transaction; present only when the state is `paid`.' })),
    note: Type.String({ description: 'As sent; empty when none was sent.' }),
    environment: environment(),
    batch_id: nullable(uuid(), { description: 'Batch of the payout; null for a single payout.' }),
    schedule_id: nullable(uuid(), { description: 'Schedule of the payout; null without one.' }),
    disbursement_id: nullable(uuid(), { description: 'Disbursement of the payout; null without one.' }),
    created_at: timestamp(),
  },
  { $id: 'Payout', description: 'A payout, paid or failed.' },
)

export type Payout = Static<typeof Payout>

export const PayoutList = listOf(Payout, 'PayoutList')

export const ListPayoutsQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(PAYOUT_STATES, { description: 'Only payouts in this state.' })),
  recipient: Type.Optional(recipientInput({ description: 'As it was sent: a tag does not find payouts to the phone of the same wallet.' })),
  reference: Type.Optional(referenceFilter()),
  q: Type.Optional(searchText('Reference, recipient as it was sent, or id of the payout or of its transaction.')),
  batch_id: Type.Optional(uuid({ description: 'Only lines of this batch.' })),
  schedule_id: Type.Optional(uuid({ description: 'Only payouts of this schedule.' })),
  disbursement_id: Type.Optional(uuid({ description: 'Only payouts of this disbursement.' })),
  idempotency_key: Type.Optional(
    Type.String({ pattern: '^[ -~]{1,255}$', description: 'The Idempotency-Key that the payout was created with.' }),
  ),
})

export type ListPayoutsQuery = Static<typeof ListPayoutsQuery>

export const CheckRecipientBody = Type.Object(
  { recipient: recipientInput({ 'x-error': 'invalid_recipient' }) },
  { $id: 'CheckRecipientBody' },
)

export type CheckRecipientBody = Static<typeof CheckRecipientBody>

export const RecipientCheck = Type.Object(
  {
    exists: Type.Boolean({ description: 'Whether a wallet has this tag or phone.' }),
    display_name: nullable(Type.String(), {
      description: 'Given name and first letter of the family name; null when there is no wallet.',
      examples: ['Awa D.'],
    }),
  },
  { $id: 'RecipientCheck' },
)

export type RecipientCheck = Static<typeof RecipientCheck>
