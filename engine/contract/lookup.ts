// Requests and answers of lookups at merchants' systems, and the input of fulfillment code. Only the OpenAPI document uses
// these schemas; http/workers/lookups/lookup-answer.ts validates answers.
import { AMOUNT_MAX } from '../kernel/amount.ts'
import { amount, currency, FormValue, uuid } from './common.ts'
import { Type } from './schema.ts'

/** Schema of a customer's input, by field id. It is documentation and never validated. */
export function formInput(description: string) {
  return Type.Object({}, { additionalProperties: FormValue, description })
}

function unixSeconds(description: string) {
  return Type.Integer({ minimum: 0, description, examples: [1763633100] })
}

export const LookupRequest = Type.Object(
  {
    product: Type.String({ description: 'Slug of the product.', examples: ['facture'] }),
    fields: Type.Object(
      {},
      { additionalProperties: Type.String(), description: 'Input of the customer, by field id. Numbers are text too.' },
    ),
    request_id: uuid({ description: 'Id of this request. A lookup is sent once and never retried.' }),
    ts: unixSeconds('Time of the request, in Unix seconds. The signature contains the same time.'),
  },
  { $id: 'LookupRequest', description: 'Body of the call to `lookup_url`, and the `args` of a hosted `lookup(args)`.' },
)

const LookupLine = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 255, description: 'Shown to the customer.', examples: ['Consommation'] }),
    amount: Type.Integer({
      minimum: -AMOUNT_MAX,
      maximum: AMOUNT_MAX,
      description: 'Smallest currency unit. Negative for a rebate.',
      examples: [11800],
    }),
  },
  { $id: 'LookupLine' },
)

/** Null counts as absent in every optional field of the answer. */
export const LookupFound = Type.Object(
  {
    ok: Type.Literal(true, { description: 'Something is due.' }),
    amount: amount({ description: 'Amount due, in the smallest currency unit.', examples: [12500] }),
    currency: Type.Optional(
      currency({ description: 'ISO 4217. The currency of the merchant’s account when absent; no other is accepted.' }),
    ),
    label: Type.Optional(Type.String({ maxLength: 255, description: 'Purpose of the bill.', examples: ['Facture de novembre'] })),
    customer_name: Type.Optional(Type.String({ maxLength: 255, description: 'Name on the bill.', examples: ['Awa Diallo'] })),
    biller_ref: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Your reference of the bill. `bill.paid` and `onPaid` contain it.',
        examples: ['FAC-2026-11-0042'],
      }),
    ),
    line_items: Type.Optional(Type.Array(LookupLine, { maxItems: 50, description: 'Parts of the amount. Their sum must be `amount`.' })),
  },
  {
    $id: 'LookupFound',
    description: 'Something is due: the customer sees it and pays it within five minutes. Unknown fields are ignored.',
  },
)

export const LookupRefused = Type.Object(
  {
    ok: Type.Literal(false, { description: 'Nothing can be paid.' }),
    reason: Type.String({
      description: 'Reason in French. The customer sees it, cut to 300 characters, or a general text when it is blank.',
      examples: ['Contrat inconnu.'],
    }),
  },
  { $id: 'LookupRefused', description: 'Nothing can be paid. Answered with 200 too; the customer gets 422 `lookup_failed`.' },
)

export const FulfillmentContext = Type.Object(
  {
    biller: Type.String({ description: 'Slug of the biller.', examples: ['energie-du-sahel'] }),
    product: Type.String({ description: 'Slug of the product.', examples: ['facture'] }),
    amount: amount({ description: 'Amount paid, in the smallest currency unit.', examples: [12500] }),
    currency: currency(),
    biller_ref: Type.String({ description: 'From the lookup; empty in modes `fixed` and `user`.', examples: ['FAC-2026-11-0042'] }),
    form_values: formInput('Input of the customer, by field id.'),
    transaction_id: uuid({ description: 'Ledger transaction of the payment. Deduplicate on it.' }),
    charge_id: uuid({ description: 'Id of this payment. No charge can be fetched by it.' }),
    merchant_id: uuid({ description: 'Your merchant id.' }),
    paid_at: unixSeconds('When it was paid, in Unix seconds.'),
  },
  { $id: 'FulfillmentContext', description: 'The `ctx` of a hosted `onPaid(ctx)`.' },
)
