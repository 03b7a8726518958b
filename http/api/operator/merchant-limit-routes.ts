// Limits of one merchant for operators. Later limits are further fields of the same routes.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { Approval } from '../../../engine/contract/approval.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { RulesQuery } from '../../../engine/contract/limits.ts'
import { MerchantLimits, SetMerchantLimitsBody } from '../../../engine/contract/merchant-limits.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import { UNKNOWN_RECIPIENTS_RULE } from '../payouts/recipient-prose.ts'
import { type DualControl, isDualControlled } from './dual-control.ts'
import { MERCHANT_LIMITS } from './operator-examples.ts'
import { MERCHANT_LIMITS_CHANGE } from './rules-examples.ts'

export interface MerchantLimitParts extends DualControl {
  readonly engine: Pick<EngineApi, 'query'>
}

const PATH = '/v1/operator/merchants/{id}/limits'
const PARAMS = { id: uuid({ description: 'Id of the merchant.' }) }

export function merchantLimitRoutes(parts: MerchantLimitParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'getMerchantLimits',
      tag: 'Operator',
      summary: 'Get the limits of a merchant',
      description:
        'The budgets of this merchant, and its limits of money in one environment; with those of the service where it has none of its own.',
      auth: 'operator',
      idempotency: 'none',
      params: PARAMS,
      query: RulesQuery,
      responses: [{ status: 200, description: 'As they apply now.', schema: MerchantLimits, example: MERCHANT_LIMITS }],
      errors: [],
      handle: (call) => getLimits(parts, call),
    }),
    route({
      method: 'PUT',
      path: PATH,
      operationId: 'setMerchantLimits',
      tag: 'Operator',
      summary: 'Change limits of a merchant',
      description: `${UNKNOWN_RECIPIENTS_RULE} A limit that is not sent stays as it is; an unknown field is refused. Limits of money
apply to movements from the answer on, in place of those of \`PUT /v1/operator/rules/limits\`; with OPERATOR_DUAL_CONTROL or OPERATOR_DAY_CONTROL set,
those of live wait for another administrator: 202.`,
      auth: 'operator',
      idempotency: 'none',
      params: PARAMS,
      body: SetMerchantLimitsBody,
      bodyExample: { unknown_recipients: 10_000, unknown_recipients_per_minute: 1000 },
      responses: [
        {
          status: 200,
          description: 'All limits, as they apply from now on.',
          schema: MerchantLimits,
          example: { ...MERCHANT_LIMITS, unknown_recipients: 10_000, unknown_recipients_per_minute: 1000 },
        },
        { status: 202, description: 'Waits for another administrator.', schema: Approval, example: MERCHANT_LIMITS_CHANGE },
      ],
      commands: ['SetMerchantLimits'],
      unreachable: ['wallet_not_found', 'invalid_request'],
      errors: [],
      currencyOf: (call) => parts.engine.query('merchants.byId', { id: idOf(call) })?.currency ?? null,
      handle: (call) => {
        const { currency: _own, ...limits } = call.body
        const isDual = isDualControlled(parts)
        call.submit({ type: 'SetMerchantLimits', merchantId: idOf(call), limits, isDualControlled: isDual }, AUDIT_ACCOUNT)
      },
    }),
  ]
}

function getLimits({ engine }: MerchantLimitParts, call: Call<unknown, RulesQuery>): void {
  const { environment = 'live' } = call.query
  const limits = engine.query('rules.ofMerchant', { id: idOf(call), environment })
  if (limits === null) call.refuse('not_found')
  else call.answer(200, JSON.stringify(limits))
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
