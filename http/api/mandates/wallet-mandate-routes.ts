// Mandates in the app: the requests of merchants, and the customer's approval or rejection.

import type { EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { ApproveMandateBody, ListWalletMandatesQuery, WalletMandate, WalletMandateList } from '../../../engine/contract/mandate.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import { answerSlices } from '../../lists/list-answers.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { CANCELLED_WALLET_MANDATE, REJECTED_WALLET_MANDATE, WALLET_MANDATE } from './mandate-examples.ts'

export interface WalletMandateRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly wallets: Pick<WalletAccess, 'pinChecks'>
}

export function walletMandateRoutes(parts: WalletMandateRoutesParts): readonly Route[] {
  return [...readingRoutes(parts), approveRoute(parts), ...endingRoutes()]
}

const PATH = '/v1/me/mandates'
const PARAMS = { id: uuid({ description: 'Id of the mandate.' }) }

function readingRoutes(parts: WalletMandateRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listMyMandates',
      tag: 'Wallet mandates',
      summary: 'What merchants may collect, or ask to',
      description: 'Active, paused and ended ones, and requests that wait for an answer.',
      auth: 'wallet',
      idempotency: 'none',
      query: ListWalletMandatesQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first by creation, each as it stands now.',
          schema: WalletMandateList,
          example: { data: [WALLET_MANDATE], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listMandates(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}`,
      operationId: 'getMyMandate',
      tag: 'Wallet mandates',
      summary: 'Get a mandate',
      description: '404 `not_found` for a mandate of another wallet.',
      auth: 'wallet',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The mandate.', schema: WalletMandate, example: WALLET_MANDATE }],
      errors: [],
      handle: (call) => getMandate(parts, call),
    }),
  ]
}

function approveRoute(parts: WalletMandateRoutesParts): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/approve`,
    operationId: 'approveMandate',
    tag: 'Wallet mandates',
    summary: 'Approve a mandate',
    description:
      'For one that is pending, or was paused because the wallet was short: it goes on with its next payment. Approving an active one answers 200 again.',
    auth: 'wallet',
    idempotency: 'accepted',
    params: PARAMS,
    body: ApproveMandateBody,
    bodyExample: { pin: '7391' },
    secretFields: ['pin'],
    responses: [{ status: 200, description: 'The mandate, active.', schema: WalletMandate, example: WALLET_MANDATE }],
    commands: ['RecordPinCheck', 'ApproveMandate'],
    unreachable: ['otp_expired'],
    errors: ['rate_limited'],
    handle: (call) => approve(parts, call),
  })
}

const ENDINGS = [
  {
    verb: 'reject',
    summary: 'Reject a mandate',
    description: 'For one that is pending; needs no PIN. Rejecting a rejected one answers 200 again.',
    example: REJECTED_WALLET_MANDATE,
  },
  {
    verb: 'cancel',
    summary: 'End a mandate',
    description: 'Nothing is collected after it; needs no PIN. Cancelling a cancelled one answers 200 again.',
    example: CANCELLED_WALLET_MANDATE,
  },
] as const

function endingRoutes(): readonly Route[] {
  return ENDINGS.map(({ verb, summary, description, example }) =>
    route({
      method: 'POST',
      path: `${PATH}/{id}/${verb}`,
      operationId: `${verb}MyMandate`,
      tag: 'Wallet mandates',
      summary,
      description,
      auth: 'wallet',
      idempotency: 'accepted',
      params: PARAMS,
      responses: [{ status: 200, description: 'The mandate.', schema: WalletMandate, example }],
      commands: [verb === 'reject' ? 'RejectMandate' : 'CancelMandate'],
      errors: [],
      handle: (call) => {
        const { account } = call.principal
        const id = idOf(call)
        call.submit(
          verb === 'reject' ? { type: 'RejectMandate', customer: account, id } : { type: 'CancelMandate', by: account, id },
          account,
        )
      },
    }),
  )
}

type WalletCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, WalletPrincipal>

function listMandates({ engine }: WalletMandateRoutesParts, call: WalletCall<unknown, ListWalletMandatesQuery>): void {
  const { account } = call.principal
  answerSlices(call, (query, slice) => engine.query('mandates.ofWallet', { account, query, slice }))
}

function getMandate({ engine }: WalletMandateRoutesParts, call: WalletCall): void {
  const mandate = engine.query('mandates.seenByCustomer', { account: call.principal.account, id: idOf(call) })
  if (mandate === null) return call.refuse('not_found')
  call.answer(200, mandate)
}

function approve(parts: WalletMandateRoutesParts, call: WalletCall<ApproveMandateBody>): void {
  const { account } = call.principal
  parts.wallets.pinChecks.guard(call, { account, pin: call.body.pin }, () => {
    call.submit({ type: 'ApproveMandate', customer: account, id: idOf(call), challengeId: null }, account)
  })
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
