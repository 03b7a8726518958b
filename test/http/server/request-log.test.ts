// The newest requests of test keys: what is kept, of whom, and how many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestLog } from '../../../http/server/request-log.ts'
import type { Visit } from '../../../http/server/server-context.ts'
import { LOGGED_MERCHANTS_MAX, LOGGED_REQUESTS_PER_MERCHANT } from '../../../http/server/server-limits.ts'

function visit(merchantId: string, requestId: string, more: object = {}): Visit {
  const route = { path: '/v1/biz/charges/{token}', method: 'GET', operationId: 'getCharge' }
  const principal = { kind: 'merchant', environment: 'test', publicKey: 'pk_test_x', merchant: { id: merchantId } }
  return { endpoint: { route }, principal, requestId, params: ['a/b'], answer: { payload: '{}' }, ...more } as unknown as Visit
}

const idsOf = (log: RequestLog, merchantId: string): string[] => log.of(merchantId).map(({ request_id }) => request_id)

test('a row names the path with its values, the status, and the code of an error alone', () => {
  const log = new RequestLog()
  log.add(visit('awa', 'r1'), 200, 1.2345)
  log.add(visit('awa', 'r2', { answer: { payload: '{"code":"not_found","message":"code"}' } }), 404, 1)
  const [second, first] = log.of('awa')
  assert.deepEqual(
    [first?.path, first?.method, first?.status, first?.code, first?.duration_ms],
    ['/v1/biz/charges/a%2Fb', 'GET', 200, null, 1.235],
  )
  assert.deepEqual([second?.status, second?.code], [404, 'not_found'])
  assert.notEqual(first?.id, second?.id)
})

test('requests of live keys, sessions and wallets, and those that read the log, are not kept', () => {
  const log = new RequestLog()
  const principal = visit('awa', '').principal as object
  const route = { path: '/v1/biz/test/requests', method: 'GET', operationId: 'listTestRequests' }
  for (const more of [
    { principal: { ...principal, environment: 'live' } },
    { principal: { ...principal, publicKey: undefined } },
    { principal: { kind: 'public' } },
    { endpoint: { route } },
  ])
    log.add(visit('awa', 'r', more), 200, 1)
  assert.deepEqual(log.of('awa'), [])
})

test('a merchant has its share, which no other one takes, and the one that was quiet longest gives way', () => {
  const log = new RequestLog()
  log.add(visit('quiet', 'q'), 200, 1)
  for (let count = 0; count < LOGGED_REQUESTS_PER_MERCHANT + 5; count++) log.add(visit('busy', String(count)), 200, 1)
  assert.deepEqual([log.of('busy').length, idsOf(log, 'busy').at(-1), idsOf(log, 'quiet')], [LOGGED_REQUESTS_PER_MERCHANT, '5', ['q']])
  for (let count = 0; count < LOGGED_MERCHANTS_MAX - 1; count++) log.add(visit(`other-${count}`, 'o'), 200, 1)
  assert.deepEqual([idsOf(log, 'quiet'), log.of('busy').length], [[], LOGGED_REQUESTS_PER_MERCHANT])
})
