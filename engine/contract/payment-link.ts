// Payment links as the API accepts and returns them: one address for many payments, such as the QR code of a shop's counter.
import { amount, currency, environment, listOf, NOTE_LENGTH_MAX, PAGE_QUERY, partText, reference, timestamp, uuid } from './common.ts'
import { Caller } from './created-by.ts'
import { moneyBody } from './money-body.ts'
import { choice, nullable, type Static, Type, text } from './schema.ts'

export const PAYMENT_LINK_STATES = ['active', 'closed'] as const

const PAYMENTS_MAX = 1_000_000

export const CreatePaymentLinkBody = moneyBody(
  {
    amount: Type.Optional(amount({ description: 'Whole XOF for each payment. Without it the customer types the amount.' })),
    description: text({
      lines: 'many',
      minLength: 1,
      maxLength: NOTE_LENGTH_MAX,
      description: 'Shown to the customer. At most 500 characters.',
      examples: ['Boutique du marché, caisse 1'],
    }),
    reference: Type.Optional(reference({ description: 'Reference of every charge that the link makes.' })),
    max_payments: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PAYMENTS_MAX,
        format: 'int32',
        description: 'The payment that reaches it closes the link.',
        examples: [100],
      }),
    ),
    expires_at: Type.Optional(timestamp({ description: 'The link is closed from then on. In the future.' })),
  },
  { $id: 'CreatePaymentLinkBody' },
)

export type CreatePaymentLinkBody = Static<typeof CreatePaymentLinkBody>

export const PaymentLink = Type.Object(
  {
    id: uuid({ description: 'Id of the link; `payment_link_id` of its charges.' }),
    url: Type.String({ format: 'uri', description: 'Address of the page that customers pay on. It never changes, so it may be printed.' }),
    state: choice(PAYMENT_LINK_STATES, { description: '`closed` is final: by you, by `max_payments` or by `expires_at`.' }),
    amount: nullable(amount(), { description: 'Of each payment; null when the customer types it.' }),
    currency: currency(),
    description: Type.String({ description: 'As sent.' }),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    max_payments: nullable(Type.Integer({ minimum: 1, format: 'int32' }), { description: 'As sent; null without a maximum.' }),
    payments_count: Type.Integer({ minimum: 0, format: 'int32', description: 'Payments so far; never more than `max_payments`.' }),
    collected_amount: Type.Integer({ minimum: 0, format: 'int64', description: 'Sum of these payments in XOF, refunded ones included.' }),
    created_by: Caller,
    environment: environment(),
    expires_at: nullable(timestamp(), { description: 'As sent; null without one.' }),
    created_at: timestamp(),
    closed_at: nullable(timestamp(), { description: 'When it was closed; null while active.' }),
  },
  { $id: 'PaymentLink', description: 'A payment link.' },
)

export type PaymentLink = Static<typeof PaymentLink>

export const PaymentLinkList = listOf(PaymentLink, 'PaymentLinkList')

export const ListPaymentLinksQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(PAYMENT_LINK_STATES, { description: 'Only links in this state.' })),
  q: Type.Optional(partText('Description, reference, address or id of the link.')),
})

export type ListPaymentLinksQuery = Static<typeof ListPaymentLinksQuery>
