// Bodies of webhooks, by event type, as the merchant receives them.
import { BatchReport } from './batch.ts'
import { Biller } from './biller.ts'
import { type CHARGE_STATES, chargeToken } from './charge.ts'
import { amount, currency, environment, tagOutput, timestamp, uuid } from './common.ts'
import { Disbursement } from './disbursement.ts'
import { formInput } from './lookup.ts'
import { Mandate, MandateWithPayment } from './mandate.ts'
import { REFUNDED_FOR_FIELDS } from './payment-reason.ts'
import { Payout } from './payout.ts'
import { Problem } from './problem.ts'
import { ScheduleRun } from './schedule.ts'
import { choice, nullable, type Schema, Type } from './schema.ts'
import type { EVENT_TYPES } from './webhook.ts'

const CHARGE_FIELDS = {
  id: uuid({ description: 'Id of the charge.' }),
  token: chargeToken(),
  amount: amount(),
  currency: currency(),
  reference: Type.String({ description: 'Your order number; empty when there is none.' }),
  description: Type.String({ description: 'Description that the customer saw; empty when there is none.' }),
  customer_tag: Type.String({ description: 'Empty when any wallet could pay.' }),
  payer_tag: nullable(tagOutput(), { description: 'Who paid; null before.' }),
  transaction_id: nullable(uuid(), { description: 'Ledger transaction of the payment; null before.' }),
  merchant_id: uuid({ description: 'Your merchant id.' }),
  environment: environment(),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'As sent; `{}` when none was sent.' }),
  paid_at: nullable(timestamp(), { description: 'When it was paid; null before.' }),
  created_at: timestamp(),
}

function chargeState<State extends (typeof CHARGE_STATES)[number]>(state: State) {
  return choice([state], { description: 'State of the charge.' })
}

const ChargeSucceeded = Type.Object(
  { ...CHARGE_FIELDS, state: chargeState('paid') },
  { $id: 'ChargeSucceededData', description: 'The charge, paid.' },
)
const ChargeExpired = Type.Object(
  { ...CHARGE_FIELDS, state: chargeState('expired') },
  { $id: 'ChargeExpiredData', description: 'The charge, expired.' },
)
const ChargeCancelled = Type.Object(
  { ...CHARGE_FIELDS, state: chargeState('cancelled'), cancelled_at: timestamp({ description: 'When it was cancelled.' }) },
  { $id: 'ChargeCancelledData', description: 'The charge, cancelled.' },
)
const ChargeRefunded = Type.Object(
  {
    ...CHARGE_FIELDS,
    state: chargeState('refunded'),
    refunded_at: timestamp({ description: 'When it was refunded.' }),
    refund_transaction_id: uuid({ description: 'Ledger transaction of the refund.' }),
    ...REFUNDED_FOR_FIELDS,
  },
  { $id: 'ChargeRefundedData', description: 'The charge, refunded.' },
)

const BillPaid = Type.Object(
  {
    biller: Type.String({ description: 'Slug.' }),
    product: Type.String({ description: 'Slug.' }),
    amount: amount(),
    currency: currency(),
    biller_ref: Type.String({ description: 'From the lookup; empty in modes `fixed` and `user`.' }),
    form_values: formInput('Input of the customer, by field id.'),
    charge_id: uuid({ description: 'Id of this payment. No charge can be fetched by it.' }),
    transaction_id: uuid({ description: 'Deduplicate on it.' }),
    merchant_id: uuid({ description: 'Your merchant id.' }),
  },
  { $id: 'BillPaidData', description: 'The payment of the bill.' },
)

const ScheduleRunFailed = Type.Object(
  {
    ...ScheduleRun.properties,
    state: choice(['partial', 'failed'], { description: '`partial`: some lines were paid; `failed`: none was.' }),
    reference: Type.String({ description: 'Reference of the schedule; empty when there is none.' }),
  },
  { $id: 'ScheduleRunFailedData', description: 'The run. The report of its batch has each line with its reason.' },
)

const Ping = Type.Object(
  { endpoint_id: uuid({ description: 'Id of the endpoint.' }) },
  { $id: 'PingData', description: 'Endpoint that received the ping.' },
)

/** Cause and `data` of each event type. */
export const WEBHOOK_PAYLOADS = {
  'charge.succeeded': { when: 'A charge was paid.', data: ChargeSucceeded },
  'bill.paid': { when: 'A bill was paid. One attempt: reconcile by `GET /v1/biz/bill-payments`, or request it again.', data: BillPaid },
  'charge.expired': { when: 'A charge was not paid in time.', data: ChargeExpired },
  'charge.cancelled': { when: 'A charge was cancelled.', data: ChargeCancelled },
  'charge.refunded': { when: 'A charge was refunded.', data: ChargeRefunded },
  'payout.paid': { when: 'A payout was paid, also one of a batch or a schedule.', data: Payout },
  'payout.failed': { when: 'A payout failed, also one of a batch or a schedule.', data: Payout },
  'batch.completed': { when: 'Every line of a batch was decided.', data: BatchReport },
  'schedule.run_failed': { when: 'A run of a schedule did not pay every line.', data: ScheduleRunFailed },
  'disbursement.awaiting_approval': { when: 'A disbursement waits for a second person.', data: Disbursement },
  'disbursement.paused': { when: 'A disbursement was paused; `pause_reason` says why.', data: Disbursement },
  'disbursement.completed': { when: 'Every line of a disbursement was decided.', data: Disbursement },
  'disbursement.cancelled': { when: 'A disbursement was cancelled.', data: Disbursement },
  'disbursement.rejected': { when: 'A second person rejected a disbursement; `approval.reason` says why.', data: Disbursement },
  'biller.approved': { when: 'Your profile is in the directory.', data: Biller },
  'biller.rejected': { when: 'Your profile was rejected; `reject_reason` has the reason.', data: Biller },
  'mandate.approved': { when: 'A customer approved a mandate.', data: Mandate },
  'mandate.rejected': { when: 'A customer rejected a mandate.', data: Mandate },
  'mandate.paused': {
    when: 'The balance of a wallet was insufficient four times in a row; `payment` is the last attempt. The mandate resumes when its customer approves again.',
    data: MandateWithPayment,
  },
  'mandate.cancelled': { when: 'You or the customer cancelled a mandate.', data: Mandate },
  'mandate.charged': { when: 'A mandate was charged; your balance includes `payment`.', data: MandateWithPayment },
  'problem.opened': { when: 'A customer wrote to you about a payment.', data: Problem },
  ping: { when: 'You requested it. One attempt.', data: Ping },
} as const satisfies Record<(typeof EVENT_TYPES)[number], { readonly when: string; readonly data: Schema }>
