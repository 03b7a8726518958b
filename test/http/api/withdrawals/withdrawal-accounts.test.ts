// Withdrawal accounts over HTTP: what is saved, when it is usable, and withdrawals to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Withdrawal } from '../../../../engine/contract/withdrawal.ts'
import type { WithdrawalAccount } from '../../../../engine/contract/withdrawal-account.ts'
import type { Client } from '../../../support/client.ts'
import { newOperator } from '../../../support/operator-callers.ts'
import { newKey } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const PATH = '/v1/biz/withdrawal-accounts'
const BANK = { kind: 'bank', name: 'Boutique Awa SARL', account: 'sn08 sn01 0015 2000 0485 0000 3035' }
const PHONE = { kind: 'mobile_money', name: 'Awa Diallo', account: '+221770000012', provider: 'wave' }

interface Refusal {
  readonly code: string
  readonly param: string
}

const save = async (client: Client, account: object): Promise<WithdrawalAccount> =>
  (await ok(client.post<WithdrawalAccount>(PATH, account))).body

test('a saved account is checked, listed newest first, and deleted', async () => {
  const server = await sharedServer()
  const merchant = await server.merchant()
  const bank = await save(merchant.test, BANK)
  assert.deepEqual(
    [bank.account, bank.provider, bank.environment, bank.usable_from, bank.confirmed_at, bank.created_by.kind],
    ['SN08SN0100152000048500003035', null, 'test', bank.created_at, null, 'key'],
  )
  const phone = await save(merchant.test, PHONE)
  assert.deepEqual([phone.account, phone.provider], [PHONE.account, 'wave'])
  assert.deepEqual((await ok(merchant.test.get<{ data: object[] }>(PATH))).body.data, [phone, bank])
  const wrong: readonly [object, string, string][] = [
    [{ ...BANK, account: 'SN08SN0100152000048500003036' }, 'invalid_account', 'account'],
    [{ ...PHONE, account: '770000012' }, 'invalid_account', 'account'],
    [{ ...PHONE, provider: undefined }, 'invalid_request', 'provider'],
    [{ ...PHONE, provider: 'other' }, 'invalid_request', 'provider'],
  ]
  for (const [body, code, param] of wrong) {
    const answer = await merchant.test.post<Refusal>(PATH, body)
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, code, param], answer.text)
  }
  assert.deepEqual((await merchant.test.request('DELETE', `${PATH}/${bank.id}`)).body, { id: bank.id, deleted: true })
  assert.equal((await merchant.test.request('DELETE', `${PATH}/${bank.id}`)).status, 404)
  assert.equal((await merchant.live.request('DELETE', `${PATH}/${phone.id}`)).status, 404)
})

test('a withdrawal goes to a saved account of the merchant in the place of a destination', async () => {
  const server = await sharedServer()
  const merchant = await server.fundedMerchant(1000)
  const { id } = await save(merchant.test, PHONE)
  const { body } = await ok(merchant.test.post<Withdrawal>('/v1/biz/withdrawals', { amount: 10, withdrawal_account_id: id }, newKey()))
  const { kind, name, account, provider } = PHONE
  assert.deepEqual([body.withdrawal_account_id, body.destination], [id, { kind, name, account, provider }])
  const free = await ok(
    merchant.test.post<Withdrawal>('/v1/biz/withdrawals', { amount: 10, destination: { kind, name, account } }, newKey()),
  )
  assert.deepEqual([free.body.withdrawal_account_id, free.body.destination], [null, { kind, name, account }])
  const both = { amount: 10, withdrawal_account_id: id, destination: { kind, name, account } }
  for (const wrong of [both, { amount: 10 }]) {
    const answer = await merchant.test.post<Refusal>('/v1/biz/withdrawals', wrong, newKey())
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_request', 'destination'])
  }
  const other = await server.fundedMerchant(1000)
  for (const client of [other.test, merchant.live]) {
    const foreign = await client.post<Refusal>('/v1/biz/withdrawals', { amount: 10, withdrawal_account_id: id }, newKey())
    assert.deepEqual([foreign.status, foreign.body.param], [404, 'withdrawal_account_id'])
  }
  await ok(merchant.test.request('DELETE', `${PATH}/${id}`))
  const gone = await merchant.test.post<Refusal>('/v1/biz/withdrawals', { amount: 10, withdrawal_account_id: id }, newKey())
  assert.deepEqual([gone.status, gone.body.code, gone.body.param], [404, 'not_found', 'withdrawal_account_id'])
})

test('a live account waits for 24 hours unless a finance operator confirms it', async () => {
  const server = await sharedServer()
  const merchant = await server.merchant()
  await ok(server.operator.post('/v1/operator/deposits', { merchant_id: merchant.id, environment: 'live', amount: 500 }, newKey()))
  const saved = await save(merchant.live, BANK)
  assert.equal(Date.parse(saved.usable_from) - Date.parse(saved.created_at), 24 * 3600 * 1000)
  const take = () => merchant.live.post<Refusal>('/v1/biz/withdrawals', { amount: 100, withdrawal_account_id: saved.id }, newKey())
  const early = await take()
  assert.deepEqual([early.status, early.body.code], [409, 'account_not_usable_yet'])
  const confirm = `/v1/operator/withdrawal-accounts/${saved.id}/confirm`
  const waiting = async () =>
    (await ok(server.operator.get<{ data: { id: string }[] }>('/v1/operator/withdrawal-accounts?limit=100'))).body.data.map(({ id }) => id)
  assert.ok((await waiting()).includes(saved.id))
  assert.equal((await (await newOperator(server, 'support')).client.post(confirm, undefined)).status, 403)
  const confirmed = await ok((await newOperator(server, 'finance')).client.post<WithdrawalAccount>(confirm, undefined))
  assert.equal(confirmed.body.usable_from, confirmed.body.confirmed_at)
  assert.ok(!(await waiting()).includes(saved.id))
  assert.equal((await take()).status, 201)
})
