// Webhooks and lookups as their receivers use them.
import { sign, verify, verifyLookup } from './webhook-signature.ts'

/** `webhooks.verify(rawBody, header, secret)` returns the event of a webhook, or rejects with a WebhookSignatureError. */
export const webhooks = { verify, sign } as const

/**
 * `billers.verifyLookup(rawBody, header, lookupSecret)` returns the question of a lookup, or rejects with a WebhookSignatureError. A
 * payment is reported by the event `bill.paid`, which `webhooks.verify` checks. `webhooks.sign` signs both, for tests.
 */
export const billers = { verifyLookup } as const
