// Control by operators through the API: blocked wallets, suspended merchants, revoked keys, and the audit of each.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Merchant as MerchantRecord } from '../../../../engine/contract/merchant.ts'
import type { OperatorAction, OperatorWallet } from '../../../../engine/contract/operator.ts'
import { openCharge, openPayer, PIN } from '../../../support/charge-callers.ts'
import type { Answer } from '../../../support/client.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

let server: TestServer

before(async () => {
  server = await ownServer()
})

after(async () => {
  await server.close()
})

const codeOf = ({ status, body }: Answer<object>): unknown[] => [status, (body as { code?: string }).code]

async function actions(count: number): Promise<unknown[]> {
  const { body } = await ok(server.operator.get<{ data: OperatorAction[] }>(`/v1/operator/audit?limit=${count}`))
  return body.data.map(({ action, target, environment, details }) => [action, target, environment, details])
}

it('a blocked wallet sees its history and pays nothing, and what it is sent fails', async () => {
  const merchant = await server.fundedMerchant(1000)
  const { tag, app } = await openPayer(server, merchant, 500)
  const { token } = await openCharge(merchant, { amount: 10 })
  const blocked = await server.operator.post<OperatorWallet>(`/v1/operator/wallets/@${tag.toUpperCase()}/block`, {
    reason: 'Vol',
    environment: 'test',
  })
  assert.deepEqual([blocked.status, blocked.body.blocked, blocked.body.block_reason, blocked.body.available], [200, true, 'Vol', 500])
  const payout = await merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 1 }, newKey())
  assert.deepEqual([payout.status, payout.body.failure_code], [201, 'recipient_blocked'])
  assert.deepEqual(codeOf(await app.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, newKey())), [403, 'wallet_blocked'])
  const transfer = { recipient: await server.wallet(merchant), amount: 1, pin: PIN }
  assert.deepEqual(codeOf(await app.post('/v1/me/transfers', transfer, newKey())), [403, 'wallet_blocked'])
  assert.equal((await app.get('/v1/me/balance')).body.available, 500)
  assert.equal((await app.get('/v1/me/transactions')).status, 200)
  assert.deepEqual(await actions(1), [['wallet.block', `@${tag}`, 'test', { reason: 'Vol' }]])
  const found = await server.operator.get<{ data: OperatorWallet[] }>(`/v1/operator/wallets?q=${tag}`)
  assert.deepEqual(found.body.data, [blocked.body])
  await ok(server.operator.post(`/v1/operator/wallets/${tag}/unblock`, { environment: 'test' }))
  await ok(app.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, newKey()))
})

it('a block without an environment is of the live one, where the test wallet is not', async () => {
  const tag = await server.wallet(await server.merchant())
  assert.deepEqual(codeOf(await server.operator.post(`/v1/operator/wallets/${tag}/block`, { reason: 'x' })), [404, 'wallet_not_found'])
  assert.deepEqual(codeOf(await server.operator.post(`/v1/operator/wallets/${tag}/unblock`, {})), [404, 'wallet_not_found'])
  const reasonless = await server.operator.post(`/v1/operator/wallets/${tag}/block`, { environment: 'test' })
  assert.deepEqual([...codeOf(reasonless), reasonless.body.param], [400, 'invalid_request', 'reason'])
})

it('a suspended merchant reads and moves no money, in both environments', async () => {
  const merchant = await server.fundedMerchant(1000)
  const { app } = await openPayer(server, merchant, 500)
  const { token } = await openCharge(merchant, { amount: 10 })
  const destination = { kind: 'bank', name: 'n', account: 'a' }
  const asked = {
    topUp: (await merchant.test.post<{ id: string }>('/v1/biz/top-ups', { amount: 1 })).body.id,
    withdrawal: (await merchant.test.post<{ id: string }>('/v1/biz/withdrawals', { amount: 1, destination }, newKey())).body.id,
  }
  const path = `/v1/operator/merchants/${merchant.id}`
  const { body } = await ok(server.operator.post<MerchantRecord>(`${path}/suspend`, { reason: 'Plaintes' }))
  assert.deepEqual([body.state, body.suspend_reason], ['suspended', 'Plaintes'])
  assert.deepEqual((await server.operator.get(path)).body, body)
  const recipient = await server.wallet(merchant)
  const stopped = [403, 'merchant_suspended']
  const helpers = [
    ['deposits', { amount: 1 }],
    [`top-ups/${asked.topUp}/confirm`, {}],
    [`withdrawals/${asked.withdrawal}/pay`, {}],
  ] as const
  for (const [path, body] of helpers) assert.deepEqual(codeOf(await merchant.test.post(`/v1/biz/test/${path}`, body)), stopped, path)
  await ok(server.operator.post(`/v1/operator/withdrawals/${asked.withdrawal}/refuse`, { reason: 'Suspendu' }))
  const key = newKey()
  assert.deepEqual(codeOf(await merchant.test.post('/v1/biz/payouts', { recipient, amount: 1 }, key)), stopped)
  assert.deepEqual(codeOf(await merchant.live.post('/v1/biz/payouts', { recipient, amount: 1 }, newKey())), stopped)
  assert.deepEqual(codeOf(await merchant.test.post('/v1/biz/payouts/batch', { items: [{ recipient, amount: 1 }] }, newKey())), stopped)
  assert.deepEqual(codeOf(await merchant.test.post('/v1/biz/charges', { amount: 1 })), stopped)
  assert.deepEqual(codeOf(await merchant.test.post('/v1/biz/top-ups', { amount: 1 })), stopped)
  assert.deepEqual(codeOf(await merchant.test.post('/v1/biz/withdrawals', { amount: 1, destination }, newKey())), stopped)
  assert.deepEqual(codeOf(await app.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, newKey())), stopped)
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 1000)
  assert.equal((await merchant.test.post(`/v1/biz/charges/${token}/cancel`, {})).status, 200)
  const { body: active } = await ok(server.operator.post<MerchantRecord>(`${path}/reinstate`, {}))
  assert.deepEqual([active.state, active.suspend_reason], ['active', null])
  // A rejection by suspension is not kept under the key.
  assert.equal((await merchant.test.post('/v1/biz/payouts', { recipient, amount: 1 }, key)).status, 201)
  assert.deepEqual(await actions(3), [
    ['merchant.reinstate', merchant.id, null, {}],
    ['withdrawal.refuse', asked.withdrawal, 'test', { reason: 'Suspendu' }],
    ['merchant.suspend', merchant.id, null, { reason: 'Plaintes' }],
  ])
})

it('an operator revokes a key of a merchant, once', async () => {
  const merchant = await server.merchant()
  const { body: keys } = await server.operator.get<{ data: { id: string; environment: string; label: string }[] }>(
    `/v1/operator/merchants/${merchant.id}/api-keys?environment=test`,
  )
  const [{ id = '', label = '' } = {}] = keys.data
  const path = `/v1/operator/merchants/${merchant.id}/api-keys/${id}`
  const other = await server.merchant()
  assert.deepEqual(codeOf(await server.operator.request('DELETE', path.replace(merchant.id, other.id))), [404, 'not_found'])
  assert.deepEqual((await ok(server.operator.request('DELETE', path))).body, { id, deleted: true })
  assert.deepEqual(codeOf(await merchant.test.get('/v1/biz/ping')), [401, 'unauthorized'])
  assert.equal((await merchant.live.get('/v1/biz/ping')).status, 200)
  assert.deepEqual(codeOf(await server.operator.request('DELETE', path)), [404, 'not_found'])
  assert.deepEqual(await actions(1), [['api_key.revoke', merchant.id, 'test', { key_id: id, label }]])
})

it('a payout that races with the suspension of its merchant is paid before it or rejected after it', async () => {
  const merchant = await server.fundedMerchant(1000)
  const recipient = await server.wallet(merchant)
  const pays = Array.from({ length: 20 }, () => merchant.test.post('/v1/biz/payouts', { recipient, amount: 10 }, newKey()))
  const suspension = server.operator.post(`/v1/operator/merchants/${merchant.id}/suspend`, { reason: 'Plaintes' })
  const answers = await Promise.all(pays)
  assert.equal((await suspension).status, 200)
  const paid = answers.filter(({ status }) => status === 201).length
  assert.ok(answers.every(({ status }) => status === 201 || status === 403))
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 1000 - 10 * paid)
})
