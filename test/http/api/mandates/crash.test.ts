// Killed by kill -9 while mandates are being collected: each payment is made once, before or after, and the ones that
// came due while nothing ran are made late.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mandate } from '../../../../engine/contract/mandate.ts'
import { lookAgain, untilClock } from '../../../support/look-again.ts'
import { DAY_MS, fromNow, type List, PATH } from '../../../support/mandate-callers.ts'
import { TestServer } from '../../../support/server-fixture.ts'
import { bearer, ok, PIN, signUp } from '../../../support/wallet-callers.ts'

const MANDATES = 60
const KILLS = 3

test(`${MANDATES} payments that are due together are made once each, through ${KILLS} kills`, async () => {
  let server = await TestServer.open()
  const { dataDir } = server.process
  const first = server
  try {
    const merchant = await server.merchant()
    const person = await signUp(server.anybody)
    await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: person.tag, amount: MANDATES * 100 }))
    const approve = async (terms: object): Promise<string> => {
      const { id } = (await ok(merchant.test.post<Mandate>(PATH, { customer_tag: person.tag, ...terms }))).body
      await ok(person.client.post(`/v1/me/mandates/${id}/approve`, { pin: PIN }))
      return id
    }
    // All are approved before they are due, on a machine of any speed.
    const beganMs = performance.now()
    const other = await approve({ max_amount: 100, interval: 'on_demand' })
    const start_at = fromNow(Math.max(5000, 3 * MANDATES * (performance.now() - beganMs)))
    const ids: string[] = []
    for (let count = 0; count < MANDATES; count++) ids.push(await approve({ amount: 100, interval: 'weekly', start_at }))
    let client = merchant.test
    const held = async (): Promise<number> => (await client.get<{ available: number }>('/v1/biz/balance')).body.available
    // The first kill meets the collection as it begins, the next ones meet what a recovery leaves to do.
    await untilClock(Date.parse(start_at))
    while ((await held()) === 0) await new Promise(setImmediate)
    for (let kill = 0; kill < KILLS; kill++) {
      await server.process.kill()
      server.anybody.close()
      server = await TestServer.open({ dataDir })
      client = await server.keyed(merchant.id, 'test', [])
    }
    while ((await held()) < MANDATES * 100) await lookAgain()
    const data = (await client.get<List<Mandate>>(`${PATH}?limit=100`)).body.data.filter(({ id }) => id !== other)
    assert.deepEqual(new Set(data.map(({ id }) => id)), new Set(ids))
    assert.deepEqual(
      data.filter(({ payments_count, failed_attempts, state }) => payments_count !== 1 || failed_attempts !== 0 || state !== 'active'),
      [],
    )
    for (const { next_charge_at } of data) assert.equal(Date.parse(next_charge_at ?? '') - Date.parse(start_at), 7 * DAY_MS)
    assert.equal((await bearer(server.anybody, person.accessToken).get('/v1/me/balance')).body.available, 0)
    assert.equal((await server.operator.get('/v1/operator/ledger/trial-balance?environment=test')).body.balanced, true)
  } finally {
    await server.process.kill()
    server.anybody.close()
    await first.close()
  }
})
