// A login that the visitor did not ask for: no request of another site sets the cookie of a session.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newEmail, PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('a page of another site sets no cookie of a session, and neither does JSON without its type', async () => {
  const { email } = await signUp(server)
  const login = { email, password: PASSWORD }
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://attacker.example' }]) {
    for (const [path, json] of [
      ['login', login],
      ['signup', { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD }],
      ['members/accept', { token: 'x', password: PASSWORD }],
    ] as const) {
      const answer = await server.anybody.post(`/v1/dashboard/${path}`, json, headers)
      assert.deepEqual([answer.status, answer.body.code, answer.headers['set-cookie']], [403, 'csrf_failed', undefined], path)
    }
  }
  for (const contentType of ['', 'text/plain']) {
    const answer = await server.anybody.request('POST', '/v1/dashboard/login', { body: JSON.stringify(login), contentType })
    assert.deepEqual([answer.status, answer.headers['set-cookie']], [415, undefined], contentType)
  }
  const own = { 'sec-fetch-site': 'same-origin', origin: server.process.baseUrl }
  assert.equal((await server.anybody.post('/v1/dashboard/login', login, own)).status, 200)
})
