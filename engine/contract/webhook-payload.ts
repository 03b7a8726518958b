// What webhooks carry: the body of each event type, as the merchant receives it.
import { BatchReport } from './batch.ts'
import { Biller } from './biller.ts'
import { CHARGE_STATES, chargeToken } from './charge.ts'
import { amount, currency, environment, tagOutput, timestamp, uuid } from './common.ts'
import { Mandate, MandateWithPayment } from './mandate.ts'
import { Payout } from './payout.ts'
import { choice, nullable, type Schema, Type } from './schema.ts'
import type { EVENT_TYPES } from './webhook.ts'

const CHARGE_FIELDS = {
  id: uuid(),
  token: chargeToken(),
  amount: amount(),
  currency: currency(),
  state: choice(CHARGE_STATES),
  reference: Type.String(),
  description: Type.String(),
  customer_tag: Type.String({ description: 'Empty when anybody could pay.' }),
  payer_tag: nullable(tagOutput()),
  transaction_id: nullable(uuid()),
  merchant_id: uuid(),
  environment: environment(),
  metadata: Type.Record(Type.String(), Type.String()),
  paid_at: nullable(timestamp()),
  created_at: timestamp(),
}

const ChargeSucceeded = Type.Object({ ...CHARGE_FIELDS, state: choice(['paid']) }, { $id: 'ChargeSucceededData' })
const ChargeExpired = Type.Object({ ...CHARGE_FIELDS, state: choice(['expired']) }, { $id: 'ChargeExpiredData' })
const ChargeCancelled = Type.Object(
  { ...CHARGE_FIELDS, state: choice(['cancelled']), cancelled_at: timestamp() },
  { $id: 'ChargeCancelledData' },
)
const ChargeRefunded = Type.Object(
  { ...CHARGE_FIELDS, state: choice(['refunded']), refunded_at: timestamp(), refund_transaction_id: uuid() },
  { $id: 'ChargeRefundedData' },
)

const BillPaid = Type.Object(
  {
    biller: Type.String({ description: 'Slug.' }),
    product: Type.String({ description: 'Slug.' }),
    amount: amount(),
    currency: currency(),
    biller_ref: Type.String({ description: 'From the lookup; empty in modes `fixed` and `user`.' }),
    form_values: Type.Object({}, { additionalProperties: true, description: 'What the customer typed, by field id.' }),
    charge_id: uuid(),
    transaction_id: uuid({ description: 'Deduplicate on it.' }),
    merchant_id: uuid(),
  },
  { $id: 'BillPaidData' },
)

const Ping = Type.Object({ endpoint_id: uuid() }, { $id: 'PingData' })

/** When each type is sent, and its `data`. */
export const WEBHOOK_PAYLOADS = {
  'charge.succeeded': { when: 'A charge was paid.', data: ChargeSucceeded },
  'bill.paid': { when: 'A bill was paid. One attempt: reconcile by `GET /v1/biz/bill-payments`, or ask for it again.', data: BillPaid },
  'charge.expired': { when: 'A charge was not paid in time.', data: ChargeExpired },
  'charge.cancelled': { when: 'A charge was cancelled.', data: ChargeCancelled },
  'charge.refunded': { when: 'A charge was refunded.', data: ChargeRefunded },
  'payout.paid': { when: 'A payout was paid, of a batch or a schedule too.', data: Payout },
  'payout.failed': { when: 'A payout failed, of a batch or a schedule too.', data: Payout },
  'batch.completed': { when: 'Every line of a batch was decided.', data: BatchReport },
  'biller.approved': { when: 'Your profile is in the directory.', data: Biller },
  'biller.rejected': { when: 'Your profile was refused; `reject_reason` says why.', data: Biller },
  'mandate.approved': { when: 'A customer agreed to a mandate.', data: Mandate },
  'mandate.rejected': { when: 'A customer refused a mandate.', data: Mandate },
  'mandate.paused': {
    when: 'A wallet was short four times in a row; `payment` is the last try. It goes on when its customer approves again.',
    data: MandateWithPayment,
  },
  'mandate.cancelled': { when: 'You or the customer cancelled a mandate.', data: Mandate },
  'mandate.charged': { when: 'A mandate was charged; `payment` is on your balance.', data: MandateWithPayment },
  ping: { when: 'You asked for it. One attempt.', data: Ping },
} as const satisfies Record<(typeof EVENT_TYPES)[number], { readonly when: string; readonly data: Schema }>
