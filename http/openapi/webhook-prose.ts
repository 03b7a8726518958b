// What merchants and operators read of the calls that leave the service: delivery, retries, lookups, hosted code, gateways,
// and how to check a signature. A test works the example out again.
import type { JsonObject } from './openapi-schemas.ts'

export const WEBHOOKS_ABOUT = `We POST \`{"type", "data"}\` as JSON to your endpoints; what each type carries stands under \`webhooks\` in this document.

**Delivery.** Any 2xx within 15 s is success; the body of your answer is not read. Redirects are not followed. Everything else except 410 is retried 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the attempt before it, each wait 20 % shorter or longer at random; a \`Retry-After\`
that asks for more is honoured, up to a day. \`bill.paid\` and \`ping\` are sent once. 410 disables the endpoint. An endpoint can have 50 000
deliveries open; what comes beyond is recorded and can be sent by hand. Events may come twice and in any order: \`X-Service-Event-Id\` tells them apart,
\`X-Service-Delivery-Id\` stands for event and endpoint over all attempts, \`X-Service-Attempt\` counts from 1. Answer first and do the work later: an
endpoint that answers slowly gets fewer concurrent calls.

**Signature.** \`X-Service-Signature: t=<unix seconds>,v1=<hex>\`, with two \`v1=\` while a secret rotates. To check it:

1. Take \`t\` and every \`v1\` from the header; ignore other names.
2. Compute HMAC-SHA256 with the whole secret as text (\`whsec_\` included, UTF-8) as the key, over \`t\`, a dot, and the raw bytes of the body as
   they came, before any parsing. Write it in lower-case hex.
3. One of the \`v1\` must be equal to it; compare in constant time.
4. Reject the event when \`t\` is more than 300 s away from your clock.

A worked example:

\`\`\`text
secret     whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA
body       {"type":"ping","data":{"endpoint_id":"019aa0f0-2a00-7b11-8c2d-3e4f50617283"}}
signature  t=1763632800,v1=961d68af16e9fafd2c21f55acce254553448104c305f89cfe9131d4720036878
\`\`\`

In a shell: \`printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$secret"\`. In Node.js, \`http/workers/webhooks/verify-signature.ts\` of Cauri's source may be
copied.`

export const WEBHOOK_EVENTS_ABOUT = 'What each type of event carries. Delivery, retries and signature are described under the tag Webhooks.'

export const LOOKUP_ABOUT = `We POST to the \`lookup_url\` of a product of mode \`lookup\` when a customer asks what is due. Answer within 10 s with HTTP 200 and JSON, whether or
not something is due. No money moves here: the amount holds for the customer for five minutes. Redirects are not followed, and private addresses are
not called. At most 24 lookups of one merchant are under way at the same time; beyond, customers get \`lookup_unavailable\` at once.

With a \`lookup_secret\` the call is signed like an event, with that secret as the key. Use another secret than that of your webhooks.`

export const LOOKUP_FAILURES =
  'Another status, JSON of another shape, or line items that do not sum to the amount: the customer gets 502 `lookup_unavailable`. No answer within 10 s: 504 `lookup_timeout`.'

export const HOSTED_LOOKUP_ABOUT = `No HTTP request: where \`lookup_integration\` is \`code\`, your function \`lookup(args)\` of \`lookup_code\` is called with this object and returns the
answer, or a promise of it. An error in it is \`lookup_unavailable\` for the customer.`

export const CONTEXT_ABOUT = `No HTTP request: where \`fulfillment_mode\` is \`code\`, your function \`onPaid(ctx)\` of \`fulfillment_code\` is called with this object after each
payment, before \`bill.paid\` is sent. An error does not undo the payment; it is recorded with the payment (\`fulfillment.error\`).`

export const LOOKUP_EXCHANGE_ABOUT = 'The call to the system of a biller, and its answers.'

export const HOSTED_CODE_ABOUT =
  'The arguments of a product’s functions, in the form of a call. The functions run in the service, within 10 s, with the globals of Node.js 18 and without modules; `POST …/test-lookup` and `POST …/test-fulfillment` try them.'

export const GATEWAYS_ABOUT = `Messages to the owners of wallets and to users of the dashboard, for the operator of the service: POST of JSON to the settings SMS_URL, PUSH_URL and
EMAIL_URL. A message is stored with the change that causes it and leaves once that is durable. A 2xx within 10 s ends it: it is never sent again. 400, 410, 413 and 422 refuse the message itself
and end it too. Everything else is tried again with growing waits, and with the gateway's \`Retry-After\`: text messages (codes) for 10 minutes, pushes and e-mails for 24 hours. A restart
loses no message. A message whose answer was not stored before a crash comes twice, with the same \`id\`. Each gateway gets as many concurrent calls as it answers well, 64 at most. With GATEWAY_SECRET each call is
signed as webhooks are. A push goes to wallets that are signed in on a device, with or without push tokens.`

export const GATEWAY_RESPONSES: JsonObject = {
  '2XX': { description: 'Taken. The body is not read.' },
  '400': { description: 'Given up. So are 410, 413 and 422.' },
  default: { description: 'Tried again later.' },
}
