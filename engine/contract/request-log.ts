// API requests of a merchant's test keys, as the service answered them.

import { listOf, timestamp } from './common.ts'
import { ERROR_CODES } from './errors.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const TestRequest = Type.Object(
  {
    id: Type.String({ description: 'Identifies the row.', examples: ['8f3a1c-42'] }),
    request_id: Type.String({ description: 'The header `X-Request-Id` of the answer.', examples: ['req_-Dh7TLlig7ky00001q'] }),
    method: Type.String({ description: 'Method of HTTP.', examples: ['POST'] }),
    path: Type.String({ description: 'Path without its query.', examples: ['/v1/biz/payouts'] }),
    status: Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'Status of the answer; 499 when you closed the connection before it.',
    }),
    code: nullable(choice(ERROR_CODES), { description: 'Code of the ErrorBody; null for other answers.' }),
    duration_ms: Type.Number({ minimum: 0, description: 'Milliseconds from the head of the request to the answer.', examples: [1.4] }),
    created_at: timestamp({ description: 'When the answer left.' }),
  },
  { $id: 'TestRequest' },
)

export type TestRequest = Static<typeof TestRequest>

export const TestRequestList = listOf(TestRequest, 'TestRequestList')
