// The account of a merchant: what its owners say about it, and what operators decide about a new name.
import { AUDIT_ACCOUNT, type EngineApi, publicAccount } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Merchant } from '../../../engine/contract/merchant.ts'
import {
  ApproveNameBody,
  ListNameChangesQuery,
  MerchantAccount,
  type MerchantNameChange,
  MerchantNameChangeList,
  type NameChange,
  RefuseNameBody,
  SetMerchantAccountBody,
} from '../../../engine/contract/merchant-account.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Route, route } from '../../server/route.ts'
import { logosBase, type PublicAddress } from '../billers/logo-file.ts'
import { MERCHANT } from '../operator/operator-examples.ts'

export interface MerchantAccountParts extends PublicAddress {
  readonly engine: Pick<EngineApi, 'query'>
}

const PATH = '/v1/dashboard/account'
const NAME_CHANGE: NameChange = {
  ...{ state: 'requested', name: 'Chez Awa', reason: null },
  ...{ requested_at: '2026-11-20T10:00:00.000Z', decided_at: null },
}
export const ACCOUNT: MerchantAccount = {
  ...{ merchant_id: MERCHANT.id, name: MERCHANT.name, name_change: NAME_CHANGE },
  ...{ logo_url: null, logo_change: null },
  ...{ address: '12 rue Félix Faure, Dakar', time_zone: 'Africa/Dakar', email_language: 'fr' },
}
const WAITING: MerchantNameChange = { merchant_id: MERCHANT.id, merchant_name: MERCHANT.name, ...NAME_CHANGE }
const MERCHANT_ID = { id: uuid({ description: 'Id of the merchant.' }) }

export function merchantAccountRoutes(parts: MerchantAccountParts): readonly Route[] {
  return [...ownRoutes(parts), listRoute(parts), ...decisionRoutes()]
}

function ownRoutes(parts: PublicAddress): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'getMerchantAccount',
      tag: 'Dashboard',
      summary: 'Get the account of the merchant',
      description: 'Of both environments.',
      auth: 'session',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The account.', schema: MerchantAccount, example: ACCOUNT }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify(publicAccount(call.principal.merchant, logosBase(parts)))),
    }),
    route({
      method: 'PUT',
      path: PATH,
      operationId: 'setMerchantAccount',
      tag: 'Dashboard',
      summary: 'Change the account of the merchant',
      description: SET_DESCRIPTION,
      auth: 'session',
      memberRole: 'owner',
      idempotency: 'none',
      body: SetMerchantAccountBody,
      bodyExample: { name: 'Chez Awa', address: '12 rue Félix Faure, Dakar', time_zone: 'Africa/Dakar', email_language: 'fr' },
      responses: [{ status: 200, description: 'The account from now on.', schema: MerchantAccount, example: ACCOUNT }],
      commands: ['SetMerchantAccount'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => {
        const { merchant, account, caller } = call.principal
        const { name, address, time_zone: timeZone, email_language: emailLanguage } = call.body
        call.submit(
          {
            ...{ type: 'SetMerchantAccount', merchantId: merchant.id, actedBy: caller, logosBase: logosBase(parts) },
            ...(name === undefined ? {} : { name }),
            ...(address === undefined ? {} : { address }),
            ...(timeZone === undefined ? {} : { timeZone }),
            ...(emailLanguage === undefined ? {} : { emailLanguage }),
          },
          account,
        )
      },
    }),
  ]
}

function listRoute(parts: MerchantAccountParts): Route {
  return route({
    method: 'GET',
    path: '/v1/operator/name-changes',
    operationId: 'listNameChanges',
    tag: 'Operator',
    summary: 'List new names of merchants',
    description: 'Those that wait for a decision, unless `state` says another.',
    auth: 'operator',
    idempotency: 'none',
    query: ListNameChangesQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest merchant first.',
        schema: MerchantNameChangeList,
        example: { data: [WAITING], has_more: false, next_cursor: null },
      },
    ],
    errors: [],
    handle: (call) => {
      const { state = 'requested', ...query } = call.query
      answerPage(call, parts.engine.query('merchants.nameChanges', { state, query }))
    },
  })
}

function decisionRoutes(): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/name/approve',
      operationId: 'approveMerchantName',
      tag: 'Operator',
      summary: 'Approve the new name of a merchant',
      description: APPROVE_DESCRIPTION,
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      body: ApproveNameBody,
      bodyExample: { name: 'Chez Awa' },
      responses: [{ status: 200, description: 'The merchant with its new name.', schema: Merchant, example: MERCHANT }],
      commands: ['ApproveMerchantName'],
      errors: [],
      handle: (call) => {
        const merchantId = String(call.params[0]).toLowerCase()
        call.submit({ type: 'ApproveMerchantName', merchantId, name: call.body.name }, AUDIT_ACCOUNT)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/name/refuse',
      operationId: 'refuseMerchantName',
      tag: 'Operator',
      summary: 'Refuse the new name of a merchant',
      description: 'The merchant keeps its name and sees the reason. Without a name that waits: 409 `request_not_open`.',
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      body: RefuseNameBody,
      bodyExample: { reason: 'Ce nom est celui d’une autre entreprise.' },
      responses: [{ status: 200, description: 'The merchant.', schema: Merchant, example: MERCHANT }],
      commands: ['RefuseMerchantName'],
      errors: [],
      handle: (call) => {
        const merchantId = String(call.params[0]).toLowerCase()
        call.submit({ type: 'RefuseMerchantName', merchantId, reason: call.body.reason }, AUDIT_ACCOUNT)
      },
    }),
  ]
}

const SET_DESCRIPTION = `Of both environments; an owner alone. Customers read the old name until an operator has approved the new one; the decision goes out as a
notice of kind \`activation\`. Another name replaces the one that waits. What X-Environment says has no effect.`

const APPROVE_DESCRIPTION = `Customers read the new name at once. \`name\` is the one that the operator has seen: 409 \`request_not_open\` where another one
waits, or none.`
