// What survives when the process is killed: sessions, locks, revoked keys; and how cookies look where pages are secure.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SignedIn } from '../../../../engine/contract/dashboard.ts'
import { cookieOf, newEmail, PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import { TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'

test('sessions, locks and keys are the same after a crash', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-dashboard-'))
  try {
    const before = await TestServer.open({ dataDir })
    const owner = await signUp(before)
    const locked = await signUp(before)
    const gone = await signUp(before)
    await gone.browser.post('/v1/dashboard/logout', undefined)
    for (let tries = 1; tries <= 10; tries++) {
      await before.anybody.post('/v1/dashboard/login', { email: locked.email, password: `essai numéro ${tries}` })
    }
    await before.process.kill()
    before.anybody.close()

    const after = await ownServer({}, dataDir)
    const me = (cookie: string) => after.anybody.get('/v1/dashboard/me', { headers: { cookie } })
    assert.equal((await me(owner.cookie)).body.csrf_token, owner.csrfToken)
    assert.equal((await me(gone.cookie)).status, 401)
    assert.equal((await me(locked.cookie)).status, 200)
    const answer = await after.anybody.post('/v1/dashboard/login', { email: locked.email, password: PASSWORD })
    assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
    await after.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('where pages are reached by https the cookie says so', async () => {
  const server = await ownServer({ BASE_URL: 'https://cauri.example' })
  try {
    const form = { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD }
    const answer = await server.anybody.post<SignedIn>('/v1/dashboard/signup', form)
    assert.match(
      answer.headers['set-cookie'] ?? '',
      /^__Host-session=session_[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure,__Host-device-[\w-]{12}=[^,]*; Secure$/,
    )
    const me = (cookie: string) => server.anybody.get('/v1/dashboard/me', { headers: { cookie } })
    assert.equal((await me(cookieOf(answer))).status, 200)
    assert.equal((await me(cookieOf(answer).replace('__Host-', ''))).status, 401)
  } finally {
    await server.close()
  }
})
