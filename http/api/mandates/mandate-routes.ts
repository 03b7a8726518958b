// Mandates for merchants: one row for each route. Decisions about states and collections are in engine/domain/mandate.

import type { EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import type { ErrorCode, ErrorExtras } from '../../../engine/contract/errors.ts'
import {
  ChargeMandateBody,
  CreateMandateBody,
  ListMandatePaymentsQuery,
  ListMandatesQuery,
  Mandate,
  MandateList,
  MandatePayment,
  MandatePaymentList,
} from '../../../engine/contract/mandate.ts'
import { MoneyMoveBody } from '../../../engine/contract/money-body.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import { linkToken } from '../../crypto/link-token.ts'
import { answerPage, answerSlices } from '../../lists/list-answers.ts'
import { redirectFault } from '../../outbound/merchant-addresses.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { UNKNOWN_RECIPIENTS_RULE } from '../payouts/recipient-prose.ts'
import { CANCELLED_MANDATE, MANDATE, MANDATE_PAYMENT, MANDATE_REQUEST, PENDING_MANDATE } from './mandate-examples.ts'

export interface MandateRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  /** Base URL of the approval pages, without a trailing slash. */
  readonly checkoutBase: string
}

export function mandateRoutes(parts: MandateRoutesParts): readonly Route[] {
  return [createRoute(parts), ...readingRoutes(parts), cancelRoute(), chargeRoute(), collectRoute()]
}

const PATH = '/v1/biz/mandates'
const PARAMS = { id: uuid({ description: 'Id of the mandate.' }) }

function createRoute(parts: MandateRoutesParts): Route {
  return route({
    method: 'POST',
    path: PATH,
    operationId: 'createMandate',
    tag: 'Mandates',
    summary: 'Ask a customer for a mandate',
    description: CREATE_DESCRIPTION,
    auth: 'key',
    memberRole: 'manager',
    idempotency: 'accepted',
    body: CreateMandateBody,
    bodyExample: MANDATE_REQUEST,
    responses: [{ status: 201, description: 'The mandate, pending.', schema: Mandate, example: PENDING_MANDATE }],
    commands: ['CreateMandate'],
    errors: ['unsupported_currency', 'invalid_tag', 'invalid_recipient', 'redirect_url_must_be_https'],
    handle: (call) => createMandate(parts, call),
  })
}

function readingRoutes(parts: MandateRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listMandates',
      tag: 'Mandates',
      summary: 'List mandates',
      description: LIST_DESCRIPTION,
      auth: 'key-or-session',
      idempotency: 'none',
      query: ListMandatesQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first by creation.',
          schema: MandateList,
          example: { data: [MANDATE], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listMandates(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}`,
      operationId: 'getMandate',
      tag: 'Mandates',
      summary: 'Get a mandate',
      description: '404 `not_found` for a mandate of another merchant or environment.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The mandate.', schema: Mandate, example: MANDATE }],
      errors: [],
      handle: (call) => getMandate(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}/charges`,
      operationId: 'listMandateCharges',
      tag: 'Mandates',
      summary: 'List what a mandate collected',
      description: 'Attempts that found the wallet short are in it too.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: PARAMS,
      query: ListMandatePaymentsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: MandatePaymentList,
          example: { data: [MANDATE_PAYMENT], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listPayments(parts, call),
    }),
  ]
}

function cancelRoute(): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/cancel`,
    operationId: 'cancelMandate',
    tag: 'Mandates',
    summary: 'Cancel a mandate',
    description: 'Final: nothing is collected after it. Cancelling a cancelled one answers 200 again.',
    auth: 'key',
    memberRole: 'manager',
    idempotency: 'accepted',
    params: PARAMS,
    responses: [{ status: 200, description: 'The mandate, cancelled.', schema: Mandate, example: CANCELLED_MANDATE }],
    commands: ['CancelMandate'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'CancelMandate', by: account, id: idOf(call) }, account)
    },
  })
}

function chargeRoute(): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/charges`,
    operationId: 'chargeMandate',
    tag: 'Mandates',
    summary: 'Ask for a payment',
    description: CHARGE_DESCRIPTION,
    auth: 'key',
    memberRole: 'manager',
    idempotency: 'required',
    params: PARAMS,
    body: ChargeMandateBody,
    bodyExample: { amount: 5000, reference: 'CONSO-2026-11' },
    responses: [
      { status: 201, description: 'The payment: the money is on your balance.', schema: MandatePayment, example: MANDATE_PAYMENT },
    ],
    commands: ['ChargeMandate'],
    errors: [],
    handle: (call) => {
      const { account: merchant } = call.principal
      const { amount = null, reference = '' } = call.body
      call.submit({ type: 'ChargeMandate', merchant, id: idOf(call), amount, reference }, merchant)
    },
  })
}

function collectRoute(): Route {
  return route({
    method: 'POST',
    path: '/v1/biz/test/mandates/{id}/collect',
    operationId: 'collectTestMandate',
    tag: 'Test helpers',
    summary: 'Collect the next payment of a mandate now',
    description:
      'Takes the next attempt now instead of at its time. Answers the payment, paid or failed: four failed ones in a row pause the mandate.',
    auth: 'key',
    memberRole: 'manager',
    idempotency: 'accepted',
    testOnly: true,
    params: PARAMS,
    body: MoneyMoveBody,
    bodyOptional: true,
    bodyExample: {},
    responses: [{ status: 200, description: 'The payment, paid or failed.', schema: MandatePayment, example: MANDATE_PAYMENT }],
    commands: ['AdvanceMandate'],
    errors: [],
    handle: (call) => {
      const { account: merchant } = call.principal
      call.submit({ type: 'AdvanceMandate', merchant, id: idOf(call), dueMs: null }, merchant)
    },
  })
}

const CREATE_DESCRIPTION = `The customer gets a push and \`mandate.requested\` on the stream, and approves with the PIN in the app or at \`approval_url\`. The request
expires after 7 days. With \`amount\` and \`weekly\`, \`monthly\` or \`yearly\` the first payment is collected on approval, or at \`start_at\`
when that is later, and then at each interval. Without enough balance the payment is retried on the next three days, then the mandate pauses until the
customer approves again. Several missed occurrences become one payment. With \`on_demand\`, or with \`max_amount\` alone, you ask for each
payment (\`POST …/charges\`), at most one in each interval. Webhooks \`mandate.approved\`, \`.rejected\`, \`.paused\`, \`.cancelled\` and \`.charged\` go to
endpoints that ask. One account can have at most 200 000 mandates that are not final (quota \`mandates\`), and 20 pending ones for one wallet (beyond, 429 \`rate_limited\`). A wallet gets at most 5 pushes
an hour for requests of one account and 20 in all: further requests are on its stream and in its list. ${UNKNOWN_RECIPIENTS_RULE}
Beyond, 429 \`rate_limited\` with \`param\` \`customer_tag\`.`

const LIST_DESCRIPTION = `Each mandate as it stands now, newest first by creation. With \`state\`, a page may end early when very many had to be looked at: go on with
\`next_cursor\` for as long as \`has_more\` is true.`

const CHARGE_DESCRIPTION = `For mandates that do not collect by themselves: \`on_demand\`, or an interval with \`max_amount\` alone, which takes one payment in each
interval (\`mandate_not_due\` before \`next_charge_at\`). Never more than \`max_amount\` in a period, which is the interval or, with \`on_demand\`,
a calendar month (UTC); beyond, 400 \`amount_out_of_bounds\`. Never more than \`amount\` where that is all there is, and never more often than
\`max_payments\`. The money is there at once, or the answer is 402 \`insufficient_balance\`: to try again, send a new key.`

const TOKEN_BYTES = 24

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createMandate(parts: MandateRoutesParts, call: MerchantCall<CreateMandateBody>): void {
  const { body, principal } = call
  const { amount = null, max_amount = null, interval, max_payments = null, reference = '', description = '', redirect_url = '' } = body
  const customerTag = normalizeTag(body.customer_tag)
  if (isPhoneWithoutPlus(body.customer_tag)) return call.refuse('invalid_recipient', 'customer_tag')
  if (customerTag === null) return call.refuse('invalid_tag', 'customer_tag')
  const fault = creationFault(call)
  if (fault !== null) return call.refuse(fault.code, fault.param, fault.extras)
  const token = linkToken(TOKEN_BYTES)
  const merchant = principal.account
  call.submit(
    {
      type: 'CreateMandate',
      ...{ merchant, token, customerTag, amount, interval, reference, description },
      maxAmount: max_amount,
      startMs: timeOf(body.start_at),
      endMs: timeOf(body.end_at),
      maxPayments: max_payments,
      redirectUrl: redirect_url,
      approvalUrl: `${parts.checkoutBase}/mandates/${token}`,
    },
    merchant,
  )
}

function creationFault({
  body,
  principal,
}: MerchantCall<CreateMandateBody>): { code: ErrorCode; param: string; extras?: ErrorExtras | undefined } | null {
  const { environment, merchant } = principal
  const { currency, redirect_url = '' } = body
  if (currency !== undefined && currency !== merchant.currency) return { code: 'unsupported_currency', param: 'currency' }
  const redirect = redirect_url === '' ? null : redirectFault(redirect_url, environment)
  return redirect === null ? null : { ...redirect, param: 'redirect_url' }
}

/** Returns the time in milliseconds, null when it is absent. The schema has validated the format. */
function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : parseTime(text)
}

function listMandates({ engine }: MandateRoutesParts, call: MerchantCall<unknown, ListMandatesQuery>): void {
  const { account } = call.principal
  answerSlices(call, (query, slice) => engine.query('mandates.list', { account, query, slice }))
}

function getMandate({ engine }: MandateRoutesParts, call: MerchantCall): void {
  const mandate = engine.query('mandates.get', { account: call.principal.account, id: idOf(call) })
  if (mandate === null) return call.refuse('not_found')
  call.answer(200, mandate)
}

function listPayments({ engine }: MandateRoutesParts, call: MerchantCall<unknown, ListMandatePaymentsQuery>): void {
  const own = { account: call.principal.account, id: idOf(call) }
  if (engine.query('mandates.get', own) === null) return call.refuse('not_found')
  answerPage(call, engine.query('mandates.payments', { ...own, query: call.query }))
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
