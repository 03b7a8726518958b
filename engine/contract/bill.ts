// Bills as wallets look them up and pay them, and as merchants see what was paid.
import { pin } from './auth.ts'
import { amount, balance, currency, environment, FormValue, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { choice, judged, nullable, type SchemaDocs, type Static, Type, text } from './schema.ts'

/** A slug as it stands in a path. */
export function slugParam(description: string) {
  return Type.String({ maxLength: 64, description, examples: ['facture'] })
}

const FIELDS_MAX = 200

function formValues(docs: SchemaDocs = {}) {
  return Type.Record(Type.String(), judged(FormValue), {
    maxProperties: FIELDS_MAX,
    description: 'What the customer filled in, by field id.',
    ...(docs as object),
  })
}

const LineItem = Type.Object(
  {
    label: Type.String({ description: 'What the part is for.', examples: ['Consommation'] }),
    amount: balance({ description: 'Part of the amount, in the smallest currency unit. Negative for a rebate.', examples: [4500] }),
  },
  { $id: 'LineItem' },
)

export const CreateQuoteBody = Type.Object(
  { form_values: Type.Optional(formValues({ description: 'By field id; may be left out where no field is required.' })) },
  { $id: 'CreateQuoteBody' },
)

export type CreateQuoteBody = Static<typeof CreateQuoteBody>

export const QUOTE_STATES = ['active', 'used', 'expired'] as const

export const Quote = Type.Object(
  {
    id: uuid({ description: 'Id of the quote: `quote_id` of the payment.' }),
    biller: Type.String({ description: 'Slug.' }),
    product: Type.String({ description: 'Slug.' }),
    amount: amount({ description: 'What is due. It stays so until `expires_at`.' }),
    currency: currency(),
    label: Type.String({ description: 'What it is for; empty when the biller does not say.' }),
    customer_name: Type.String({ description: 'Whose bill it is; empty when the biller does not say.' }),
    biller_ref: Type.String({ description: 'The biller’s reference of the bill; empty when there is none.' }),
    line_items: Type.Array(LineItem, { description: 'They come to `amount`; empty when there are none.' }),
    form_values: formValues({ description: 'What was looked up.' }),
    state: choice(QUOTE_STATES, { description: 'A quote is used by one payment, or expires.' }),
    created_at: timestamp(),
    expires_at: timestamp({ description: 'Five minutes after creation.' }),
  },
  { $id: 'Quote' },
)

export type Quote = Static<typeof Quote>

export const PayBillBody = Type.Object(
  {
    quote_id: Type.Optional(uuid({ description: 'In mode `lookup`.' })),
    package_id: Type.Optional(text({ lines: 'one', maxLength: 64, description: 'In mode `fixed`.' })),
    amount: Type.Optional(
      amount({
        description:
          'In mode `user`. In the others it may stand beside the choice: then it must be what the customer was shown, or the payment is refused.',
      }),
    ),
    form_values: Type.Optional(formValues({ description: 'By field id. With a quote it may be left out: the quote’s are used.' })),
    pin: pin(),
  },
  { $id: 'PayBillBody' },
)

export type PayBillBody = Static<typeof PayBillBody>

export const PaidBill = Type.Object(
  {
    transaction_id: uuid({ description: 'Ledger transaction of the payment.' }),
    charge_id: uuid({ description: 'Of this payment; a bill has no charge that could be fetched.' }),
    amount: amount(),
    currency: currency(),
    balance_after: balance({ description: 'The payer’s.' }),
    paid_at: timestamp(),
  },
  { $id: 'PaidBill' },
)

export type PaidBill = Static<typeof PaidBill>

export const FULFILLMENT_STATES = ['none', 'pending', 'succeeded', 'failed'] as const

export const BILL_STATES = ['paid', 'refunded'] as const

const BillFulfillment = Type.Object(
  {
    state: choice(FULFILLMENT_STATES, { description: '`none`: the product has no code. `pending`: it waits or runs.' }),
    error: nullable(Type.String(), { description: 'Why it failed.' }),
    duration_ms: nullable(Type.Integer({ minimum: 0 }), { description: 'Null where nothing ran to its end.' }),
    attempts: Type.Integer({ minimum: 0, description: 'How often the code was started for this payment.', examples: [1] }),
  },
  { $id: 'BillFulfillment', description: 'What became of the code that runs after the payment.' },
)

export const BillPayment = Type.Object(
  {
    biller: Type.String({ description: 'Slug.' }),
    product: Type.String({ description: 'Slug.' }),
    amount: amount(),
    currency: currency(),
    biller_ref: Type.String({ description: 'From the lookup; empty in modes `fixed` and `user`.' }),
    form_values: formValues(),
    charge_id: uuid({ description: 'Of this payment; a bill has no charge that could be fetched.' }),
    transaction_id: uuid({ description: 'Ledger transaction of the payment. Deduplicate on it.' }),
    merchant_id: uuid({ description: 'Your merchant id.' }),
    environment: environment(),
    state: choice(BILL_STATES, { description: 'Of the money.' }),
    paid_at: timestamp(),
    refunded_at: nullable(timestamp(), { description: 'Null unless it was refunded.' }),
    refund_transaction_id: nullable(uuid(), { description: 'Null unless it was refunded.' }),
    fulfillment: BillFulfillment,
  },
  { $id: 'BillPayment' },
)

export type BillPayment = Static<typeof BillPayment>

export const BillPaymentList = listOf(BillPayment, 'BillPaymentList')

export const RedeliverBillBody = Type.Object(
  { force: Type.Optional(Type.Boolean({ description: 'Run the code again although it has succeeded. Default false.' })) },
  { $id: 'RedeliverBillBody' },
)

export type RedeliverBillBody = Static<typeof RedeliverBillBody>

export const ListBillPaymentsQuery = Type.Object({
  ...PAGE_QUERY,
  product: Type.Optional(Type.String({ maxLength: 64, description: 'Slug.' })),
  biller_ref: Type.Optional(Type.String({ maxLength: 255, description: 'The biller’s reference of the bill.' })),
})

export type ListBillPaymentsQuery = Static<typeof ListBillPaymentsQuery>
