// Merchants, their keys, and wallets: who is made, who is taken already, and what must not be seen again.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Command } from '../../../engine/domain/command.ts'
import { createMerchant, liveWallet, openMerchant, openWallet, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

function apiKey(merchantId: string, by: 'operator' | 'dashboard' = 'operator'): Command {
  return {
    type: 'CreateApiKey',
    merchantId,
    environment: 'test',
    scopes: ['disbursements.write'],
    label: 'caisse',
    publicKey: 'pk_test_1',
    secretHash: 'ab'.repeat(32),
    sealedSecret: 'sealed',
    by,
  }
}

describe('a merchant', () => {
  it('a merchant has an account in each environment, and its answer does not show their numbers', async () => {
    const fixture = await EngineFixture.open()
    const { kind, body } = fixture.do(createMerchant('baobab'))
    const merchant = JSON.parse(body) as Record<string, unknown>
    assert.equal(kind, 'created')
    assert.deepEqual(Object.keys(merchant).sort(), [
      'activation_state',
      'created_at',
      'currency',
      'email',
      'id',
      'name',
      'state',
      'suspend_reason',
    ])
    const accounts = fixture.state.merchants.merchants.get(String(merchant.id))?.accounts ?? { live: -1, test: -1 }
    assert.deepEqual(
      [fixture.state.accounts.environment(accounts.live), fixture.state.accounts.environment(accounts.test)],
      ['live', 'test'],
    )
    assert.deepEqual([fixture.state.accounts.kind(accounts.live), fixture.state.accounts.kind(accounts.test)], ['merchant', 'merchant'])
    assert.equal(fixture.state.merchants.byAccount(accounts.live), fixture.state.merchants.byAccount(accounts.test))
  })

  it('a merchant of another currency is refused', async () => {
    const fixture = await EngineFixture.open()
    const { kind, body } = fixture.do({ type: 'CreateMerchant', name: 'x', email: 'x@example.com', currency: 'EUR' }, { key: 'k' })
    assert.equal(kind, 'invalid')
    assert.match(body, /"unsupported_currency".*"param":"currency"/)
    assert.equal(fixture.log.durableSequence, 0)
  })
})

describe('an API key', () => {
  it('an API key belongs to its merchant, is found by its public half, and is answered with its sealed secret', async () => {
    const fixture = await EngineFixture.open()
    const { id, test } = openMerchant(fixture, 'baobab')
    const { kind, body } = fixture.do(apiKey(id), { key: 'k' })
    const { secret_key, public_key } = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual([outcomeStatus({ kind }), secret_key, public_key], [201, 'sealed', 'pk_test_1'])
    assert.equal(fixture.state.merchants.apiKeys.get('pk_test_1')?.merchant_id, id)
    assert.equal(fixture.state.merchants.keysOf(id).length, 1)
    assert.deepEqual(
      fixture.records.at(-1)?.events.map(({ type, account }) => [type, account]),
      [
        ['api_key.created', test],
        ['operator.acted', 0],
      ],
    )
    await fixture.startWithoutArchive()
    assert.equal(fixture.state.merchants.keysOf(id).length, 1)
    assert.equal(fixture.do(apiKey(id), { key: 'k' }).body, body)
  })

  it('an API key made on the dashboard is no action of an operator', async () => {
    const fixture = await EngineFixture.open()
    const { id } = openMerchant(fixture, 'baobab')
    fixture.do(apiKey(id, 'dashboard'))
    assert.deepEqual(
      fixture.records.at(-1)?.events.map(({ type }) => type),
      ['api_key.created'],
    )
  })

  it('an API key is in no event but hashed', async () => {
    const fixture = await EngineFixture.open()
    const { id } = openMerchant(fixture, 'baobab')
    fixture.do(apiKey(id))
    for (const { text } of fixture.records.at(-1)?.events ?? []) assert.equal(text.includes('sealed'), false)
  })

  it('an API key for an unknown merchant is refused', async () => {
    const fixture = await EngineFixture.open()
    assert.equal(fixture.do(apiKey('nobody')).kind, 'not_found')
  })
})

describe('a test wallet', () => {
  it('a test wallet is answered with the code and PIN of its user, and has a phone of its own', async () => {
    const fixture = await EngineFixture.open()
    const bodies = ['awa', 'moussa'].map((tag) => JSON.parse(fixture.do(testWallet(tag)).body) as Record<string, string>)
    const [awa, moussa] = bodies
    assert.deepEqual(awa, { tag: 'awa', phone: awa?.phone, pin: '2580', otp: '000000', environment: 'test' })
    assert.match(awa?.phone ?? '', /^\+22500\d{8}$/)
    assert.notEqual(awa?.phone, moussa?.phone)
  })

  it('a test wallet does not take a phone that another wallet has', async () => {
    const fixture = await EngineFixture.open()
    const next = `+22500${String(fixture.state.accounts.count + 1).padStart(8, '0')}`
    assert.equal(fixture.do(liveWallet(next, 'first')).kind, 'created')
    const { phone } = JSON.parse(fixture.do(testWallet('awa')).body) as { phone: string }
    assert.notEqual(phone, next)
  })

  it('a test wallet is blocked from the start when its tag says so', async () => {
    const fixture = await EngineFixture.open()
    openWallet(fixture, 'test_blocked_1')
    openWallet(fixture, 'blocked_test')
    assert.equal(fixture.state.wallets.byTag('test', 'test_blocked_1')?.blocked, true)
    assert.equal(fixture.state.wallets.byTag('test', 'blocked_test')?.blocked, false)
  })
})

describe('a taken', () => {
  const rows: readonly (readonly [given: string, first: Command, second: Command, code: string | null])[] = [
    ['tag of test', testWallet('awa'), testWallet('awa'), 'tag_taken'],
    ['tag of live', liveWallet('+2250700000001', 'awa'), liveWallet('+2250700000002', 'awa'), 'tag_taken'],
    ['phone', liveWallet('+2250700000001', 'awa'), liveWallet('+2250700000001', 'moussa'), 'phone_taken'],
    ['phone and tag, the phone first', liveWallet('+2250700000001', 'awa'), liveWallet('+2250700000001', 'awa'), 'phone_taken'],
    ['tag of the other environment, which is free', testWallet('awa'), liveWallet('+2250700000001', 'awa'), null],
  ]
  for (const [given, first, second, code] of rows) {
    it(`${given} is ${code ?? 'no obstacle'}`, async () => {
      const fixture = await EngineFixture.open()
      fixture.do(first)
      const { kind, body } = fixture.do(second)
      assert.equal(outcomeStatus({ kind }), code === null ? 201 : 409)
      if (code !== null) assert.equal((JSON.parse(body) as { code: string }).code, code)
      assert.equal(fixture.state.wallets.size, code === null ? 2 : 1)
    })
  }
})
