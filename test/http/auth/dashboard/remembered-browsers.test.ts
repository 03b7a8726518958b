// Logging in while strangers keep the e-mail address locked: remembered browsers and open sessions have counts of their own.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Answer, Client } from '../../../support/client.ts'
import { PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const logIn = (email: string, password = PASSWORD): Promise<Answer> => server.anybody.post('/v1/dashboard/login', { email, password })

describe('a browser that its owner has logged in with', () => {
  const wrong = async (email: string, client: Client): Promise<number[]> => {
    const statuses: number[] = []
    for (let tries = 1; tries <= 10; tries++) {
      statuses.push((await client.post('/v1/dashboard/login', { email, password: `essai numéro ${tries}` })).status)
    }
    return statuses
  }

  test('a browser that its owner has logged in with passes the lock that strangers have caused, and leaves it to them', async () => {
    const { email, device } = await signUp(server)
    await wrong(email, server.anybody)
    const remembered = server.anybody.with({ cookie: device })
    for (const _time of [1, 2]) {
      const answer = await remembered.post('/v1/dashboard/login', { email, password: PASSWORD })
      assert.equal(answer.status, 200, answer.text)
    }
    assert.equal((await logIn(email)).status, 429)
  })

  test('a browser that its owner has logged in with has its own ten tries, and locks no other browser', async () => {
    const { email, device, browser } = await signUp(server)
    const remembered = server.anybody.with({ cookie: device })
    assert.deepEqual(await wrong(email, remembered), [...Array.from({ length: 9 }, () => 401), 429])
    assert.equal((await remembered.post('/v1/dashboard/login', { email, password: PASSWORD })).status, 429)
    assert.equal((await logIn(email)).status, 200)
    assert.equal((await browser.post('/v1/dashboard/password', { password: PASSWORD, new_password: 'trois pirogues' })).status, 200)
  })

  test('a browser that its owner has logged in with is nothing for another user, and opens nothing by itself', async () => {
    const [awa, kofi] = [await signUp(server), await signUp(server)]
    await wrong(kofi.email, server.anybody)
    const stranger = server.anybody.with({ cookie: awa.device })
    assert.equal((await stranger.post('/v1/dashboard/login', { email: kofi.email, password: PASSWORD })).status, 429)
    assert.equal((await stranger.get('/v1/dashboard/me')).status, 401)
  })
})

describe('an open session', () => {
  test('an open session changes its password while strangers keep the address locked', async () => {
    const { email, browser } = await signUp(server)
    for (let tries = 1; tries <= 10; tries++) await logIn(email, `essai numéro ${tries}`)
    const answer = await browser.post('/v1/dashboard/password', { password: PASSWORD, new_password: 'trois pirogues sur la lagune' })
    assert.equal(answer.status, 200, answer.text)
  })
})
