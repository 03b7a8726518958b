// Mandates as the API accepts and returns them: the amount that a customer lets a merchant collect, and how often.
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
  partText,
  reference,
  referenceFilter,
  tagInput,
  tagOutput,
  timestamp,
  uuid,
} from './common.ts'
import { moneyBody } from './money-body.ts'
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

export const CreateMandateBody = moneyBody(
  {
    customer_tag: tagInput({ description: 'Wallet of the customer. It must exist.', 'x-error': 'invalid_tag' }),
    amount: Type.Optional(
      amount({
        description:
          'Amount of each payment. With an interval it is collected automatically. Without `amount`, `max_amount` is required and you request each payment.',
      }),
    ),
    max_amount: Type.Optional(
      amount({
        description:
          'Maximum of all payments of a period together: of an interval, or of a calendar month (UTC) with `on_demand`. Not below `amount` when both are sent.',
        examples: [10_000],
      }),
    ),
    interval: interval(),
    start_at: Type.Optional(
      timestamp({ description: 'No payment before this time: RFC 3339. A time that has passed at the approval has no effect.' }),
    ),
    end_at: Type.Optional(timestamp({ description: 'No payment from this time on: RFC 3339, in the future and after `start_at`.' })),
    max_payments: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PAYMENTS_MAX,
        description: 'Maximum number of payments. Then the mandate ends.',
        examples: [12],
      }),
    ),
    reference: Type.Optional(reference({ description: 'Your contract number: one line of at most 255 characters. Payments inherit it.' })),
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
      '`pending` until the customer approves, `active` then; `paused` when the balance was insufficient four times in a row; the others are final. `expired`: no answer for 7 days, `end_at` has come, or all payments were made.',
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
      'Time of the next payment. When you request each payment: the earliest time of the next request. Null when there is none, or when any time is allowed.',
  }),
  payments_count: Type.Integer({ minimum: 0, description: 'Payments so far.' }),
  failed_attempts: Type.Integer({ minimum: 0, description: 'Attempts in a row that failed for insufficient balance.' }),
  created_at: timestamp(),
  approved_at: nullable(timestamp(), { description: 'When the customer last approved.' }),
  cancelled_at: nullable(timestamp(), { description: 'When it was cancelled; null otherwise.' }),
}

const MERCHANT_FIELDS = {
  token: chargeToken({ description: 'Public, unguessable handle. It gives access to the approval page.' }),
  approval_url: Type.String({ format: 'uri', description: 'Page where the customer approves. The app shows the request too.' }),
}

export const Mandate = Type.Object(
  { ...SHARED, ...MERCHANT_FIELDS },
  { $id: 'Mandate', description: 'Permission of a customer to collect payments.' },
)

export type Mandate = Static<typeof Mandate>

export const MandateList = listOf(Mandate, 'MandateList')

export const ListMandatesQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(MANDATE_STATES, { description: 'Only mandates in this state.' })),
  customer_tag: Type.Optional(tagInput()),
  reference: Type.Optional(referenceFilter()),
  q: Type.Optional(partText('Tag of the customer, reference, description or id of the mandate.')),
})

export type ListMandatesQuery = Static<typeof ListMandatesQuery>

/** A mandate as its customer sees it. */
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

export const ApproveMandateBody = moneyBody({ pin: pin() }, { $id: 'ApproveMandateBody' })

export type ApproveMandateBody = Static<typeof ApproveMandateBody>

export const ChargeMandateBody = moneyBody(
  {
    amount: Type.Optional(amount({ description: 'Default: the mandate’s own. At most `max_amount`, or the mandate’s `amount`.' })),
    reference: Type.Optional(reference({ description: 'Your reference for this payment. Default: the mandate’s.' })),
  },
  { $id: 'ChargeMandateBody' },
)

export type ChargeMandateBody = Static<typeof ChargeMandateBody>

const MANDATE_FAILURES = [
  'insufficient_balance',
  'wallet_blocked',
  'limit_exceeded',
  'recipient_limit_exceeded',
  'merchant_suspended',
  'live_not_activated',
] as const

export type MandateFailure = (typeof MANDATE_FAILURES)[number]

export const MandatePayment = Type.Object(
  {
    id: uuid({ description: 'Id of the payment.' }),
    mandate_id: uuid({ description: 'Id of its mandate.' }),
    state: choice(PAYMENT_STATES, { description: 'Final. A failed automatic payment is attempted again the next day.' }),
    amount: amount(),
    currency: currency(),
    failure_code: Type.Optional(choice(MANDATE_FAILURES, { description: 'Present only when the state is `failed`.' })),
    transaction_id: Type.Optional(uuid({ description: 'Ledger transaction; present only when the state is `paid`.' })),
    reference: Type.String({ description: 'Of the payment, or of its mandate; empty when there is none.' }),
    environment: environment(),
    created_at: timestamp(),
  },
  { $id: 'MandatePayment', description: 'A payment of a mandate, paid or failed.' },
)

export type MandatePayment = Static<typeof MandatePayment>

export const MandatePaymentList = listOf(MandatePayment, 'MandatePaymentList')

export const ListMandatePaymentsQuery = PageQuery

export type ListMandatePaymentsQuery = Static<typeof ListMandatePaymentsQuery>

/** Webhook data of a mandate payment, paid or failed. */
export const MandateWithPayment = Type.Object(
  { ...SHARED, ...MERCHANT_FIELDS, payment: MandatePayment },
  { $id: 'MandatePaymentData', description: 'A mandate with its payment.' },
)
