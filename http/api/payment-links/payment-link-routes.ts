// Payment links for merchants: one row for each route. Decisions are in engine/domain/payment-link.

import type { EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { CreatePaymentLinkBody, ListPaymentLinksQuery, PaymentLink, PaymentLinkList } from '../../../engine/contract/payment-link.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import { linkToken } from '../../crypto/link-token.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { cashierOf } from '../../server/route-guards.ts'
import { CLOSED_PAYMENT_LINK, PAID_PAYMENT_LINK, PAYMENT_LINK, PAYMENT_LINK_REQUEST } from './payment-link-examples.ts'

export interface PaymentLinkRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  /** Base URL of the payment pages, without a trailing slash. */
  readonly checkoutBase: string
}

const PATH = '/v1/biz/payment-links'
const PARAMS = { id: uuid({ description: 'Id of the link.' }) }
const TAG = 'Payment links'
/** 72 bits: a printed code is short, and others cannot be guessed. */
const CODE_BYTES = 9

export function paymentLinkRoutes(parts: PaymentLinkRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      operationId: 'createPaymentLink',
      tag: TAG,
      summary: 'Make one address for many payments',
      description: CREATE_DESCRIPTION,
      auth: 'key-or-session',
      memberRole: 'cashier',
      idempotency: 'accepted',
      body: CreatePaymentLinkBody,
      bodyExample: PAYMENT_LINK_REQUEST,
      responses: [{ status: 201, description: 'The link, active.', schema: PaymentLink, example: PAYMENT_LINK }],
      commands: ['CreatePaymentLink'],
      errors: [],
      handle: (call) => create(parts, call),
    }),
    ...readingRoutes(parts),
    route({
      method: 'POST',
      path: `${PATH}/{id}/close`,
      operationId: 'closePaymentLink',
      tag: TAG,
      summary: 'Close a link',
      description:
        'Final. Charges that it made and that are not paid yet cannot be paid any more (409 `payment_link_closed`). Closing a closed link answers 200 again.',
      auth: 'key-or-session',
      memberRole: 'cashier',
      idempotency: 'accepted',
      params: PARAMS,
      responses: [{ status: 200, description: 'The link, closed.', schema: PaymentLink, example: CLOSED_PAYMENT_LINK }],
      commands: ['ClosePaymentLink'],
      errors: [],
      handle: (call) => {
        const { account } = call.principal
        const link = parts.engine.query('paymentLinks.get', { account, id: idOf(call) })
        if (link !== null && !maySee(call.principal, link)) return call.refuse('insufficient_role')
        call.submit({ type: 'ClosePaymentLink', merchant: account, id: idOf(call) }, account)
      },
    }),
  ]
}

function readingRoutes(parts: PaymentLinkRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listPaymentLinks',
      tag: TAG,
      summary: 'List payment links',
      description: 'Active and closed ones, newest first. A session of a `cashier` gets the links that it made.',
      auth: 'key-or-session',
      cashierReads: true,
      idempotency: 'none',
      query: ListPaymentLinksQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: PaymentLinkList,
          example: { data: [PAID_PAYMENT_LINK], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => {
        const { principal, query } = call
        answerPage(call, parts.engine.query('paymentLinks.list', { account: principal.account, query, createdBy: cashierOf(principal) }))
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}`,
      operationId: 'getPaymentLink',
      tag: TAG,
      summary: 'Get a payment link',
      description:
        'With the number of its payments and the sum that it collected. For a cashier, 403 `insufficient_role` for the link of another member.',
      auth: 'key-or-session',
      cashierReads: true,
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The link.', schema: PaymentLink, example: PAID_PAYMENT_LINK }],
      errors: ['insufficient_role'],
      handle: (call) => {
        const link = parts.engine.query('paymentLinks.get', { account: call.principal.account, id: idOf(call) })
        if (link === null) return call.refuse('not_found')
        if (!maySee(call.principal, link)) return call.refuse('insufficient_role')
        call.answer(200, link)
      },
    }),
  ]
}

const CREATE_DESCRIPTION = `For a shop's counter, a poster or a message: \`url\` never changes, so its QR code can be printed. Its page asks for the amount
where the link has none, and makes a charge (\`payment_link_id\`) each time a customer goes on; the charge is paid as every other one and your endpoints get
\`charge.succeeded\`. \`payments_count\` never exceeds \`max_payments\`: a charge of the link that is paid too late is 409 \`payment_link_closed\`. An
account can have 2 000 active links (quota \`payment_links\`); closed ones do not count, and
the newest 2 000 of them stay in the list. Links in live need an activated merchant (403
\`live_not_activated\`).`

type MerchantCall<Body = unknown> = Call<Body, Record<string, unknown>, MerchantPrincipal>

function create({ engine, checkoutBase }: PaymentLinkRoutesParts, call: MerchantCall<CreatePaymentLinkBody>): void {
  const { amount = null, description, reference = '', max_payments: maxPayments = null, expires_at } = call.body
  const expiresMs = expires_at === undefined ? null : parseTime(expires_at)
  if (expiresMs !== null && expiresMs <= engine.query('engine.time', null)) {
    return call.refuse('invalid_request', 'expires_at', because('expires_too_early'))
  }
  const { account: merchant, caller: createdBy } = call.principal
  const code = linkToken(CODE_BYTES)
  const url = `${checkoutBase}/l/${code}`
  call.submit(
    { type: 'CreatePaymentLink', merchant, code, url, amount, description, reference, maxPayments, expiresMs, createdBy },
    merchant,
  )
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}

/** Whether the caller may see the link, given as JSON text: a cashier sees those that it made. */
function maySee(principal: MerchantPrincipal, link: string): boolean {
  const cashier = cashierOf(principal)
  return cashier === null || (JSON.parse(link) as PaymentLink).created_by.id === cashier
}
