// Operators block wallets, suspend merchants and revoke API keys. Each action is in the audit trail.
import { AUDIT_ACCOUNT } from '../../../engine/api.ts'
import { tagInput, uuid } from '../../../engine/contract/common.ts'
import { Deleted } from '../../../engine/contract/dashboard.ts'
import { Merchant, SuspendMerchantBody } from '../../../engine/contract/merchant.ts'
import {
  BlockWalletBody,
  OPERATOR_ROLES,
  OperatorWallet,
  ShowPhoneBody,
  UnblockWalletBody,
  WalletPhone,
} from '../../../engine/contract/operator.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { API_KEY } from '../dashboard/dashboard-examples.ts'
import { BLOCKED_WALLET, MERCHANT, OPERATOR_WALLET, SUSPENDED_MERCHANT } from './operator-examples.ts'

const TAG = { tag: tagInput() }
const MERCHANT_ID = { id: uuid({ description: 'Id of the merchant.' }) }

export function operatorControlRoutes(): readonly Route[] {
  return [...walletRoutes(), ...merchantRoutes(), revokeRoute()]
}

function walletRoutes(): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/operator/wallets/{tag}/block',
      operationId: 'blockWallet',
      tag: 'Operator',
      summary: 'Block a wallet',
      description: BLOCK_DESCRIPTION,
      auth: 'operator',
      idempotency: 'accepted',
      params: TAG,
      body: BlockWalletBody,
      bodyExample: { reason: BLOCKED_WALLET.block_reason, environment: 'live' },
      responses: [{ status: 200, description: 'The wallet, blocked.', schema: OperatorWallet, example: BLOCKED_WALLET }],
      commands: ['BlockWallet'],
      errors: [],
      handle: (call) => {
        const { reason, environment = 'live' } = call.body
        call.submit({ type: 'BlockWallet', environment, tag: tagOf(call), reason }, AUDIT_ACCOUNT)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/operator/wallets/{tag}/unblock',
      operationId: 'unblockWallet',
      tag: 'Operator',
      summary: 'Unblock a wallet',
      description: 'A wallet that is not blocked answers 200 too.',
      auth: 'operator',
      idempotency: 'accepted',
      params: TAG,
      body: UnblockWalletBody,
      bodyOptional: true,
      bodyExample: { environment: 'live' },
      responses: [{ status: 200, description: 'The wallet.', schema: OperatorWallet, example: OPERATOR_WALLET }],
      commands: ['UnblockWallet'],
      errors: [],
      handle: (call) => {
        const { environment = 'live' } = call.body
        call.submit({ type: 'UnblockWallet', environment, tag: tagOf(call) }, AUDIT_ACCOUNT)
      },
    }),
    phoneRoute(),
  ]
}

function phoneRoute(): Route {
  return route({
    method: 'POST',
    path: '/v1/operator/wallets/{tag}/phone',
    operationId: 'showWalletPhone',
    tag: 'Operator',
    summary: 'Show the phone of a wallet',
    description: 'For `support`, which reads phones masked elsewhere. The audit trail keeps who asked, and why.',
    auth: 'operator',
    operatorRoles: OPERATOR_ROLES,
    idempotency: 'accepted',
    params: TAG,
    body: ShowPhoneBody,
    bodyExample: { reason: 'La cliente demande un rappel.', environment: 'live' },
    responses: [
      {
        status: 200,
        description: 'The whole number.',
        schema: WalletPhone,
        example: { tag: OPERATOR_WALLET.tag, phone: OPERATOR_WALLET.phone, environment: OPERATOR_WALLET.environment },
      },
    ],
    commands: ['ShowPhone'],
    errors: [],
    handle: (call) => {
      const { reason, environment = 'live' } = call.body
      call.submit({ type: 'ShowPhone', environment, tag: tagOf(call), reason }, AUDIT_ACCOUNT)
    },
  })
}

function merchantRoutes(): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/suspend',
      operationId: 'suspendMerchant',
      tag: 'Operator',
      summary: 'Suspend a merchant',
      description: SUSPEND_DESCRIPTION,
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      body: SuspendMerchantBody,
      bodyExample: { reason: SUSPENDED_MERCHANT.suspend_reason },
      responses: [{ status: 200, description: 'The merchant, suspended.', schema: Merchant, example: SUSPENDED_MERCHANT }],
      commands: ['SuspendMerchant'],
      errors: [],
      handle: (call) => call.submit({ type: 'SuspendMerchant', merchantId: idOf(call), reason: call.body.reason }, AUDIT_ACCOUNT),
    }),
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/reinstate',
      operationId: 'reinstateMerchant',
      tag: 'Operator',
      summary: 'Reinstate a suspended merchant',
      description: 'A merchant that is not suspended answers 200 too.',
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      responses: [{ status: 200, description: 'The merchant.', schema: Merchant, example: MERCHANT }],
      commands: ['ReinstateMerchant'],
      errors: [],
      handle: (call) => call.submit({ type: 'ReinstateMerchant', merchantId: idOf(call) }, AUDIT_ACCOUNT),
    }),
  ]
}

function revokeRoute(): Route {
  return route({
    method: 'DELETE',
    path: '/v1/operator/merchants/{id}/api-keys/{key_id}',
    operationId: 'revokeMerchantApiKey',
    tag: 'Operator',
    summary: 'Revoke an API key pair of a merchant',
    description: 'Requests with it are refused from the answer on.',
    auth: 'operator',
    idempotency: 'none',
    params: { ...MERCHANT_ID, key_id: uuid({ description: 'Id of the key.' }) },
    responses: [{ status: 200, description: 'Revoked.', schema: Deleted, example: { id: API_KEY.id, deleted: true } }],
    commands: ['RevokeApiKey'],
    errors: [],
    handle: (call) => {
      const keyId = String(call.params[1]).toLowerCase()
      call.submit({ type: 'RevokeApiKey', merchantId: idOf(call), keyId, by: 'operator' }, AUDIT_ACCOUNT)
    },
  })
}

const BLOCK_DESCRIPTION = `A blocked wallet receives nothing (\`recipient_blocked\` in payouts, batches and transfers) and pays nothing (403
\`wallet_blocked\`: transfers, charges, bills, mandates). It signs in and sees its history; refunds reach it, deposits do not (409 \`wallet_blocked\`). What a mandate
tries to collect from it fails with \`wallet_blocked\`. A blocked wallet answers 200 too, with the new reason.`

const SUSPEND_DESCRIPTION = `A suspended merchant moves no money in either environment: payouts, charges, refunds, withdrawals and what customers want to
pay to it answer 403 \`merchant_suspended\`, and so do the test helpers that move play money; each line of a schedule's run and each payment of a mandate fails with that code. It reads everything, cancels what is
open, and its dashboard says why. Operators still confirm and pay what it asked before. A suspended merchant answers 200 too, with the new reason.`

type OperatorCall = Call<unknown, Record<string, unknown>, OperatorPrincipal>

/** The schema of the path has checked the tag. */
function tagOf(call: Pick<OperatorCall, 'params'>): string {
  return normalizeTag(String(call.params[0])) as string
}

function idOf(call: Pick<OperatorCall, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
