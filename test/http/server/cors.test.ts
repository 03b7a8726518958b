// Cross-origin requests: which origins and routes answer them, preflights, and that nothing changes without the setting.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isCrossOriginPath } from '../../../http/server/cors.ts'
import type { TestServer } from '../../support/server-fixture.ts'
import { ownServer, sharedServer } from '../../support/shared-server.ts'

const APP = 'https://app.example.com'

let server: TestServer
let closed: TestServer

before(async () => {
  server = await ownServer({ CORS_ORIGINS: `${APP}, capacitor://localhost` })
  closed = await sharedServer()
})

after(async () => {
  await server.close()
})

async function ask(to: TestServer, method: string, path: string, origin: string | null): Promise<Headers> {
  const headers = origin === null ? {} : { origin, 'access-control-request-method': 'POST' }
  return (await fetch(`${to.process.baseUrl}${path}`, { method, headers })).headers
}

/** Errors also vary by their language. */
const allowed = (headers: Headers): (string | null)[] => [
  headers.get('access-control-allow-origin'),
  headers.get('vary')?.replace(/(?:, )?Accept-Language$/, '') || null,
]

describe('cross-origin requests', () => {
  it('an allowed origin reads answers and errors of wallet and checkout routes', async () => {
    for (const path of ['/v1/me', '/v1/me/devices', '/v1/biz/checkout/nonsense', '/v1/auth/phone/start', '/v1/me/events']) {
      for (const origin of [APP, 'capacitor://localhost']) {
        const headers = await ask(server, 'GET', path, origin)
        assert.deepEqual(allowed(headers), [origin, 'Origin'], path)
        assert.match(headers.get('access-control-expose-headers') ?? '', /X-Request-Id/)
        assert.equal(headers.get('access-control-allow-credentials'), null)
      }
    }
  })

  it('another origin gets no permission, and caches keep answers apart', async () => {
    for (const origin of ['https://evil.example', 'null', `${APP}.evil.example`, null]) {
      assert.deepEqual(allowed(await ask(server, 'GET', '/v1/me', origin)), [null, 'Origin'])
    }
  })

  it('routes with keys, sessions or the operator token are never allowed', async () => {
    for (const path of ['/v1/biz/ping', '/v1/biz/charges', '/v1/dashboard/me', '/v1/operator/audit', '/healthz']) {
      for (const method of ['GET', 'OPTIONS']) assert.deepEqual(allowed(await ask(server, method, path, APP)), [null, null], path)
    }
    assert.equal(isCrossOriginPath('/v1/biz/checkout/{token}/refund', ['key']), false)
  })

  it('a preflight names methods and headers', async () => {
    const headers = await ask(server, 'OPTIONS', '/v1/me/transfers', APP)
    assert.deepEqual(allowed(headers), [APP, 'Origin'])
    assert.equal(headers.get('access-control-allow-methods'), 'POST')
    assert.match(headers.get('access-control-allow-headers') ?? '', /Authorization, Content-Type, Idempotency-Key/)
    assert.equal(headers.get('access-control-max-age'), '600')
  })

  it('without the setting no answer says anything of origins', async () => {
    for (const method of ['GET', 'POST']) assert.deepEqual(allowed(await ask(closed, method, '/v1/auth/phone/start', APP)), [null, null])
  })
})
