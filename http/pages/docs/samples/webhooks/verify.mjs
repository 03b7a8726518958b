import { webhooks } from '@cauri/node'

const secret = process.env.CAURI_WEBHOOK_SECRET ?? ''
const header = process.env.SIGNATURE
const body = process.env.BODY ?? ''
// The raw bytes of the body, before any parsing. Throws a WebhookSignatureError for a forged or old event.
const event = await webhooks.verify(Buffer.from(body), header, secret)
console.log(event.type)
