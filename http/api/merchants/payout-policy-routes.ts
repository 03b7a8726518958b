// Payout policy of a merchant: one row for each route. engine/domain/merchant/payout-policy.ts applies it.
import type { EngineApi } from '../../../engine/api.ts'
import { PayoutPolicy } from '../../../engine/contract/payout-policy.ts'
import { type Route, route } from '../../server/route.ts'

export interface PayoutPolicyParts {
  readonly engine: Pick<EngineApi, 'query'>
}

const PATH = '/v1/dashboard/payout-policy'
const POLICY: PayoutPolicy = { approval_above: 500_000 }

export function payoutPolicyRoutes(parts: PayoutPolicyParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'getPayoutPolicy',
      tag: 'Dashboard',
      summary: 'Get the payout policy',
      description: 'Of the environment that X-Environment chooses. Null until an owner sets it.',
      auth: 'session',
      memberRole: 'owner',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The policy.', schema: PayoutPolicy, example: POLICY }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify(parts.engine.query('payoutPolicies.get', { account: call.principal.account }))),
    }),
    route({
      method: 'PUT',
      path: PATH,
      operationId: 'setPayoutPolicy',
      tag: 'Dashboard',
      summary: 'Set the payout policy',
      description: SET_DESCRIPTION,
      auth: 'session',
      memberRole: 'owner',
      idempotency: 'none',
      body: PayoutPolicy,
      bodyExample: POLICY,
      responses: [{ status: 200, description: 'The policy from now on.', schema: PayoutPolicy, example: POLICY }],
      commands: ['SetPayoutPolicy'],
      errors: [],
      handle: (call) => {
        const { account } = call.principal
        call.submit(
          { type: 'SetPayoutPolicy', merchant: account, approvalAbove: call.body.approval_above, actedBy: call.principal.caller },
          account,
        )
      },
    }),
  ]
}

const SET_DESCRIPTION = `For the environment that X-Environment chooses. A single payout, a withdrawal, the well-formed lines of a batch and one run of a schedule
above \`approval_above\` are answered 403 \`approval_required\`, with a key and with a session, in every role. A dry run moves nothing and is answered.
Schedules that were made before still run.`
