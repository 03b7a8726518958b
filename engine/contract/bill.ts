// Bills as wallets look them up and pay them, and bill payments as merchants see them.
import { pin } from './auth.ts'
import { amount, balance, currency, environment, FormValue, listOf, PAGE_QUERY, searchText, timestamp, uuid } from './common.ts'
import { feeOfPayer, feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { REFUNDED_FOR_FIELDS } from './payment-reason.ts'
import { choice, judged, nullable, type SchemaDocs, type Static, Type, text } from './schema.ts'

/** Path parameter with a slug. */
export function slugParam(description: string) {
  return Type.String({ maxLength: 64, description, examples: ['facture'] })
}

const FIELDS_MAX = 200

function formValues(docs: SchemaDocs = {}) {
  return Type.Record(Type.String(), judged(FormValue), {
    maxProperties: FIELDS_MAX,
    description: 'Input of the customer, by field id.',
    ...(docs as object),
  })
}

const LineItem = Type.Object(
  {
    label: Type.String({ description: 'Purpose of this part.', examples: ['Consommation'] }),
    amount: balance({ description: 'Part of the amount, in the smallest currency unit. Negative for a rebate.', examples: [4500] }),
  },
  { $id: 'LineItem' },
)

export const CreateQuoteBody = Type.Object(
  { form_values: Type.Optional(formValues({ description: 'Input by field id. Optional when no field is required.' })) },
  { $id: 'CreateQuoteBody' },
)

export type CreateQuoteBody = Static<typeof CreateQuoteBody>

export const QUOTE_STATES = ['active', 'used', 'expired'] as const

export const Quote = Type.Object(
  {
    id: uuid({ description: 'Id of the quote: `quote_id` of the payment.' }),
    biller: Type.String({ description: 'Slug.' }),
    product: Type.String({ description: 'Slug.' }),
    amount: amount({ description: 'Amount due. It does not change until `expires_at`.' }),
    currency: currency(),
    fee: feeOfPayer(),
    label: Type.String({ description: 'Purpose of the bill; empty when the biller sends none.' }),
    customer_name: Type.String({ description: 'Name on the bill; empty when the biller sends none.' }),
    biller_ref: Type.String({ description: 'The biller’s reference of the bill; empty when there is none.' }),
    line_items: Type.Array(LineItem, { description: 'Parts of the amount. Their sum is `amount`. Empty when there are none.' }),
    form_values: formValues({ description: 'Input of the lookup.' }),
    state: choice(QUOTE_STATES, { description: 'A quote is used by one payment, or expires.' }),
    created_at: timestamp(),
    expires_at: timestamp({ description: 'Five minutes after creation.' }),
  },
  { $id: 'Quote' },
)

export type Quote = Static<typeof Quote>

export const PayBillBody = moneyBody(
  {
    quote_id: Type.Optional(uuid({ description: 'In mode `lookup`.' })),
    package_id: Type.Optional(text({ lines: 'one', maxLength: 64, description: 'In mode `fixed`.' })),
    amount: Type.Optional(
      amount({
        description:
          'For mode `user`. Optional in the other modes: when sent, it must be the amount that the customer was shown, or the payment is rejected.',
      }),
    ),
    form_values: Type.Optional(formValues({ description: 'Input by field id. Optional with a quote: the input of the quote is used.' })),
    pin: pin(),
  },
  { $id: 'PayBillBody' },
)

export type PayBillBody = Static<typeof PayBillBody>

export const PaidBill = Type.Object(
  {
    transaction_id: uuid({ description: 'Ledger transaction of the payment.' }),
    charge_id: uuid({ description: 'Id of this payment. No charge can be fetched by it.' }),
    amount: amount(),
    currency: currency(),
    fee: feeTaken('What the payer paid beside the amount.'),
    balance_after: balance({ description: 'The payer’s, after the fee.' }),
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
    duration_ms: nullable(Type.Integer({ minimum: 0 }), { description: 'Null when no run has ended.' }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of times that the code was started for this payment.', examples: [1] }),
  },
  { $id: 'BillFulfillment', description: 'Result of the code that runs after the payment.' },
)

export const BillPayment = Type.Object(
  {
    biller: Type.String({ description: 'Slug.' }),
    product: Type.String({ description: 'Slug.' }),
    amount: amount(),
    currency: currency(),
    biller_ref: Type.String({ description: 'From the lookup; empty in modes `fixed` and `user`.' }),
    form_values: formValues(),
    charge_id: uuid({ description: 'Id of this payment. No charge can be fetched by it.' }),
    transaction_id: uuid({ description: 'Ledger transaction of the payment. Deduplicate on it.' }),
    merchant_id: uuid({ description: 'Your merchant id.' }),
    fee: feeTaken('The fee, which the merchant or the payer bore; 0 without one.'),
    environment: environment(),
    state: choice(BILL_STATES, { description: 'State of the money.' }),
    paid_at: timestamp(),
    refunded_at: nullable(timestamp(), { description: 'Null unless it was refunded.' }),
    refund_transaction_id: nullable(uuid(), { description: 'Null unless it was refunded.' }),
    fulfillment: BillFulfillment,
    ...REFUNDED_FOR_FIELDS,
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
  biller_ref: Type.Optional(Type.String({ maxLength: 255, description: 'The biller’s reference of the bill, in any case of letters.' })),
  q: Type.Optional(searchText('The biller’s reference of the bill, tag of the payer, or id of the payment or of its transaction.')),
})

export type ListBillPaymentsQuery = Static<typeof ListBillPaymentsQuery>
