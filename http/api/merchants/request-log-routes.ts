// What a developer reads of the requests of its test keys.

import { LIST_LIMIT_DEFAULT, PageQuery } from '../../../engine/contract/common.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { TestRequestList } from '../../../engine/contract/request-log.ts'
import type { RequestLog } from '../../server/request-log.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { LOGGED_REQUESTS_PER_MERCHANT } from '../../server/server-limits.ts'

export interface RequestLogParts {
  readonly requestLog: Pick<RequestLog, 'of'>
}

const EXAMPLE = {
  id: '8f3a1c-42',
  request_id: 'req_-Dh7TLlig7ky00001q',
  method: 'POST',
  path: '/v1/biz/payouts',
  status: 400,
  code: 'invalid_request',
  duration_ms: 0.6,
  created_at: '2026-11-20T10:00:00.000Z',
}

export function requestLogRoutes(parts: RequestLogParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/test/requests',
      operationId: 'listTestRequests',
      tag: 'Test helpers',
      summary: 'List the newest requests of your test keys',
      description:
        `The newest ${LOGGED_REQUESTS_PER_MERCHANT} requests of your test keys that this server has answered, without bodies and queries; requests to this address are not
among them. They are kept in memory: a restart forgets them, and in a cluster each node has its own. \`cauri logs tail\` follows them.`.replaceAll(
          '\n',
          ' ',
        ),
      auth: 'key',
      memberRole: 'viewer',
      idempotency: 'none',
      testOnly: true,
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'The whole list, or its newest rows: `limit` is the number of rows.',
          schema: TestRequestList,
          example: { data: [EXAMPLE], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listRequests(parts, call),
    }),
  ]
}

function listRequests({ requestLog }: RequestLogParts, call: Call<unknown, PageQuery, MerchantPrincipal>): void {
  const { limit = LIST_LIMIT_DEFAULT, cursor, created_from: from, created_to: to } = call.query
  if (cursor !== undefined) return call.refuse('invalid_parameter', 'cursor', because('cursor'))
  const [fromMs, toMs] = [from === undefined ? 0 : Date.parse(from), to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to)]
  const rows = requestLog.of(call.principal.merchant.id).filter(({ created_at }) => {
    const atMs = Date.parse(created_at)
    return atMs >= fromMs && atMs < toMs
  })
  call.answer(200, JSON.stringify({ data: rows.slice(0, limit), has_more: false, next_cursor: null }))
}
