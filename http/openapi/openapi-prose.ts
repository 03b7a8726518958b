// The prose of the OpenAPI document, and its shared headers, parameters and security schemes.
import { SCOPES } from '../../engine/contract/api-key.ts'
import type { JsonObject } from './openapi-schemas.ts'
import { QUOTAS_ABOUT } from './quota-prose.ts'
import { GATEWAYS_ABOUT, HOSTED_CODE_ABOUT, LOOKUP_EXCHANGE_ABOUT, WEBHOOK_EVENTS_ABOUT, WEBHOOKS_ABOUT } from './webhook-prose.ts'

export const ABOUT = `Payments and payouts for West Africa: charges, payouts to wallets by \`@tag\`, a biller directory, all over one double-entry ledger.

**Conventions.** JSON in and out, UTF-8, \`snake_case\`. Amounts are integers in the smallest unit of the currency; XOF has no decimals, so 5000 is
5 000 F CFA. Integers consist of digits alone: \`5000.0\`, \`5e3\` and \`"5000"\` are rejected, although JSON Schema calls the
first two integers. Only \`form_values\` accept decimals. Times are RFC 3339 in UTC. Ids are UUIDs of version 7 and sort by time. Tags are written without their \`@\` and in lower case, and
accepted with or without it. New fields and new enum values may appear at any time; none is renamed or removed without notice (\`Deprecation\` and \`Sunset\`
headers, twelve months).

**Audience.** \`/openapi.yaml?audience=merchant\` is this document for merchants alone.

**Environments.** A \`pk_test_\` pair sees the test ledger, a \`pk_live_\` pair the live one. They never mix: an id, tag or token of one does not exist
in the other.

**Idempotency.** Every POST accepts an \`Idempotency-Key\`; only the dry run of a batch ignores it. A request is the same when method, path with query and
body are equal, byte for byte; PINs and passwords are not compared. The same key with the same request returns the first answer again, with
\`Idempotent-Replayed: true\`. The key never expires. The same key with another request returns 422.

A key belongs to the account of the caller. On routes without an account (sign-in, checkout) it belongs to path and body. In the steps of a sign-up or
login, and for a logout, it belongs to the token of the request; a replay works after that token has expired. An answer that contains tokens is repeated
until they expire.

Outcomes that the ledger decided are stored under the key, a failed payout included. Rejections before a decision (400, 401, 403, 404, 405, 413, 415, 422,
423, 429, 5xx) are not stored: the same key may be tried again.

**Requests.** Unknown fields of a body are ignored, except where money is posted, held or planned: there each one is 400 \`unknown_field\` with its
dotted path as \`param\` (the body's schema has \`additionalProperties: false\`), and a line of a batch fails with that code. Unknown, repeated, empty or
malformed parameters of a query give 400 \`invalid_parameter\`. Bodies nest at most 32 deep (\`invalid_json\`), hold at most 100 000 values (\`invalid_request\`), and no key may be \`__proto__\`, \`constructor\` or \`prototype\`
(\`invalid_request\`). Text may not hold control characters; notes and descriptions may hold tabs and line breaks. Lengths count characters (code points).

**Lists.** \`limit\` 1 to 100, 20 without it; \`cursor\` is the \`next_cursor\` of the page before; newest first. \`created_from\` is inclusive,
\`created_to\` exclusive. A page is stable: records that appear later do not shift it. A cursor is opaque and belongs to its list, its filters and its caller.

**Limits.** 429 \`rate_limited\` with \`Retry-After\`: too many requests in a second, or too much written in a day. A batch of payouts counts as
one request and one more for each ten lines. A merchant may write 1 GiB a day and
environment (UTC; the service's settings may differ) with commands that move no live money: unpaid charges, failed payouts, products,
endpoints. Each live payment makes room for 64 KiB more and is never rejected for this limit; payments in test money count 1/256 of their
size. Requests that end something (a cancellation, a revoked key) are always accepted.

${QUOTAS_ABOUT}

**Errors.** Every answer that is not 2xx is an \`ErrorBody\`. \`code\` is stable; \`message\` may be shown as it is, in French, or in
English where \`Accept-Language\` prefers it (\`Content-Language\` names the language); \`param\` names the field (dotted path), parameter or
header at fault. \`x-errors\` lists all codes. A path that does not exist gives 404 \`not_found\`, a
wrong method 405 \`method_not_allowed\` with \`Allow\`.`

const CHECKOUT_ABOUT = `Routes of the payment page. Public: the token of a charge is the only credential.

A phone cannot scan its own screen, so on small screens the page first offers the app by the link \`cauri://pay/{token}\`. An app that registers the
URI scheme \`cauri\` reads the charge by \`GET /v1/biz/checkout/{token}\`, shows the balance and what will be left of it, and pays by
\`POST /v1/me/charges/{token}/pay\`.`

const BILLERS_ABOUT = `Bills that customers pay in the app. The way there: write the profile, upload the logo, create products, try lookup and fulfillment, submit.

The directory is one for both environments: profile and products are the same for both keys; quotes and payments are per environment. An operator
reviews what is submitted; \`biller.approved\` and \`biller.rejected\` go to the endpoints that ask, in both environments.`

const DASHBOARD_ABOUT = `Users of a merchant: sign up, log in, invite members, make and revoke API keys. On routes that take a session, it has every scope, and the role of
its user decides: \`viewer\` reads; \`cashier\` makes charges and links, and reads these and its till alone; \`manager\` reads, pays, refunds and plans;
\`owner\` does everything. Anything else: 403 \`insufficient_role\`. Who signs a merchant up is its first owner.

Links in e-mails lead to pages of the dashboard and carry \`?token=\`; the token is used once. An address that is not confirmed is refused one thing: an owner
with such an address has at most three open invitations (403 \`email_not_confirmed\`).`

const OPERATOR_ABOUT = `For the operators of the service. Without the setting OPERATOR_TOKEN these routes do not exist (404). An address that sent 100 wrong tokens
within an hour is answered 429.

OPERATOR_TOKEN is the first way in and has every role, so that a service with one operator works. It should make an operator with a name for each person
and then stay locked away. Operators with a name have one role: all read; \`admin\` makes operators, merchants and keys and moves no money;
\`finance\` moves money; \`curator\` decides billers; \`support\` changes nothing. Anything else: 403 \`insufficient_role\`. The audit trail names who acted.
With the setting OPERATOR_DUAL_CONTROL a live movement above it waits for a second person. With OPERATOR_DAY_CONTROL one waits too that brings the sum of
its operator and day above it. With either, a new operator with the role \`admin\` or \`finance\` and the revocation of an \`admin\` wait for another
person. The holder of OPERATOR_TOKEN counts as one person. What a revoked operator asked for is refused.
Idempotency keys belong to the operator.`

export type Tag = (typeof TAGS)[number]['name']

export const TAGS = [
  { name: 'Account', description: 'The merchant of the key: its balance and its ledger transactions.' },
  { name: 'Top-ups', description: 'Money that you send to the service by bank, credited when an operator has seen it arrive.' },
  { name: 'Withdrawals', description: 'Money that you take out to a bank or mobile money account, held until an operator has sent it.' },
  { name: 'Charges', description: 'Payment requests: one address to show to a customer, one webhook when it is paid.' },
  { name: 'Checkout', description: CHECKOUT_ABOUT },
  { name: 'Payment links', description: 'One address for many payments, such as the QR code of a shop’s counter.' },
  { name: 'Problems', description: 'What customers say about their payments, and your answers. No money moves by them.' },
  { name: 'Payouts', description: 'Money from your balance to wallets, credited at once.' },
  { name: 'Disbursements', description: 'Up to 100 000 payouts as one object, which a second person may have to approve.' },
  { name: 'Contacts', description: 'Recipients that you pay again, and their groups.' },
  { name: 'Payout schedules', description: 'Payouts that repeat: once, weekly or monthly.' },
  { name: 'Mandates', description: 'Subscriptions: what a customer lets you collect, once approved.' },
  { name: 'Biller directory', description: BILLERS_ABOUT },
  { name: 'Bill payments', description: 'Payments of bills, with the result of the code that ran after each.' },
  { name: 'Webhooks', description: WEBHOOKS_ABOUT },
  { name: 'Webhook events', description: WEBHOOK_EVENTS_ABOUT },
  { name: 'Lookup exchange', description: LOOKUP_EXCHANGE_ABOUT },
  { name: 'Hosted code', description: HOSTED_CODE_ABOUT },
  {
    name: 'Dashboard',
    description: DASHBOARD_ABOUT,
  },
  {
    name: 'Wallet sign-in',
    description:
      'Sign-up: phone/start, phone/verify, identity/set, tag/set, pin/set. Login: phone/start, phone/verify, pin/verify. Tokens go into `Authorization: Bearer`.',
  },
  { name: 'Wallet', description: 'The wallet of the token: its owner, its balance, its ledger transactions and its devices.' },
  { name: 'Wallet charges', description: 'Scan a checkout code, pay with the PIN.' },
  { name: 'Wallet mandates', description: 'Requests of merchants to collect: approve, reject or cancel them.' },
  { name: 'Wallet directory', description: 'Find a biller, fill in the form of a product, pay.' },
  { name: 'Wallet stream', description: 'Payments, charges and devices as they happen, as server-sent events.' },
  { name: 'Wallet transfers', description: 'Money from wallet to wallet.' },
  { name: 'Test helpers', description: 'Deposits, wallets and payments of the test environment. Test keys only.' },
  {
    name: 'Operator',
    description: OPERATOR_ABOUT,
  },
  { name: 'Gateways', description: GATEWAYS_ABOUT },
  { name: 'Service', description: 'Health and this document.' },
] as const

export const SECURITY_SCHEMES: JsonObject = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: `Public half of the pair, \`pk_test_…\` or \`pk_live_…\`; it chooses the environment. Scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`,
  },
  ApiSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Secret',
    description: 'Secret half of the pair, `sk_test_…` or `sk_live_…`. Keep it on your server.',
  },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description: 'Of sign-up or login; plain `session` where the dashboard is reached over http in development. Good for 14 days.',
  },
  WalletToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: '`access_token`, good for an hour or until its session ends.',
  },
  StreamTicket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'Of `POST /v1/me/events/ticket`: once, within a minute.' },
  SignupToken: { type: 'http', scheme: 'bearer', description: '`signup_token` of phone/verify, good for 15 minutes and one sign-up.' },
  LoginToken: { type: 'http', scheme: 'bearer', description: '`login_token` of phone/verify, good for 5 minutes and one login.' },
  OperatorToken: { type: 'http', scheme: 'bearer', description: 'The setting OPERATOR_TOKEN, or the token of an operator with a name.' },
}

export const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same request always returns the same answer. 1 to 255 printable ASCII characters; ' +
    'any other byte returns 400, except at the ends of the key, where the server may not see it. The answer repeats the header as it was read: compare it. ' +
    'In double quotes (`"paie-2026-11-awa"`) every byte is seen; the quotes are part of the key.',
  schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
}

export const REQUEST_ID: JsonObject = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'Repeated in the answer and written to the service’s logs. 1 to 128 printable ASCII characters; any other value is replaced by a new id.',
  schema: { type: 'string' },
}

export const ENVIRONMENT: JsonObject = {
  name: 'X-Environment',
  in: 'header',
  required: false,
  description: 'With a session: the environment of the request, `live` by default. An API key has its own environment.',
  schema: { type: 'string', enum: ['test', 'live'], default: 'live' },
}

export const CSRF_TOKEN: JsonObject = {
  name: 'X-CSRF-Token',
  in: 'header',
  required: false,
  description: 'Required with a session: `csrf_token` of login or of `GET /v1/dashboard/me`. Not with a key.',
  schema: { type: 'string' },
}

export const HEADERS: JsonObject = {
  'X-Request-Id': {
    description: 'The id of the request, or a new one when it had none.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  'Content-Language': {
    description:
      'Language of `message`: English where `Accept-Language` prefers it to French, or excludes French (`fr;q=0`). `*` is no wish: French. The replay of a key keeps the language of its first request.',
    schema: { type: 'string', enum: ['fr', 'en'] },
  },
  'RateLimit-Limit': { description: 'Requests a second. Absent where there is no limit.', schema: { type: 'integer', minimum: 1 } },
  'RateLimit-Remaining': { description: 'Requests left right now.', schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Reset': { description: 'Seconds until all are back.', schema: { type: 'integer', minimum: 0 } },
  'Idempotent-Replayed': {
    description: '`true` when the answer is a replay of the key’s first answer.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', required: true, schema: { type: 'integer', minimum: 0 } },
  'Set-Cookie': { description: 'The session: HttpOnly, SameSite=Lax, Secure over https.', required: true, schema: { type: 'string' } },
  ETag: { description: 'Version of the document in this coding.', required: true, schema: { type: 'string' } },
  Vary: { description: '`Accept-Encoding`.', required: true, schema: { type: 'string' } },
  'Content-Encoding': {
    description: '`br` or `gzip`; absent where it is not compressed.',
    schema: { type: 'string', enum: ['br', 'gzip'] },
  },
  Link: { description: 'With `rel="next"`: where the next part of the CSV is.', schema: { type: 'string' } },
}
