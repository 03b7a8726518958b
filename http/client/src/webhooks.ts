// Webhooks as receivers use them.
import { sign, verify } from './webhook-signature.ts'

/** `webhooks.verify(rawBody, header, secret)` returns the event of a webhook, or rejects with a WebhookSignatureError. */
export const webhooks = { verify, sign } as const
