// Charges for merchants: one row for each route. Decisions are in engine/domain/charge.

import type { AccountNumber, Command, EngineApi } from '../../../engine/api.ts'
import {
  Charge,
  ChargeList,
  CreateChargeBody,
  chargeHandle,
  ListChargesQuery,
  METADATA_BYTES_MAX,
  metadataBytes,
} from '../../../engine/contract/charge.ts'
import type { ErrorCode, ErrorExtras } from '../../../engine/contract/errors.ts'
import { RefundBody } from '../../../engine/contract/money-body.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import { linkToken } from '../../crypto/link-token.ts'
import { answerDocuments, CsvColumns, csvResponse, type DocumentCsv, type DocumentListParts } from '../../lists/document-csv.ts'
import { CSV_DESCRIPTION } from '../../lists/statement-list.ts'
import { redirectFault, webhookFault } from '../../outbound/merchant-addresses.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { cashierOf } from '../../server/route-guards.ts'
import { CANCELLED_CHARGE, CHARGE_REQUEST, PAID_CHARGE, PENDING_CHARGE, REFUNDED_CHARGE } from './charge-examples.ts'

const CSV: DocumentCsv = { path: '/v1/biz/charges', fileName: 'charges.csv', columns: new CsvColumns(Charge) }

export interface ChargeRoutesParts extends DocumentListParts {
  /** Base URL of the payment pages, without a trailing slash. */
  readonly checkoutBase: string
  /** The setting OUTBOUND_ALLOW_PRIVATE. */
  readonly outboundAllowPrivate: boolean
}

export function chargeRoutes(parts: ChargeRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/charges',
      operationId: 'createCharge',
      tag: 'Charges',
      summary: 'Ask a customer for a payment',
      description: CREATE_DESCRIPTION,
      auth: 'key-or-session',
      memberRole: 'cashier',
      idempotency: 'accepted',
      body: CreateChargeBody,
      bodyExample: CHARGE_REQUEST,
      responses: [{ status: 201, description: 'The charge, pending.', schema: Charge, example: PENDING_CHARGE }],
      commands: ['CreateCharge'],
      unreachable: ['payment_link_closed'],
      errors: [
        'environment_mismatch',
        'unsupported_currency',
        'invalid_tag',
        'invalid_recipient',
        'redirect_url_must_be_https',
        'webhook_url_must_be_https',
      ],
      handle: (call) => createCharge(parts, call),
    }),
    ...readingRoutes(parts),
    ...movingRoutes(parts),
  ]
}

function readingRoutes(parts: ChargeRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/charges',
      operationId: 'listCharges',
      tag: 'Charges',
      summary: 'List charges',
      description: `${LIST_DESCRIPTION}\n\n${CSV_DESCRIPTION}`,
      auth: 'key-or-session',
      cashierReads: true,
      idempotency: 'none',
      query: ListChargesQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first by creation.',
          schema: ChargeList,
          example: { data: [PAID_CHARGE], has_more: false, next_cursor: null },
        },
        csvResponse(CSV, PAID_CHARGE),
      ],
      errors: ['insufficient_role'],
      handle: (call) => listCharges(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/charges/{token}',
      operationId: 'getCharge',
      tag: 'Charges',
      summary: 'Get a charge',
      description:
        'By its token or its id. 404 `not_found` for a charge of another merchant or environment; for a cashier, 403 `insufficient_role` for the charge of another member.',
      auth: 'key-or-session',
      cashierReads: true,
      idempotency: 'none',
      params: { token: chargeHandle() },
      responses: [{ status: 200, description: 'The charge.', schema: Charge, example: PAID_CHARGE }],
      errors: ['insufficient_role'],
      handle: (call) => getCharge(parts, call),
    }),
  ]
}

function movingRoutes(parts: ChargeRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/charges/{token}/cancel',
      operationId: 'cancelCharge',
      tag: 'Charges',
      summary: 'Cancel a pending charge',
      description: 'Cancelling a cancelled charge answers 200 again. A payment, the expiry and a cancellation never win together.',
      auth: 'key-or-session',
      memberRole: 'cashier',
      idempotency: 'accepted',
      params: { token: chargeHandle() },
      responses: [{ status: 200, description: 'The charge, cancelled.', schema: Charge, example: CANCELLED_CHARGE }],
      commands: ['CancelCharge'],
      errors: [],
      handle: (call) => submitMove(parts, call, (token, merchant) => ({ type: 'CancelCharge', merchant, token })),
    }),
    route({
      method: 'POST',
      path: '/v1/biz/charges/{token}/refund',
      operationId: 'refundCharge',
      tag: 'Charges',
      summary: 'Refund a paid charge',
      description: REFUND_DESCRIPTION,
      auth: 'key-or-session',
      memberRole: 'manager',
      idempotency: 'required',
      params: { token: chargeHandle() },
      body: RefundBody,
      bodyOptional: true,
      bodyExample: { amount: 15_000, reason: 'paid_twice' },
      responses: [{ status: 200, description: 'The charge, refunded.', schema: Charge, example: REFUNDED_CHARGE }],
      commands: ['RefundCharge'],
      errors: [],
      handle: (call) => {
        const { currency: _, ...expected } = call.body
        submitMove(parts, call, (token, merchant) => ({ type: 'RefundCharge', merchant, token, ...expected }))
      },
    }),
  ]
}

const CREATE_DESCRIPTION = `Answers one address, \`checkout_url\`, to show to the customer: a link, a QR code, a button. It can be paid for thirty minutes, in the app or on
the web. Your webhook endpoint receives \`charge.succeeded\`; the browser's return to \`redirect_url\` (with \`token\` and \`state\` in its query) proves nothing.
One account can have at most 200 000 pending charges (quota \`pending_charges\`).`

const REFUND_DESCRIPTION = `The whole amount goes back to the payer’s wallet, at once, while your available balance covers it. A body is optional: an \`amount\` that
is not the whole amount is 400 \`partial_refund_unsupported\`, and nothing is refunded. A \`reason\` stays with the refund.`

const LIST_DESCRIPTION = `Each charge as it stands now, newest first by creation. With \`state\`, a page may end early when very many charges had to be looked at:
go on with \`next_cursor\` for as long as \`has_more\` is true. A session of a \`cashier\` gets the charges that it made and those of its payment links: another
\`created_by\` is 403 \`insufficient_role\`.`

const TOKEN_BYTES = 24

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createCharge(parts: ChargeRoutesParts, call: MerchantCall<CreateChargeBody>): void {
  const { body, principal } = call
  const { amount, reference = '', description = '', redirect_url = '', webhook_url = '', metadata = {} } = body
  const fault = creationFault(parts, call)
  if (fault !== null) return call.refuse(fault.code, fault.param, fault.extras)
  const { customer_tag = '' } = body
  const customerTag = customer_tag === '' ? '' : normalizeTag(customer_tag)
  if (isPhoneWithoutPlus(customer_tag)) return call.refuse('invalid_recipient', 'customer_tag')
  if (customerTag === null) return call.refuse('invalid_tag', 'customer_tag')
  const token = linkToken(TOKEN_BYTES)
  const merchant = principal.account
  call.submit(
    {
      type: 'CreateCharge',
      ...{ merchant, token, amount, reference, description, customerTag, metadata, madeBy: principal.caller },
      checkoutUrl: `${parts.checkoutBase}/pay/${token}`,
      redirectUrl: redirect_url,
      webhookUrl: webhook_url,
    },
    merchant,
  )
}

const METADATA_TOO_LARGE = {
  code: 'invalid_request',
  param: 'metadata',
  extras: because('metadata_too_large'),
} as const

function creationFault(
  parts: ChargeRoutesParts,
  { body, principal }: MerchantCall<CreateChargeBody>,
): { code: ErrorCode; param: string; extras?: ErrorExtras | undefined } | null {
  const { environment, merchant } = principal
  if (body.environment !== undefined && body.environment !== environment) return { code: 'environment_mismatch', param: 'environment' }
  if (body.currency !== undefined && body.currency !== merchant.currency) return { code: 'unsupported_currency', param: 'currency' }
  const { redirect_url = '', webhook_url = '', metadata } = body
  if (metadata !== undefined && metadataBytes(metadata) > METADATA_BYTES_MAX) return METADATA_TOO_LARGE
  const redirect = redirect_url === '' ? null : redirectFault(redirect_url, environment)
  if (redirect !== null) return { ...redirect, param: 'redirect_url' }
  const webhook = webhook_url === '' ? null : webhookFault(webhook_url, environment, parts.outboundAllowPrivate)
  return webhook === null ? null : { ...webhook, param: 'webhook_url' }
}

function listCharges(parts: ChargeRoutesParts, call: MerchantCall<unknown, ListChargesQuery>): void {
  const { account } = call.principal
  const cashier = cashierOf(call.principal)
  const { created_by } = call.query
  if (cashier !== null && created_by !== undefined && created_by.toLowerCase() !== cashier)
    return call.refuse('insufficient_role', 'created_by')
  const own = cashier === null ? {} : { created_by: cashier }
  answerDocuments(parts, call, CSV, (query, slice) => parts.engine.query('charges.list', { account, query: { ...query, ...own }, slice }))
}

function getCharge({ engine }: ChargeRoutesParts, call: MerchantCall): void {
  const charge = engine.query('charges.get', { account: call.principal.account, handle: String(call.params[0]) })
  if (charge === null) return call.refuse('not_found')
  if (!maySee(call.principal, charge)) return call.refuse('insufficient_role')
  call.answer(200, charge)
}

/** Whether the caller may see the charge, given as JSON text: a cashier sees those that it made or whose link it made. */
function maySee(principal: MerchantPrincipal, charge: string): boolean {
  const cashier = cashierOf(principal)
  if (cashier === null) return true
  const { created_by, payment_link_created_by } = JSON.parse(charge) as Charge
  return created_by.id === cashier || payment_link_created_by?.id === cashier
}

/** Submits a command for the charge in the path, or answers 404. */
export function submitMove(
  parts: { readonly engine: Pick<EngineApi, 'query'> },
  call: MerchantCall,
  command: (token: string, merchant: AccountNumber) => Command,
): void {
  const { account } = call.principal
  const token = parts.engine.query('charges.tokenOf', { account, handle: String(call.params[0]) })
  if (token === null) return call.refuse('not_found')
  if (!maySeeToken(parts, call.principal, token)) return call.refuse('insufficient_role')
  call.submit(command(token, account), account)
}

/** Whether the caller may see the charge with this token. An unknown one is left to its command. */
function maySeeToken({ engine }: { readonly engine: Pick<EngineApi, 'query'> }, principal: MerchantPrincipal, token: string): boolean {
  if (cashierOf(principal) === null) return true
  const charge = engine.query('charges.get', { account: principal.account, handle: token })
  return charge === null || maySee(principal, charge)
}
