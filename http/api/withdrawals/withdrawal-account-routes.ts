// Withdrawal accounts: saved by merchants, confirmed by operators. Decisions are in engine/domain/cash-request.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import { Deleted } from '../../../engine/contract/dashboard.ts'
import { because } from '../../../engine/contract/reasons.ts'
import {
  CreateWithdrawalAccountBody,
  type OperatorWithdrawalAccount as Listed,
  ListWithdrawalAccountsQuery,
  OperatorWithdrawalAccount,
  OperatorWithdrawalAccountList,
  WithdrawalAccount,
  WithdrawalAccountList,
} from '../../../engine/contract/withdrawal-account.ts'
import { bankAccount } from '../../../engine/kernel/bank-account.ts'
import { isPhone } from '../../../engine/kernel/recipient.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { MERCHANT } from '../operator/operator-examples.ts'

interface WithdrawalAccountParts {
  readonly engine: Pick<EngineApi, 'query'>
}

const PATH = '/v1/biz/withdrawal-accounts'
const OPERATOR_PATH = '/v1/operator/withdrawal-accounts'
const PARAMS = { id: uuid({ description: 'Id of the account.' }) }
const TAG = 'Withdrawals'
const SCOPE = 'disbursements.write'

export function withdrawalAccountRoutes(parts: WithdrawalAccountParts): readonly Route[] {
  return [createRoute(), listRoute(parts), deleteRoute(), operatorListRoute(parts), confirmRoute()]
}

const REQUEST: CreateWithdrawalAccountBody = { kind: 'bank', name: 'Boutique Awa SARL', account: 'SN08 SN01 0015 2000 0485 0000 3035' }

const ACCOUNT: WithdrawalAccount = {
  id: '019aa0f8-1c00-7c31-8c4d-5e6f708192a3',
  kind: 'bank',
  name: 'Boutique Awa SARL',
  account: 'SN08SN0100152000048500003035',
  provider: null,
  environment: 'live',
  usable_from: '2026-11-21T10:00:00.000Z',
  confirmed_at: null,
  created_by: { kind: 'member', id: '019aa0f8-1c00-7a11-8f70-8192a3b4c5d6', name: 'gerant@boutique-awa.example' },
  created_at: '2026-11-20T10:00:00.000Z',
}

const WAITING: Listed = { ...ACCOUNT, merchant_id: MERCHANT.id, merchant_name: MERCHANT.name }

const CONFIRMED: Listed = { ...WAITING, usable_from: '2026-11-20T11:00:00.000Z', confirmed_at: '2026-11-20T11:00:00.000Z' }

function createRoute(): Route {
  return route({
    method: 'POST',
    path: PATH,
    operationId: 'createWithdrawalAccount',
    tag: TAG,
    summary: 'Save an account for withdrawals',
    description: CREATE_DESCRIPTION,
    auth: 'key-or-session',
    memberRole: 'owner',
    scope: SCOPE,
    idempotency: 'accepted',
    body: CreateWithdrawalAccountBody,
    bodyExample: REQUEST,
    responses: [{ status: 201, description: 'The account.', schema: WithdrawalAccount, example: ACCOUNT }],
    commands: ['AddWithdrawalAccount'],
    errors: ['invalid_account'],
    handle: create,
  })
}

const CREATE_DESCRIPTION = `A bank account is checked by its check digits, as an IBAN or as a RIB of the UEMOA; a mobile money account is a phone in E.164
with its \`provider\`. Anything else is 400 \`invalid_account\`. In live a new account is usable 24 hours later (\`usable_from\`), or once an operator has
confirmed it. Name it in a withdrawal by \`withdrawal_account_id\`. An account of yours can have 100 of them (quota \`withdrawal_accounts\`).`

function listRoute(parts: WithdrawalAccountParts): Route {
  return route({
    method: 'GET',
    path: PATH,
    operationId: 'listWithdrawalAccounts',
    tag: TAG,
    summary: 'List the accounts for withdrawals',
    description: 'Newest first.',
    auth: 'key-or-session',
    idempotency: 'none',
    query: ListWithdrawalAccountsQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest first.',
        schema: WithdrawalAccountList,
        example: { data: [ACCOUNT], has_more: false, next_cursor: null },
      },
    ],
    errors: [],
    handle: (call) =>
      answerPage(call, parts.engine.query('withdrawalAccounts.list', { account: call.principal.account, query: call.query })),
  })
}

function deleteRoute(): Route {
  return route({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operationId: 'deleteWithdrawalAccount',
    tag: TAG,
    summary: 'Delete an account for withdrawals',
    description: 'Withdrawals to it that are open go on.',
    auth: 'key-or-session',
    memberRole: 'owner',
    scope: SCOPE,
    idempotency: 'none',
    params: PARAMS,
    responses: [{ status: 200, description: 'Deleted.', schema: Deleted, example: { id: ACCOUNT.id, deleted: true } }],
    commands: ['DeleteWithdrawalAccount'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'DeleteWithdrawalAccount', merchant: account, id: idOf(call) }, account)
    },
  })
}

function operatorListRoute(parts: WithdrawalAccountParts): Route {
  return route({
    method: 'GET',
    path: OPERATOR_PATH,
    operationId: 'listWaitingWithdrawalAccounts',
    tag: 'Operator',
    summary: 'List withdrawal accounts that wait',
    description: 'Live accounts of all merchants that are not usable yet.',
    auth: 'operator',
    idempotency: 'none',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest first.',
        schema: OperatorWithdrawalAccountList,
        example: { data: [WAITING], has_more: false, next_cursor: null },
      },
    ],
    errors: [],
    handle: (call) => answerPage(call, parts.engine.query('withdrawalAccounts.waiting', { query: call.query })),
  })
}

function confirmRoute(): Route {
  return route({
    method: 'POST',
    path: `${OPERATOR_PATH}/{id}/confirm`,
    operationId: 'confirmWithdrawalAccount',
    tag: 'Operator',
    summary: 'Confirm a withdrawal account',
    description:
      'The account is usable at once: the merchant was asked by another way whether it is its own. Confirming it again answers 200.',
    auth: 'operator',
    operatorRoles: ['finance'],
    idempotency: 'accepted',
    params: PARAMS,
    responses: [{ status: 200, description: 'The account, usable now.', schema: OperatorWithdrawalAccount, example: CONFIRMED }],
    commands: ['ConfirmWithdrawalAccount'],
    errors: [],
    handle: (call) => call.submit({ type: 'ConfirmWithdrawalAccount', id: idOf(call) }, AUDIT_ACCOUNT),
  })
}

function create(call: Call<CreateWithdrawalAccountBody, Record<string, unknown>, MerchantPrincipal>): void {
  const { kind, name, account: typed, provider } = call.body
  const { account: merchant, caller: createdBy } = call.principal
  if (kind === 'mobile_money' && provider === undefined) return call.refuse('invalid_request', 'provider', because('provider_required'))
  const account = kind === 'bank' ? bankAccount(typed) : isPhone(typed) ? typed : null
  if (account === null) return call.refuse('invalid_account', 'account')
  const destination = { kind, name, account, provider: kind === 'bank' ? null : (provider ?? null) }
  call.submit({ type: 'AddWithdrawalAccount', merchant, destination, createdBy }, merchant)
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
