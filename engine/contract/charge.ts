// Charges as the API accepts and returns them: payment requests with one address where a customer pays.
import {
  amount,
  currency,
  environment,
  listOf,
  NOTE_LENGTH_MAX,
  PAGE_QUERY,
  reference,
  referenceFilter,
  searchText,
  tagInput,
  tagOutput,
  timestamp,
  uuid,
} from './common.ts'
import { Caller, ChargeMaker } from './created-by.ts'
import { feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { REFUNDED_FOR_FIELDS } from './payment-reason.ts'
import { choice, nullable, type SchemaDocs, type Static, Type, text } from './schema.ts'

export const CHARGE_STATES = ['pending', 'paid', 'expired', 'cancelled', 'refunded'] as const

const URL_LENGTH_MAX = 2048
const METADATA_KEYS_MAX = 50
const METADATA_VALUE_LENGTH_MAX = 500
/** UTF-8 bytes of all keys and values together. */
export const METADATA_BYTES_MAX = 8 * 1024
/** Basic Multilingual Plane without control characters and surrogates: its length is the same with and without Unicode mode. */
const METADATA_KEY = '^[\\u0020-\\u007e\\u00a0-\\ud7ff\\ue000-\\uffff]{1,64}$'

export function chargeToken(docs: SchemaDocs = {}) {
  return Type.String({
    pattern: '^[A-Za-z0-9_-]{32}$',
    description: 'Public, unguessable handle. It gives access to the checkout page.',
    examples: ['Vb3kQ0xTz7mN1rYp4LwHs8DgJf2CeA6u'],
    ...docs,
  })
}

/** Parameter for a charge of a merchant: its token or its id. */
export function chargeHandle() {
  return Type.String({ maxLength: 64, description: 'Token or id of the charge.', examples: ['Vb3kQ0xTz7mN1rYp4LwHs8DgJf2CeA6u'] })
}

export function address(docs: SchemaDocs = {}) {
  return text({ lines: 'one', maxLength: URL_LENGTH_MAX, ...docs })
}

function metadata(docs: SchemaDocs = {}) {
  return Type.Record(Type.String({ pattern: METADATA_KEY }), text({ lines: 'many', maxLength: METADATA_VALUE_LENGTH_MAX }), {
    additionalProperties: false,
    maxProperties: METADATA_KEYS_MAX,
    ...(docs as object),
  })
}

export const CreateChargeBody = moneyBody(
  {
    amount: amount(),
    reference: Type.Optional(reference({ description: 'Your order number: one line of at most 255 characters.' })),
    description: Type.Optional(
      text({
        lines: 'many',
        maxLength: NOTE_LENGTH_MAX,
        description: 'Shown to the customer. At most 500 characters.',
        examples: ['2 pagnes wax'],
      }),
    ),
    customer_tag: Type.Optional(
      Type.String({
        pattern: '^(?:@?[A-Za-z0-9_]{3,20})?$',
        description: 'Only this wallet may pay. Its existence is not checked here. Empty is the same as absent: any wallet may pay.',
        examples: ['@awa_diallo'],
        'x-error': 'invalid_tag',
      }),
    ),
    redirect_url: Type.Optional(
      address({
        description:
          'Where the browser goes after the payment: HTTPS, in the test environment also `http://localhost`. Empty is the same as absent.',
        examples: ['https://boutique.example/merci'],
      }),
    ),
    webhook_url: Type.Optional(
      address({
        description: 'Replaces your webhook endpoints for the `charge.succeeded` of this charge. HTTPS; empty is the same as absent.',
        examples: ['https://boutique.example/hooks/cauri'],
      }),
    ),
    environment: Type.Optional(environment({ description: 'When sent, it must be the one of the key.' })),
    metadata: Type.Optional(
      metadata({
        description:
          'Your own data: at most 50 keys of 1 to 64 characters, values of at most 500, 8 KiB of UTF-8 over all keys and values. Returned in responses and webhooks.',
        examples: [{ panier: 'A-118' }],
      }),
    ),
  },
  { $id: 'CreateChargeBody' },
)

export type CreateChargeBody = Static<typeof CreateChargeBody>

/** Returns the UTF-8 bytes of all keys and values. */
export function metadataBytes(metadata: Readonly<Record<string, string>>): number {
  let bytes = 0
  for (const [key, value] of Object.entries(metadata)) bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  return bytes
}

export const Charge = Type.Object(
  {
    id: uuid({ description: 'Id of the charge.' }),
    token: chargeToken(),
    amount: amount(),
    currency: currency(),
    fee: feeTaken('The fee of the payment, which the merchant or the payer bore; 0 without one, and before the payment.'),
    state: choice(CHARGE_STATES, { description: '`pending` at creation; `expired`, `cancelled` and `refunded` are final.' }),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    checkout_url: Type.String({ format: 'uri', description: 'Address of the checkout page. Show only this address to the customer.' }),
    redirect_url: Type.String({ description: 'As sent; empty when none was sent.' }),
    webhook_url: Type.String({ description: 'As sent; empty when none was sent.' }),
    customer_tag: Type.String({
      pattern: '^(?:[a-z0-9_]{3,20})?$',
      description: 'Normalized tag of the only wallet that may pay; empty when any wallet may.',
      examples: ['awa_diallo'],
    }),
    expires_at: timestamp({ description: 'Thirty minutes after creation.' }),
    description: Type.String({ description: 'As sent; empty when none was sent.' }),
    environment: environment(),
    created_at: timestamp(),
    paid_at: nullable(timestamp(), { description: 'When it was paid; null before.' }),
    cancelled_at: nullable(timestamp(), { description: 'When it was cancelled; null otherwise.' }),
    refunded_at: nullable(timestamp(), { description: 'When it was refunded; null otherwise.' }),
    transaction_id: nullable(uuid(), { description: 'Ledger transaction of the payment.' }),
    refund_transaction_id: nullable(uuid(), { description: 'Ledger transaction of the refund.' }),
    payer_tag: nullable(tagOutput(), { description: 'Who paid.' }),
    metadata: metadata({ description: 'As sent; `{}` when none was sent.' }),
    created_by: ChargeMaker,
    payment_link_id: Type.Optional(uuid({ description: 'The payment link that made it. Only on charges of a link.' })),
    payment_link_created_by: Type.Optional(Caller),
    ...REFUNDED_FOR_FIELDS,
  },
  { $id: 'Charge' },
)

export type Charge = Static<typeof Charge>

export const ChargeList = listOf(Charge, 'ChargeList')

export const ListChargesQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(CHARGE_STATES, { description: 'Only charges in this state.' })),
  reference: Type.Optional(referenceFilter()),
  customer_tag: Type.Optional(tagInput()),
  created_by: Type.Optional(
    uuid({ description: 'Only charges that this key, member or link made, and those of the links that the key or member made.' }),
  ),
  q: Type.Optional(
    searchText(
      'Reference, tag of the customer or of the payer (the newest 128 payments), or id of the charge or of its transaction, or token.',
    ),
  ),
})

export type ListChargesQuery = Static<typeof ListChargesQuery>

export const TestPayBody = moneyBody(
  { payer_tag: tagInput({ description: 'A test wallet. No PIN is asked.', 'x-error': 'invalid_tag' }) },
  { $id: 'TestPayBody' },
)

export type TestPayBody = Static<typeof TestPayBody>
