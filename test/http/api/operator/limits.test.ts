// Limits of the operator through the API: rules, tiers, limits of a merchant, and what payers and payees are answered.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { MyLimits } from '../../../../engine/contract/limits.ts'
import { openCharge, openPayer, PIN } from '../../../support/charge-callers.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const LIMITS = '/v1/operator/rules/limits?environment=test'
const NO_RULES = {
  wallet_tiers: [],
  default_tier: null,
  merchant: { payout_max: null, payout_day_max: null, charge_max: null, balance_max: null },
}

let server: TestServer

before(async () => {
  server = await ownServer()
})

after(async () => {
  await server.close()
})

const setRules = (body: object) => server.operator.request('PUT', LIMITS, { json: body })
const setLimits = (path: string, body: object) => server.operator.request('PUT', path, { json: body })

it('nothing is limited at first, and rules that contradict themselves are refused with the field', async () => {
  assert.deepEqual((await ok(server.operator.get(LIMITS))).body, NO_RULES)
  const put = async (body: object): Promise<unknown[]> => {
    const answer = await server.operator.request<{ code?: string; param?: string }>('PUT', LIMITS, { json: body })
    return [answer.status, answer.body.code, answer.body.param]
  }
  assert.deepEqual(await put({ default_tier: 'basic' }), [400, 'invalid_request', 'default_tier'])
  assert.deepEqual(await put({ wallet_tiers: [{ name: 'a' }, { name: 'a' }] }), [400, 'invalid_request', 'wallet_tiers.1.name'])
  assert.deepEqual(await put({ wallet_tiers: [{ name: 'a', sent_max: 1 }] }), [400, 'unknown_field', 'wallet_tiers.0.sent_max'])
})

it('a payer above its tier is told what is left, no key stores it, and another tier lets it pay', async () => {
  const merchant = await server.fundedMerchant(10_000)
  const { tag, app } = await openPayer(server, merchant, 5000)
  const tiers = [
    { name: 'basic', sent_day_max: 1000, received_month_max: 6000 },
    { name: 'verified', sent_day_max: 4000 },
  ]
  await ok(setRules({ wallet_tiers: tiers, default_tier: 'basic', merchant: { charge_max: 3000 } }))
  const { token } = await openCharge(merchant, { amount: 1200 })
  const key = newKey()
  const refused = await app.post<{ code: string; param: string; message: string }>(`/v1/me/charges/${token}/pay`, { pin: PIN }, key)
  assert.deepEqual([refused.status, refused.body.code, refused.body.param], [403, 'limit_exceeded', 'sent_day_max'])
  assert.match(refused.body.message.replaceAll(/\s/g, ''), /1000FCFA/)
  const limits = (await ok(app.get<MyLimits>('/v1/me/limits'))).body
  assert.deepEqual([limits.tier, limits.used.received_month_max, limits.left.received_month_max], ['basic', 5000, 1000])
  assert.deepEqual([limits.used.sent_day_max, limits.left.sent_day_max, limits.left.balance_max], [0, 1000, null])
  const over = await merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 1001 }, newKey())
  assert.deepEqual([over.status, over.body.failure_code], [201, 'recipient_limit_exceeded'])
  const tier = { tier: 'verified', environment: 'test', reason: 'Pièce vue' }
  const given = await ok(server.operator.post(`/v1/operator/wallets/${tag}/tier`, tier))
  assert.deepEqual([given.body.tag, given.body.tier], [tag, 'verified'])
  const paid = await app.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, key)
  assert.deepEqual([paid.status, paid.body.state], [200, 'paid'])
  const charge = await merchant.test.post<{ code: string; param: string }>('/v1/biz/charges', { amount: 3001 }, newKey())
  assert.deepEqual([charge.status, charge.body.code, charge.body.param], [403, 'limit_exceeded', 'charge_max'])
})

it('a merchant has limits of its own, and fifty payouts at once against a limit that allows one pay one', async () => {
  await ok(setRules({}))
  const merchant = await server.fundedMerchant(100_000)
  const tag = await server.wallet(merchant)
  const path = `/v1/operator/merchants/${merchant.id}/limits`
  const set = await ok(setLimits(path, { environment: 'test', payout_max: 900, payout_day_max: 1000 }))
  assert.deepEqual([set.body.environment, set.body.payout_max, set.body.payout_day_max, set.body.charge_max], ['test', 900, 1000, null])
  const single = await merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 901 }, newKey())
  assert.equal(single.body.failure_code, 'merchant_limit_exceeded')
  const all = await Promise.all(
    Array.from({ length: 50 }, () => merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 600 }, newKey())),
  )
  assert.equal(all.filter(({ body }) => body.state === 'paid').length, 1)
  const cleared = await ok(setLimits(path, { environment: 'test', payout_max: null, payout_day_max: null }))
  assert.deepEqual([cleared.body.payout_max, cleared.body.payout_day_max], [null, null])
})

it('limits are rules of one currency, the first one where none is named', async () => {
  await ok(setRules({ merchant: { charge_max: 700 } }))
  const other = await server.operator.get<{ code: string; param: string }>(`${LIMITS}&currency=GHS`)
  assert.deepEqual([other.status, other.body.code, other.body.param], [400, 'invalid_parameter', 'currency'])
  const own = await ok(server.operator.get<{ merchant: { charge_max: number } }>(`${LIMITS}&currency=XOF`))
  assert.equal(own.body.merchant.charge_max, 700)
  await ok(setRules({}))
})
