// Webhooks and lookups as their receivers use them.
import { receive, receiveLookup, sign, verify, verifyLookup } from './webhook-signature.ts'

/**
 * `webhooks.receive(request, secret)` reads a request and returns its event; `webhooks.verify(rawBody, header, secret)` takes a body
 * that was read already. Both reject with a WebhookSignatureError.
 */
export const webhooks = { receive, verify, sign } as const

/**
 * `billers.receiveLookup(request, lookupSecret)` and `billers.verifyLookup(rawBody, header, lookupSecret)` return the question of a
 * lookup, or reject with a WebhookSignatureError. A payment is reported by the event `bill.paid`, which `webhooks.receive` checks.
 * `webhooks.sign` signs both, for tests.
 */
export const billers = { receiveLookup, verifyLookup } as const
