// A browser that does not keep the session's cookie, as over plain http: the login page says why, instead of asking again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { askPage } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { ownServer } from '../support/shared-server.ts'

const BASE_URL = 'https://portefeuille.example'
let server: TestServer

before(async () => {
  server = await ownServer({ NODE_ENV: 'production', BASE_URL })
})

after(async () => {
  await server.close()
})

/** The page at the end of the redirects, asked for without a cookie; `location` is relative to `from`. */
async function lastPage(location: string, from: string): Promise<{ readonly path: string; readonly text: string }> {
  const { pathname, search } = new URL(location, server.process.baseUrl + from)
  const path = pathname + search
  const answer = await askPage(server.process.baseUrl, path)
  return answer.status === 303 ? lastPage(answer.location, path) : { path, text: answer.text }
}

const FORM = { merchant_name: 'Chez Awa', email: 'awa@example.ci', password: 'une phrase assez longue' }

for (const form of ['signup', 'login'] as const) {
  test(`${form}: the page after it names the address that keeps the session`, async () => {
    const answer = await askPage(server.process.baseUrl, `/dashboard/${form}`, { form: FORM })
    assert.equal(answer.status, 303)
    const { path, text } = await lastPage(answer.location, `/dashboard/${form}`)
    assert.equal(path, '/dashboard/login?session=lost')
    assert.match(text, /<p class="error" role="alert">Votre navigateur n’a pas gardé la session\./)
    assert.ok(text.includes(`Ouvrez ${BASE_URL}/dashboard.`))
  })
}

test('the operator’s desk: the login page says what keeps the session', async () => {
  const answer = await askPage(server.process.baseUrl, '/operator/login', { form: { token: OPERATOR_TOKEN } })
  assert.equal(answer.status, 303)
  const { path, text } = await lastPage(answer.location, '/operator/login')
  assert.equal(path, '/operator/login?session=lost')
  assert.match(text, /Votre navigateur n’a pas gardé la session\./)
})

test('who was never signed in is asked to log in, without a warning', async () => {
  const { path, text } = await lastPage('/dashboard/test/payouts', '/')
  assert.equal(path, '/dashboard/login?next=test%2Fpayouts')
  assert.doesNotMatch(text, /role="alert"/)
})
