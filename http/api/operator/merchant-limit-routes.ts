// Limits of one merchant for operators. Later limits are further fields of the same routes.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { MerchantLimits, SetMerchantLimitsBody, wholeLimits } from '../../../engine/contract/merchant-limits.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import { UNKNOWN_RECIPIENTS_RULE } from '../payouts/recipient-prose.ts'
import { MERCHANT, MERCHANT_LIMITS } from './operator-examples.ts'

export interface MerchantLimitParts {
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
      description: 'The budgets of this merchant, with those of the service where it has none of its own.',
      auth: 'operator',
      idempotency: 'none',
      params: PARAMS,
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
      description: `${UNKNOWN_RECIPIENTS_RULE} A limit that is not sent stays as it is.`,
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
          example: { merchant_id: MERCHANT.id, unknown_recipients: 10_000, unknown_recipients_per_minute: 1000 },
        },
      ],
      commands: ['SetMerchantLimits'],
      errors: [],
      handle: (call) => {
        const { unknown_recipients, unknown_recipients_per_minute } = call.body
        const limits = {
          ...(unknown_recipients === undefined ? {} : { unknown_recipients }),
          ...(unknown_recipients_per_minute === undefined ? {} : { unknown_recipients_per_minute }),
        }
        call.submit({ type: 'SetMerchantLimits', merchantId: idOf(call), limits }, AUDIT_ACCOUNT)
      },
    }),
  ]
}

function getLimits({ engine }: MerchantLimitParts, call: Call): void {
  const merchant = engine.query('merchants.byId', { id: idOf(call) })
  if (merchant === null) return call.refuse('not_found')
  const limits: MerchantLimits = { merchant_id: merchant.id, ...wholeLimits(merchant.limits) }
  call.answer(200, JSON.stringify(limits))
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
