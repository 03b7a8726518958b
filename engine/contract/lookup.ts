// The exchange with merchants' own systems: what a lookup asks and answers, and what code after a payment receives. Read
// by the document alone; what comes back is checked in http/workers/lookups/lookup-answer.ts.
import { AMOUNT_MAX } from '../kernel/amount.ts'
import { amount, currency, FormValue, uuid } from './common.ts'
import { Type } from './schema.ts'

/** What a customer filled in, by field id: shown, never checked here. */
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
      { additionalProperties: Type.String(), description: 'What the customer filled in, by field id. Numbers come as text too.' },
    ),
    request_id: uuid({ description: 'Of this request. A lookup is asked once: it is not repeated.' }),
    ts: unixSeconds('When it was asked, in Unix seconds. The signature carries the same time.'),
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
    amount: amount({ description: 'What is due, in the smallest currency unit.', examples: [12500] }),
    currency: Type.Optional(currency({ description: 'ISO 4217. XOF when absent; no other is taken.' })),
    label: Type.Optional(Type.String({ maxLength: 255, description: 'What it is for.', examples: ['Facture de novembre'] })),
    customer_name: Type.Optional(Type.String({ maxLength: 255, description: 'Whose bill it is.', examples: ['Awa Diallo'] })),
    biller_ref: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Your reference of the bill. `bill.paid` and `onPaid` carry it.',
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
      description: 'Why, in French: the customer sees it, cut to 300 characters. A general text when it is blank.',
      examples: ['Contrat inconnu.'],
    }),
  },
  { $id: 'LookupRefused', description: 'Nothing can be paid. Answered with 200 too; the customer gets 422 `lookup_failed`.' },
)

export const FulfillmentContext = Type.Object(
  {
    biller: Type.String({ description: 'Slug of the biller.', examples: ['energie-du-sahel'] }),
    product: Type.String({ description: 'Slug of the product.', examples: ['facture'] }),
    amount: amount({ description: 'What was paid, in the smallest currency unit.', examples: [12500] }),
    currency: currency(),
    biller_ref: Type.String({ description: 'From the lookup; empty in modes `fixed` and `user`.', examples: ['FAC-2026-11-0042'] }),
    form_values: formInput('What the customer filled in, by field id.'),
    transaction_id: uuid({ description: 'Ledger transaction of the payment. Deduplicate on it.' }),
    charge_id: uuid({ description: 'Of this payment; a bill has no charge that could be fetched.' }),
    merchant_id: uuid({ description: 'Your merchant id.' }),
    paid_at: unixSeconds('When it was paid, in Unix seconds.'),
  },
  { $id: 'FulfillmentContext', description: 'The `ctx` of a hosted `onPaid(ctx)`.' },
)
