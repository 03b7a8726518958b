// Mandates as the API shows and takes them: what a customer lets a merchant collect, and how often.
import { pin } from './auth.ts'
import { address, chargeToken } from './charge.ts'
import {
  amount,
  currency,
  environment,
  listOf,
  NOTE_LENGTH_MAX,
  PAGE_QUERY,
  PageQuery,
  reference,
  tagInput,
  tagOutput,
  timestamp,
  uuid,
} from './common.ts'
import { choice, nullable, type Static, Type, text } from './schema.ts'

export const MANDATE_STATES = ['pending', 'active', 'paused', 'cancelled', 'rejected', 'expired'] as const
export const MANDATE_INTERVALS = ['weekly', 'monthly', 'yearly', 'on_demand'] as const
const PAYMENT_STATES = ['paid', 'failed'] as const
const PAYMENTS_MAX = 1_000_000

function interval() {
  return choice(MANDATE_INTERVALS, {
    description:
      'How often, in UTC. Monthly and yearly keep the day; in a month that is too short it falls on the last day, in that month only.',
  })
}

export const CreateMandateBody = Type.Object(
  {
    customer_tag: tagInput({ description: 'Who is asked. The wallet must exist.', 'x-error': 'invalid_tag' }),
    amount: Type.Optional(
      amount({
        description:
          'Of each payment. With an interval it is collected by itself; without `amount`, `max_amount` is needed and you ask for each.',
      }),
    ),
    max_amount: Type.Optional(
      amount({ description: 'No payment is above it. Where `amount` is sent too, not below that.', examples: [10_000] }),
    ),
    currency: Type.Optional(currency({ description: 'Without it the account’s own, XOF.', 'x-error': 'unsupported_currency' })),
    interval: interval(),
    start_at: Type.Optional(
      timestamp({ description: 'Not before this: RFC 3339. A time that has passed when the customer approves is the same as none.' }),
    ),
    end_at: Type.Optional(timestamp({ description: 'Nothing is collected from here on: RFC 3339, in the future and after `start_at`.' })),
    max_payments: Type.Optional(
      Type.Integer({ minimum: 1, maximum: PAYMENTS_MAX, description: 'After so many payments the mandate is over.', examples: [12] }),
    ),
    reference: Type.Optional(reference({ description: 'Your contract number: one line of at most 255 characters. Payments carry it.' })),
    description: Type.Optional(
      text({
        lines: 'many',
        maxLength: NOTE_LENGTH_MAX,
        description: 'Shown to the customer. At most 500 characters.',
        examples: ['Abonnement mensuel'],
      }),
    ),
    redirect_url: Type.Optional(
      address({
        description:
          'Where the browser goes after the answer: HTTPS, in the test environment also `http://localhost`. Empty is the same as absent.',
        examples: ['https://boutique.example/abonnements'],
      }),
    ),
  },
  { $id: 'CreateMandateBody' },
)

export type CreateMandateBody = Static<typeof CreateMandateBody>

const SHARED = {
  id: uuid({ description: 'Id of the mandate.' }),
  customer_tag: tagOutput(),
  state: choice(MANDATE_STATES, {
    description:
      '`pending` until the customer approves, `active` then; `paused` when the wallet was short four times in a row; the others are final. `expired`: nobody answered for 7 days, `end_at` has come, or all payments were made.',
  }),
  amount: nullable(amount(), { description: 'As sent; null when none was sent.' }),
  max_amount: nullable(amount(), { description: 'As sent; null when none was sent.' }),
  currency: currency(),
  interval: interval(),
  start_at: nullable(timestamp(), { description: 'As sent; null when none was sent.' }),
  end_at: nullable(timestamp(), { description: 'As sent; null when none was sent.' }),
  max_payments: nullable(Type.Integer({ minimum: 1, maximum: PAYMENTS_MAX }), { description: 'As sent; null when none was sent.' }),
  reference: Type.String({ description: 'As sent; empty when none was sent.' }),
  description: Type.String({ description: 'As sent; empty when none was sent.' }),
  redirect_url: Type.String({ description: 'As sent; empty when none was sent.' }),
  environment: environment(),
  next_charge_at: nullable(timestamp(), {
    description:
      'When the next payment is collected; where you ask for each, from when the next one may be asked for. Null when there is none, or any time will do.',
  }),
  payments_count: Type.Integer({ minimum: 0, description: 'Payments so far.' }),
  failed_attempts: Type.Integer({ minimum: 0, description: 'Attempts in a row that found the wallet short.' }),
  created_at: timestamp(),
  approved_at: nullable(timestamp(), { description: 'When the customer last approved.' }),
  cancelled_at: nullable(timestamp(), { description: 'When it was cancelled; null otherwise.' }),
}

const MERCHANT_FIELDS = {
  token: chargeToken({ description: 'Public handle, unguessable: whoever has it may see the approval page.' }),
  approval_url: Type.String({ format: 'uri', description: 'The page where the customer approves; the app shows the request too.' }),
}

export const Mandate = Type.Object(
  { ...SHARED, ...MERCHANT_FIELDS },
  { $id: 'Mandate', description: 'What a customer lets a merchant collect.' },
)

export type Mandate = Static<typeof Mandate>

export const MandateList = listOf(Mandate, 'MandateList')

export const ListMandatesQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(MANDATE_STATES, { description: 'Only mandates in this state.' })),
  customer_tag: Type.Optional(tagInput()),
  reference: Type.Optional(reference()),
})

export type ListMandatesQuery = Static<typeof ListMandatesQuery>

/** The same as its customer sees it. */
export const WalletMandate = Type.Object(
  { ...SHARED, merchant_name: Type.String({ description: 'Who asks.', examples: ['Boutique Awa'] }) },
  { $id: 'WalletMandate' },
)

export type WalletMandate = Static<typeof WalletMandate>

export const WalletMandateList = listOf(WalletMandate, 'WalletMandateList')

export const ListWalletMandatesQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(MANDATE_STATES, { description: 'Only mandates in this state.' })),
})

export type ListWalletMandatesQuery = Static<typeof ListWalletMandatesQuery>

export const ApproveMandateBody = Type.Object({ pin: pin() }, { $id: 'ApproveMandateBody' })

export type ApproveMandateBody = Static<typeof ApproveMandateBody>

export const ChargeMandateBody = Type.Object(
  {
    amount: Type.Optional(amount({ description: 'Without it the mandate’s own. At most `max_amount`, or the mandate’s `amount`.' })),
    reference: Type.Optional(reference({ description: 'Your reference for this payment; without it the mandate’s.' })),
  },
  { $id: 'ChargeMandateBody' },
)

export type ChargeMandateBody = Static<typeof ChargeMandateBody>

export const MandatePayment = Type.Object(
  {
    id: uuid({ description: 'Id of the payment.' }),
    mandate_id: uuid({ description: 'Id of its mandate.' }),
    state: choice(PAYMENT_STATES, { description: 'Final. A failed one that was collected by itself is tried again the next day.' }),
    amount: amount(),
    currency: currency(),
    failure_code: Type.Optional(choice(['insufficient_balance'], { description: 'Present only when the state is `failed`.' })),
    transaction_id: Type.Optional(uuid({ description: 'Ledger transaction; present only when the state is `paid`.' })),
    reference: Type.String({ description: 'Of the payment, or of its mandate; empty when there is none.' }),
    environment: environment(),
    created_at: timestamp(),
  },
  { $id: 'MandatePayment', description: 'A payment that was collected, or could not be.' },
)

export type MandatePayment = Static<typeof MandatePayment>

export const MandatePaymentList = listOf(MandatePayment, 'MandatePaymentList')

export const ListMandatePaymentsQuery = PageQuery

export type ListMandatePaymentsQuery = Static<typeof ListMandatePaymentsQuery>

/** What webhooks carry of a mandate that was charged, or could not be. */
export const MandateWithPayment = Type.Object(
  { ...SHARED, ...MERCHANT_FIELDS, payment: MandatePayment },
  { $id: 'MandatePaymentData', description: 'A mandate with the payment that it is about.' },
)
