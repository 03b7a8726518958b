// What a movement costs, asked before it is made.
import type { EngineApi } from '../../../engine/api.ts'
import { Fee, FeeQuery } from '../../../engine/contract/fees.ts'
import { type Route, route } from '../../server/route.ts'
import { FEE } from '../operator/fee-examples.ts'

export interface FeeQuoteParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function feeQuoteRoutes(parts: FeeQuoteParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/fees',
      operationId: 'getFee',
      tag: 'Account',
      summary: 'What a movement costs',
      description:
        'By your plan as it is now, in the environment of the key. A movement takes the fee that applies in the moment when it is made.',
      auth: 'key-or-session',
      idempotency: 'none',
      query: FeeQuery,
      responses: [{ status: 200, description: 'The fee, and who bears it.', schema: Fee, example: FEE }],
      errors: [],
      handle: (call) =>
        call.answer(200, JSON.stringify(parts.engine.query('fees.now', { ...call.query, account: call.principal.account }))),
    }),
  ]
}
