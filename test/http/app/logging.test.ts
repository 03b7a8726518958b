// Nothing secret reaches a log line, at any level, from any module.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from '../../../engine/contract/schema.ts'
import { heldQuotas } from '../../../http/api/operator/served-quotas.ts'
import { createLogger, SECRET_FIELDS } from '../../../http/app/logging.ts'
import { HttpServer, SERVER_LIMITS } from '../../../http/server/http-server.ts'
import { RateLimiter } from '../../../http/server/rate-limit.ts'
import { RequestWatch } from '../../../http/server/request-watch.ts'
import { RawClient, request } from '../../support/raw-client.ts'
import { FakeEngine, NOTHING_KEPT, plainRoute, TEST_CURSORS } from '../../support/server-without-engine.ts'

function collected(): { readonly lines: string[]; write(line: string): void } {
  const lines: string[] = []
  return { lines, write: (line) => lines.push(line) }
}

const SECRET = 'tres-secret-42'

describe('logs', () => {
  it('logs are JSON lines with a level and a time, without pid and host name', () => {
    const out = collected()
    createLogger('info', out).info({ port: 1 }, 'listening')
    const line = JSON.parse(out.lines[0] as string) as Record<string, unknown>
    assert.deepEqual(Object.keys(line), ['level', 'time', 'port', 'msg'])
    assert.equal(line.level, 'info')
    assert.match(String(line.time), /^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('logs say less at a higher level', () => {
    const out = collected()
    const logger = createLogger('warn', out)
    logger.info('quiet')
    logger.warn('loud')
    assert.equal(out.lines.length, 1)
  })

  for (const field of SECRET_FIELDS) {
    const name = field.replaceAll(/[["\]]/g, '')
    it(`logs take ${name} out, at any depth that we log`, () => {
      const out = collected()
      const logger = createLogger('trace', out)
      logger.info({ [name]: SECRET })
      logger.info({ body: { [name]: SECRET } })
      logger.info({ request: { body: { [name]: SECRET } } })
      logger.info({ a: { b: { c: { [name]: SECRET } } } })
      logger.error({ err: Object.assign(new Error('failed'), { [name]: SECRET }) })
      assert.equal(out.lines.length, 5)
      for (const line of out.lines) assert.ok(!line.includes(SECRET), line)
    })
  }

  it('one line for each request at debug: no header, body, query or capability in it', async () => {
    const out = collected()
    const server = new HttpServer({
      routes: [
        plainRoute('POST', '/v1/auth/pin/verify', 'public', (call) => call.answer(200, `{"access_token":"${SECRET}"}`), {
          body: Type.Object({}),
        }),
        plainRoute('GET', '/v1/biz/checkout/{token}/status', 'public', (call) => call.answer(200, '{}')),
        plainRoute('GET', '/v1/biz/payouts/{id}', 'public', (call) => call.answer(200, '{}')),
      ],
      alwaysOpen: new Set(),
      rateLimiter: new RateLimiter({ live: 0, test: 0 }),
      watch: new RequestWatch(createLogger('debug', out), () => assert.fail('no invariant breaks')),
      limits: SERVER_LIMITS,
      quotas: heldQuotas(),
    })
    const port = await server.listen('127.0.0.1', 0)
    server.open({
      engine: new FakeEngine(),
      authenticator: { authenticate: () => ({ kind: 'public' }), prepare: () => null, tokenHash: () => null },
      seal: { reveal: (body) => body },
      kept: NOTHING_KEPT,
      cursors: TEST_CURSORS,
      canWrite: () => true,
    })
    const headers = { Authorization: `Bearer ${SECRET}`, 'X-Api-Secret': SECRET, Cookie: `session=${SECRET}`, 'Idempotency-Key': 'k' }
    const requests = [
      request({ method: 'POST', path: '/v1/auth/pin/verify', headers, body: `{"pin":"${SECRET}"}` }),
      request({ path: `/v1/biz/checkout/${SECRET}/status`, headers }),
      request({ path: '/v1/biz/payouts/0193a5b0', headers: { ...headers, 'X-Request-Id': 'mine-1' } }),
      request({ path: `/v1/biz/payouts/0193a5b0?ticket=${SECRET}`, headers }),
      request({ path: `/${SECRET}`, headers }),
      request({ method: 'PUT', path: `/v1/biz/checkout/${SECRET}/status`, headers }),
    ]
    try {
      for (const text of requests) {
        const client = await RawClient.open(port)
        await client.send(text).answer()
        client.close()
      }
    } finally {
      await server.close()
    }
    const lines = out.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.equal(lines.length, requests.length, 'one line each')
    for (const line of out.lines) assert.ok(!line.includes(SECRET), line)
    assert.deepEqual(
      lines.map(({ path, status }) => [path, status]),
      [
        ['/v1/auth/pin/verify', 200],
        ['/v1/biz/checkout/{token}/status', 200],
        ['/v1/biz/payouts/0193a5b0', 200],
        ['/v1/biz/payouts/0193a5b0', 400],
        ['(unknown path)', 404],
        ['(wrong method) /v1/biz/checkout/:token/status', 405],
      ],
    )
    assert.equal(lines[2]?.request_id, 'mine-1')
    assert.equal(typeof lines[2]?.duration_ms, 'number')
  })
})
