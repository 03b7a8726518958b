// A production server over the folder of a development server: the demo's login, sessions and keys are refused, other merchants go on.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cookieOf } from '../../support/dashboard-callers.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { askPage, cookieHeader } from '../../support/raw-page.ts'
import { newKey, TestServer } from '../../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../../support/server-process.ts'
import { ownServer } from '../../support/shared-server.ts'
import { ok } from '../../support/wallet-callers.ts'

function printed(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? ''
}

test('a production server refuses login, session and keys of the demo that its folder has, and says so', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-demo-'))
  try {
    const before = await TestServer.open({ dataDir })
    await eventuallyAsync(async () => before.process.errorOutput().includes('API document:'), 'the demo is printed')
    const text = before.process.errorOutput()
    const login = { email: 'demo@example.com', password: printed(text, /demo@example\.com, password (\S+)\)/) }
    const pair = { 'x-api-key': printed(text, /X-Api-Key: +(\S+)/), 'x-api-secret': printed(text, /X-Api-Secret: +(\S+)/) }
    const cookie = cookieOf(await before.anybody.post('/v1/dashboard/login', login))
    const shop = await before.merchant()
    assert.equal((await before.anybody.with(pair).get('/v1/biz/ping')).status, 200)
    const { status, body: me } = await before.anybody.get<{ csrf_token: string }>('/v1/dashboard/me', { headers: { cookie } })
    assert.equal(status, 200)
    const owner = before.anybody.with({ cookie, 'x-csrf-token': me.csrf_token, 'x-environment': 'test' })
    await ok(owner.request('PUT', '/v1/dashboard/payout-policy', { json: { approval_above: 0 } }))
    const paid = { items: [{ recipient: 'awa_demo', amount: 5 }], start: 'auto' }
    const made = await ok(before.anybody.with(pair).post('/v1/biz/disbursements', paid, newKey()))
    const alone = await owner.post(`/v1/biz/disbursements/${made.body.id}/approve`, undefined)
    assert.deepEqual([alone.status, alone.body.code], [403, 'second_person_required'], 'the owner of the demo is the maker of its key')
    await before.process.kill()
    before.anybody.close()

    const server = await ownServer({ NODE_ENV: 'production' }, dataDir)
    const { anybody, process } = server
    assert.match(await process.line('demo data'), /"level":"warn"/)
    const refused = await anybody.post('/v1/dashboard/login', login)
    assert.deepEqual([refused.status, refused.body.code, refused.headers['set-cookie']], [401, 'invalid_credentials', undefined])
    assert.equal((await anybody.get('/v1/dashboard/me', { headers: { cookie: `__Host-${cookie}` } })).status, 401)
    assert.equal((await anybody.with(pair).get('/v1/biz/ping')).status, 401)
    assert.equal((await shop.test.at(anybody).get('/v1/biz/ping')).status, 200)
    const headers = cookieHeader(await askPage(process.baseUrl, '/operator/login', { form: { token: OPERATOR_TOKEN } }))
    assert.match((await askPage(process.baseUrl, '/operator', { headers })).text, /Ce dossier contient les données de démonstration/)
    await server.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
