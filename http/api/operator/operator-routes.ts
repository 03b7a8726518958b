// The operator's routes: merchants and their keys, deposits and withdrawals, the trial balance. They exist only when
// OPERATOR_TOKEN is set. The log record of an action also contains its entry in the audit trail.

import { AUDIT_ACCOUNT, type CommandOf, type EngineApi, publicMerchant } from '../../../engine/api.ts'
import { CreateApiKeyBody, CreatedApiKey, wholeKeyLimits } from '../../../engine/contract/api-key.ts'
import { Approval } from '../../../engine/contract/approval.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Funding, FundingBody } from '../../../engine/contract/funding.ts'
import { CreateMerchantBody, ListMerchantsQuery, Merchant, MerchantList } from '../../../engine/contract/merchant.ts'
import { ListOperatorActionsQuery, OperatorActionList, TrialBalance, TrialBalanceQuery } from '../../../engine/contract/operator.ts'
import { QuotaReport } from '../../../engine/contract/quota.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { Currency, KeptCurrencies } from '../../../engine/kernel/currency.ts'
import type { Quotas } from '../../../engine/kernel/quota.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import { newApiKey } from '../../auth/keys/api-keys.ts'
import type { Seal } from '../../crypto/seal.ts'
import { answerPage, answerSlices } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import {
  API_KEY_REQUEST,
  APPROVAL,
  CREATED_API_KEY,
  FUNDING,
  FUNDING_REQUEST,
  MERCHANT,
  MERCHANT_REQUEST,
  OPERATOR_ACTION,
  QUOTA_REPORT,
  TRIAL_BALANCE,
} from './operator-examples.ts'
import { partsOf } from './served-quotas.ts'

const SECRET_FIELD = 'secret_key'

export interface OperatorRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'seal'>
  /** A live movement that brings the sum of its operator and day above this amount needs a second operator; null: none does. */
  readonly secondPersonAbove: number | null
  readonly secondPersonAboveDay: number | null
  /** Quotas of what HTTP holds for callers. */
  readonly quotas: Quotas
  /** The setting CURRENCIES. */
  readonly currencies: KeptCurrencies
}

export function operatorRoutes(parts: OperatorRoutesParts): readonly Route[] {
  return [...merchantRoutes(parts), ...bookRoutes(parts)]
}

const MERCHANTS = { data: [MERCHANT], has_more: false, next_cursor: null }
const MERCHANT_CREATED = 'The merchant, with an empty account in each environment.'

function merchantRoutes(parts: OperatorRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/operator/merchants',
      operationId: 'createMerchant',
      tag: 'Operator',
      summary: 'Create a merchant',
      description:
        'The merchant is active: it moves live money without activation. Make its keys by `POST /v1/operator/merchants/{id}/api-keys`.',
      auth: 'operator',
      idempotency: 'accepted',
      body: CreateMerchantBody,
      bodyExample: MERCHANT_REQUEST,
      responses: [{ status: 201, description: MERCHANT_CREATED, schema: Merchant, example: MERCHANT }],
      commands: ['CreateMerchant'],
      errors: [],
      handle: createMerchant,
    }),
    route({
      method: 'GET',
      path: '/v1/operator/merchants',
      operationId: 'listMerchants',
      tag: 'Operator',
      summary: 'List or find merchants',
      description: 'Newest first. `q` finds by a part of name, e-mail address, phone or directory address.',
      auth: 'operator',
      idempotency: 'none',
      query: ListMerchantsQuery,
      responses: [{ status: 200, description: 'One page, newest first.', schema: MerchantList, example: MERCHANTS }],
      errors: [],
      handle: (call) => listMerchants(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/operator/merchants/{id}',
      operationId: 'getMerchant',
      tag: 'Operator',
      summary: 'Get a merchant',
      description: 'With its state and its activation.',
      auth: 'operator',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the merchant.' }) },
      responses: [{ status: 200, description: 'The merchant.', schema: Merchant, example: MERCHANT }],
      errors: [],
      handle: (call) => getMerchant(parts, call),
    }),
    apiKeyRoute(parts),
  ]
}

function apiKeyRoute(parts: OperatorRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/operator/merchants/{id}/api-keys',
    operationId: 'createMerchantApiKey',
    tag: 'Operator',
    summary: 'Create an API key pair for a merchant',
    description: 'The secret is in this answer only. A replay with the same Idempotency-Key shows it again.',
    auth: 'operator',
    idempotency: 'accepted',
    params: { id: uuid({ description: 'Id of the merchant.' }) },
    body: CreateApiKeyBody,
    bodyExample: API_KEY_REQUEST,
    sealedField: SECRET_FIELD,
    responses: [{ status: 201, description: 'The key pair.', schema: CreatedApiKey, example: CREATED_API_KEY }],
    commands: ['CreateApiKey'],
    errors: [],
    handle: (call) => createApiKey(parts, call),
  })
}

function bookRoutes(parts: OperatorRoutesParts): readonly Route[] {
  return [
    fundingRoute(parts, 'Deposit', '/v1/operator/deposits', 'Put money on an account'),
    fundingRoute(parts, 'Withdraw', '/v1/operator/withdrawals', 'Take money off an account'),
    route({
      method: 'GET',
      path: '/v1/operator/ledger/trial-balance',
      operationId: 'getTrialBalance',
      tag: 'Operator',
      summary: 'Get the trial balance',
      description: 'Sums of debits and credits by type of account. `balanced` is true when the sum over all accounts is zero.',
      auth: 'operator',
      idempotency: 'none',
      query: TrialBalanceQuery,
      responses: [{ status: 200, description: 'Debits and credits by kind of account.', schema: TrialBalance, example: TRIAL_BALANCE }],
      errors: [],
      handle: (call) => answerTrialBalance(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/operator/quotas',
      operationId: 'getQuotas',
      tag: 'Operator',
      summary: 'Use of the quotas',
      description: 'How much of each quota is used, and who holds the most. Maximums and shares are described at the top of this document.',
      auth: 'operator',
      idempotency: 'none',
      responses: [{ status: 200, description: 'One row for each quota and part.', schema: QuotaReport, example: QUOTA_REPORT }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify(parts.engine.query('quotas.report', partsOf(parts.quotas)))),
    }),
    route({
      method: 'GET',
      path: '/v1/operator/audit',
      operationId: 'listOperatorActions',
      tag: 'Operator',
      summary: 'What operators did',
      description:
        'Filters combine: the deposits on a merchant of one day, for example. With `action` a page may end early when very many had to be looked at: go on with `next_cursor`.',
      auth: 'operator',
      idempotency: 'none',
      query: ListOperatorActionsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: OperatorActionList,
          example: { data: [OPERATOR_ACTION], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listActions(parts, call),
    }),
  ]
}

/** Returns a deposit or withdrawal route. The other side of its posting is the environment's settlement account. */
function fundingRoute(parts: OperatorRoutesParts, type: 'Deposit' | 'Withdraw', path: string, summary: string): Route {
  return route({
    method: 'POST',
    path,
    operationId: type === 'Deposit' ? 'createDeposit' : 'createWithdrawal',
    tag: 'Operator',
    summary,
    description:
      'Exactly one of `merchant_id` and `tag` says whose account. An unknown merchant: 404 `not_found`; an unknown tag: 404 `recipient_not_found`. ' +
      'Live money above the setting OPERATOR_DUAL_CONTROL, or that brings what the operator moved alone today (UTC) above OPERATOR_DAY_CONTROL, waits for a second operator: 202, and nothing has moved.',
    auth: 'operator',
    operatorRoles: ['finance'],
    idempotency: 'required',
    body: FundingBody,
    bodyExample: FUNDING_REQUEST,
    responses: [
      { status: 201, description: 'Done.', schema: Funding, example: FUNDING },
      { status: 202, description: 'Waits for `POST /v1/operator/approvals/{id}/approve`.', schema: Approval, example: APPROVAL },
    ],
    commands: [type],
    ...(type === 'Deposit' ? { unreachable: ['merchant_suspended'] } : {}),
    errors: ['invalid_tag', 'invalid_recipient'],
    currencyOf: (call) => fundedCurrency(parts, call),
    handle: (call) => fund(parts, call, type),
  })
}

type OperatorCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, OperatorPrincipal>

function createMerchant(call: OperatorCall<CreateMerchantBody>): void {
  const { name, email, currency } = call.body
  call.submit({ type: 'CreateMerchant', name, email, ...(currency === undefined ? {} : { currency }) }, AUDIT_ACCOUNT)
}

function listMerchants({ engine }: OperatorRoutesParts, call: OperatorCall<unknown, ListMerchantsQuery>): void {
  answerPage(call, engine.query('merchants.list', { query: call.query }))
}

function getMerchant(parts: OperatorRoutesParts, call: OperatorCall): void {
  const merchant = parts.engine.query('merchants.byId', { id: String(call.params[0]).toLowerCase() })
  if (merchant === null) return call.refuse('not_found')
  call.answer(200, JSON.stringify(publicMerchant(merchant)))
}

function createApiKey(parts: OperatorRoutesParts, call: OperatorCall<CreateApiKeyBody>): void {
  const { environment, scopes, label = '' } = call.body
  const limits = wholeKeyLimits(call.body.limits)
  const { publicKey, secretKey, secretHash } = newApiKey(environment)
  const sealedSecret = parts.seal.seal(SECRET_FIELD, secretKey)
  const merchantId = String(call.params[0]).toLowerCase()
  call.submit(
    { type: 'CreateApiKey', merchantId, environment, scopes, label, limits, publicKey, secretHash, sealedSecret, by: 'operator' },
    AUDIT_ACCOUNT,
  )
}

function fund(parts: OperatorRoutesParts, call: OperatorCall<FundingBody>, type: 'Deposit' | 'Withdraw'): void {
  const { secondPersonAbove, secondPersonAboveDay } = parts
  const { environment, amount, reference = '', tag = '' } = call.body
  if (isPhoneWithoutPlus(tag)) return call.refuse('invalid_recipient', 'tag')
  const target = targetOf(call.body)
  if (target === null) return call.refuse('invalid_request', 'merchant_id', because('merchant_id'))
  call.submit({ type, target, environment, amount, reference, by: 'operator', secondPersonAbove, secondPersonAboveDay }, AUDIT_ACCOUNT)
}

/** Returns null where the account that the body names does not exist. */
function fundedCurrency({ engine }: OperatorRoutesParts, { body }: Pick<OperatorCall<FundingBody>, 'body'>): Currency | null {
  const target = targetOf(body)
  if (target === null) return null
  if ('merchantId' in target) return engine.query('merchants.byId', { id: target.merchantId })?.currency ?? null
  const wallet = engine.query('wallets.byTag', { environment: body.environment, tag: target.tag })
  return wallet === null ? null : engine.query('accounts.currency', { account: wallet.account })
}

function answerTrialBalance({ engine, currencies }: OperatorRoutesParts, call: OperatorCall<unknown, TrialBalanceQuery>): void {
  const { environment = 'live', currency } = call.query
  const kept = currencies.find((one) => one === currency)
  if (currency !== undefined && kept === undefined) return call.refuse('invalid_parameter', 'currency', because('currency_not_kept'))
  const input = { environment, ...(kept === undefined ? {} : { currency: kept }) }
  call.answer(200, JSON.stringify(engine.query('ledger.trialBalance', input)))
}

/** Returns null unless the body names exactly one account. */
function targetOf({ merchant_id, tag }: FundingBody): CommandOf<'Deposit'>['target'] | null {
  if (merchant_id !== undefined) return tag === undefined ? { merchantId: merchant_id.toLowerCase() } : null
  const normalized = tag === undefined ? null : normalizeTag(tag)
  return normalized === null ? null : { tag: normalized }
}

function listActions({ engine }: OperatorRoutesParts, call: OperatorCall<unknown, ListOperatorActionsQuery>): void {
  answerSlices(call, (query, slice) => engine.query('operatorActions.list', { query, slice }))
}
