// Why a payment is refunded, and what a customer says is wrong with one. Both name a reason of the same list.
import { choice, type Static, Type, text } from './schema.ts'

export const PAYMENT_REASONS = [
  'paid_twice',
  'wrong_amount',
  'not_received',
  'not_as_agreed',
  'cancelled',
  'not_recognized',
  'other',
] as const

export type PaymentReason = (typeof PAYMENT_REASONS)[number]

/** A text beside a reason, and the answer to it. */
export const REASON_TEXT_LENGTH_MAX = 500

export function paymentReason(description: string) {
  return choice(PAYMENT_REASONS, { description, examples: ['paid_twice'] })
}

export function reasonText(description: string) {
  return text({ lines: 'many', maxLength: REASON_TEXT_LENGTH_MAX, description, examples: ['Le client a payé deux fois la commande 1042.'] })
}

/** Fields of a body that refunds. */
export const REFUND_REASON_FIELDS = {
  reason: Type.Optional(paymentReason('Why it is refunded. Kept with the refund.')),
  text: Type.Optional(reasonText('More about the reason: at most 500 characters. The customer does not see it.')),
}

/** Fields of a refunded record. */
export const REFUNDED_FOR_FIELDS = {
  refund_reason: Type.Optional(paymentReason('Why it was refunded. Only on refunds that name a reason.')),
  refund_text: Type.Optional(Type.String({ description: 'What was said of the reason. Only on refunds that say something.' })),
}

const Refunded = Type.Object(REFUNDED_FOR_FIELDS)

/** Reason and text of a refund, as its record has them. */
export type RefundedFor = Readonly<Static<typeof Refunded>>

/** What a caller says of a refund. */
export interface RefundWords {
  readonly reason?: PaymentReason
  readonly text?: string
}

/** Returns what the record of the refund keeps. */
export function refundedFor({ reason, text: said = '' }: RefundWords): RefundedFor {
  return { ...(reason === undefined ? {} : { refund_reason: reason }), ...(said === '' ? {} : { refund_text: said }) }
}
