// The operator's side of top-ups and withdrawals: what waits, and the decisions.
import { AUDIT_ACCOUNT, type CashRequestKind, type EngineApi, isPaymentReference } from '../../../engine/api.ts'
import { Approval } from '../../../engine/contract/approval.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { because } from '../../../engine/contract/reasons.ts'
import {
  ConfirmTopUpBody,
  ListOpenTopUpsQuery,
  OperatorTopUp,
  OperatorTopUpList,
  PayWithdrawalBody,
  RefuseRequestBody,
  TopUp,
} from '../../../engine/contract/top-up.ts'
import { ListOpenWithdrawalsQuery, OperatorWithdrawal, OperatorWithdrawalList, Withdrawal } from '../../../engine/contract/withdrawal.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import {
  CONFIRMATION_APPROVAL,
  CONFIRMED_TOP_UP,
  OPERATOR_TOP_UP,
  OPERATOR_WITHDRAWAL,
  PAID_WITHDRAWAL,
  PAYMENT_APPROVAL,
  REFUSED_TOP_UP,
  REFUSED_WITHDRAWAL,
} from '../top-ups/cash-request-examples.ts'
import { recordCurrency } from './rules-currency.ts'

export interface OperatorCashRequestParts {
  readonly engine: Pick<EngineApi, 'query'>
  /** A live movement above this amount needs a second operator; null: none does. */
  readonly secondPersonAbove: number | null
  /** So does one that brings the sum of its operator and day above this amount; null: none does. */
  readonly secondPersonAboveDay: number | null
}

const TOP_UPS = '/v1/operator/top-ups'
const WITHDRAWALS = '/v1/operator/withdrawals'
const TOP_UP_ID = { id: uuid({ description: 'Id of the top-up.' }) }
const WITHDRAWAL_ID = { id: uuid({ description: 'Id of the withdrawal.' }) }
const REFUSAL = { reason: 'Aucun virement n’est arrivé avec cette référence.' }
const NOT_OPEN = 'A finished request answers 409 `request_not_open`; a repeated Idempotency-Key answers as before.'
const WAITS = 'Waits for `POST /v1/operator/approvals/{id}/approve`.'
const WAITING =
  'While a confirmation or payment waits for a second operator, every other decision answers 409 `approval_waiting`, the cancellation of the ' +
  'merchant too; after `POST /v1/operator/approvals/{id}/refuse` the request is open again.'
const DUAL = `Live money above the setting OPERATOR_DUAL_CONTROL, or that brings what the operator moved alone today (UTC) above
OPERATOR_DAY_CONTROL, waits for a second operator: 202, and nothing has moved. ${WAITING}`

export function operatorCashRequestRoutes(parts: OperatorCashRequestParts): readonly Route[] {
  return [
    ...topUpReads(parts),
    confirmRoute(parts),
    refuseTopUpRoute(parts),
    ...withdrawalReads(parts),
    payRoute(parts),
    refuseWithdrawalRoute(parts),
  ]
}

function topUpReads(parts: OperatorCashRequestParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: TOP_UPS,
      operationId: 'listOpenTopUps',
      tag: 'Operator',
      summary: 'List top-ups that wait',
      description: 'Open requests of all merchants. With the payment reference of a transfer it finds the top-up.',
      auth: 'operator',
      idempotency: 'none',
      query: ListOpenTopUpsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: OperatorTopUpList,
          example: { data: [OPERATOR_TOP_UP], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listTopUps(parts, call),
    }),
    route({
      method: 'GET',
      path: `${TOP_UPS}/{id}`,
      operationId: 'getMerchantTopUp',
      tag: 'Operator',
      summary: 'Get a top-up with its merchant',
      description: "As the merchant sees it, with the merchant's id and name.",
      auth: 'operator',
      idempotency: 'none',
      params: TOP_UP_ID,
      responses: [{ status: 200, description: 'The top-up, open or finished.', schema: OperatorTopUp, example: OPERATOR_TOP_UP }],
      errors: [],
      handle: (call) => getRequest(parts, call, 'top_up'),
    }),
  ]
}

function confirmRoute(parts: OperatorCashRequestParts): Route {
  const { secondPersonAbove, secondPersonAboveDay } = parts
  return route({
    method: 'POST',
    path: `${TOP_UPS}/{id}/confirm`,
    operationId: 'confirmTopUp',
    tag: 'Operator',
    summary: 'Confirm that the money of a top-up arrived',
    description: `Credits \`amount\`, what arrived, to the merchant; the other side is the settlement account. Also while the merchant is suspended. ${NOT_OPEN} ${DUAL}`,
    auth: 'operator',
    operatorRoles: ['finance'],
    idempotency: 'accepted',
    params: TOP_UP_ID,
    body: ConfirmTopUpBody,
    bodyExample: { amount: 500_000, reference: 'VIR-2026-118' },
    responses: [
      { status: 200, description: 'The top-up, confirmed.', schema: TopUp, example: CONFIRMED_TOP_UP },
      { status: 202, description: WAITS, schema: Approval, example: CONFIRMATION_APPROVAL },
    ],
    commands: ['ConfirmTopUp'],
    unreachable: ['merchant_suspended'],
    errors: [],
    currencyOf: (call) => requestCurrency(parts, call, 'top_up'),
    handle: (call) => {
      const { amount, reference } = call.body
      const limits = { secondPersonAbove, secondPersonAboveDay }
      call.submit({ type: 'ConfirmTopUp', id: idOf(call), amount, reference, merchant: null, ...limits }, AUDIT_ACCOUNT)
    },
  })
}

function refuseTopUpRoute(parts: OperatorCashRequestParts): Route {
  return route({
    method: 'POST',
    path: `${TOP_UPS}/{id}/refuse`,
    operationId: 'refuseTopUp',
    tag: 'Operator',
    summary: 'Refuse a top-up',
    description: `${NOT_OPEN} ${WAITING}`,
    auth: 'operator',
    operatorRoles: ['finance'],
    idempotency: 'accepted',
    params: TOP_UP_ID,
    body: RefuseRequestBody,
    bodyExample: REFUSAL,
    responses: [{ status: 200, description: 'The top-up, refused.', schema: TopUp, example: REFUSED_TOP_UP }],
    commands: ['RefuseTopUp'],
    errors: [],
    currencyOf: (call) => requestCurrency(parts, call, 'top_up'),
    handle: (call) => call.submit({ type: 'RefuseTopUp', id: idOf(call), reason: call.body.reason }, AUDIT_ACCOUNT),
  })
}

function withdrawalReads(parts: OperatorCashRequestParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: WITHDRAWALS,
      operationId: 'listOpenWithdrawals',
      tag: 'Operator',
      summary: 'List withdrawals that wait',
      description: 'Open requests of all merchants.',
      auth: 'operator',
      idempotency: 'none',
      query: ListOpenWithdrawalsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: OperatorWithdrawalList,
          example: { data: [OPERATOR_WITHDRAWAL], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listOpen(parts, call, 'withdrawal', null),
    }),
    route({
      method: 'GET',
      path: `${WITHDRAWALS}/{id}`,
      operationId: 'getMerchantWithdrawal',
      tag: 'Operator',
      summary: 'Get a withdrawal with its merchant',
      description: "As the merchant sees it, with the merchant's id and name.",
      auth: 'operator',
      idempotency: 'none',
      params: WITHDRAWAL_ID,
      responses: [
        { status: 200, description: 'The withdrawal, open or finished.', schema: OperatorWithdrawal, example: OPERATOR_WITHDRAWAL },
      ],
      errors: [],
      handle: (call) => getRequest(parts, call, 'withdrawal'),
    }),
  ]
}

function payRoute(parts: OperatorCashRequestParts): Route {
  const { secondPersonAbove, secondPersonAboveDay } = parts
  return route({
    method: 'POST',
    path: `${WITHDRAWALS}/{id}/pay`,
    operationId: 'payWithdrawal',
    tag: 'Operator',
    summary: 'Say that a withdrawal was paid',
    description: `Send the money first: the held amount goes to the settlement account. Also while the merchant is suspended. ${NOT_OPEN} ${DUAL}`,
    auth: 'operator',
    operatorRoles: ['finance'],
    idempotency: 'accepted',
    params: WITHDRAWAL_ID,
    body: PayWithdrawalBody,
    bodyExample: { reference: 'VIR-2026-119' },
    responses: [
      { status: 200, description: 'The withdrawal, paid.', schema: Withdrawal, example: PAID_WITHDRAWAL },
      { status: 202, description: WAITS, schema: Approval, example: PAYMENT_APPROVAL },
    ],
    commands: ['PayWithdrawal'],
    unreachable: ['merchant_suspended'],
    errors: [],
    currencyOf: (call) => requestCurrency(parts, call, 'withdrawal'),
    handle: (call) => {
      const { reference } = call.body
      const limits = { secondPersonAbove, secondPersonAboveDay }
      call.submit({ type: 'PayWithdrawal', id: idOf(call), reference, merchant: null, ...limits }, AUDIT_ACCOUNT)
    },
  })
}

function refuseWithdrawalRoute(parts: OperatorCashRequestParts): Route {
  return route({
    method: 'POST',
    path: `${WITHDRAWALS}/{id}/refuse`,
    operationId: 'refuseWithdrawal',
    tag: 'Operator',
    summary: 'Refuse a withdrawal',
    description: `The amount is released: the merchant may spend it again. ${NOT_OPEN} ${WAITING}`,
    auth: 'operator',
    operatorRoles: ['finance'],
    idempotency: 'accepted',
    params: WITHDRAWAL_ID,
    body: RefuseRequestBody,
    bodyExample: { reason: 'Le nom du titulaire ne correspond pas au compte.' },
    responses: [{ status: 200, description: 'The withdrawal, refused.', schema: Withdrawal, example: REFUSED_WITHDRAWAL }],
    commands: ['RefuseWithdrawal'],
    errors: [],
    currencyOf: (call) => requestCurrency(parts, call, 'withdrawal'),
    handle: (call) => call.submit({ type: 'RefuseWithdrawal', id: idOf(call), reason: call.body.reason }, AUDIT_ACCOUNT),
  })
}

type OperatorCall<Query = Record<string, unknown>> = Call<unknown, Query, OperatorPrincipal>

function listTopUps(parts: OperatorCashRequestParts, call: OperatorCall<ListOpenTopUpsQuery>): void {
  const { payment_reference } = call.query
  if (payment_reference === undefined) return listOpen(parts, call, 'top_up', null)
  if (!isPaymentReference(payment_reference)) return call.refuse('invalid_parameter', 'payment_reference', because('payment_reference'))
  const characters = payment_reference.toUpperCase().replace('-', '')
  listOpen(parts, call, 'top_up', `${characters.slice(0, 4)}-${characters.slice(4)}`)
}

function listOpen(
  { engine }: OperatorCashRequestParts,
  call: OperatorCall<ListOpenWithdrawalsQuery>,
  kind: CashRequestKind,
  paymentReference: string | null,
): void {
  const { environment = null, merchant_id, ...query } = call.query
  const merchantId = merchant_id?.toLowerCase() ?? null
  answerPage(call, engine.query('cashRequests.open', { kind, environment, merchantId, paymentReference, query }))
}

function requestCurrency({ engine }: OperatorCashRequestParts, call: Pick<Call, 'params'>, kind: CashRequestKind): Currency | null {
  return recordCurrency(engine.query('cashRequests.forOperator', { kind, id: idOf(call) }))
}

function getRequest({ engine }: OperatorCashRequestParts, call: OperatorCall, kind: CashRequestKind): void {
  const request = engine.query('cashRequests.forOperator', { kind, id: idOf(call) })
  if (request === null) call.refuse('not_found')
  else call.answer(200, request)
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
