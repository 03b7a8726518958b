// Deposits and withdrawals: money in from settlement and out to it, within the limits, with an audit line where an operator did it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Command } from '../../../engine/domain/command.ts'
import { ACCOUNT_BALANCE_MAX, WALLET_BALANCE_MAX } from '../../../engine/kernel/limits.ts'
import { deposit, openMerchant, openWallet, withdraw } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const HAS = 1000
const TEST_SETTLEMENT = 3

interface Setup {
  readonly fixture: EngineFixture
  readonly merchantId: string
  readonly account: number
}

async function givenSetup(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { id, test } = openMerchant(fixture, 'baobab', HAS)
  openWallet(fixture, 'awa')
  return { fixture, merchantId: id, account: test }
}

describe('a deposit', () => {
  it('a deposit to a merchant comes from settlement, is answered with the balance after it, and leaves an audit line', async () => {
    const { fixture, merchantId, account } = await givenSetup()
    const { kind, body } = fixture.do(deposit({ merchantId }, 500, 'test', 'virement'))
    const answer = JSON.parse(body) as { transaction_id: string; balance_after: number }
    assert.deepEqual([outcomeStatus({ kind }), answer.balance_after], [201, HAS + 500])
    assert.equal(fixture.state.accounts.balance(account), HAS + 500)
    assert.equal(fixture.state.accounts.balance(TEST_SETTLEMENT), -HAS - 500)
    const record = fixture.records.at(-1)
    assert.deepEqual(
      record?.events.map(({ type }) => type),
      ['deposit.made', 'operator.acted'],
    )
    assert.equal(record?.transactions[0]?.id, answer.transaction_id)
    assert.deepEqual(record?.frames, [])
  })

  it('a deposit to a wallet is on its stream', async () => {
    const { fixture } = await givenSetup()
    fixture.do(deposit({ tag: 'awa' }, 5))
    assert.deepEqual(
      fixture.records.at(-1)?.frames.map(({ type }) => type),
      ['payment.received', 'balance.updated'],
    )
  })

  it('a deposit by a test helper leaves no audit line', async () => {
    const { fixture, merchantId } = await givenSetup()
    fixture.do({ type: 'Deposit', target: { merchantId }, environment: 'test', amount: 5, reference: '', by: 'test_helper' })
    assert.deepEqual(
      fixture.records.at(-1)?.events.map(({ type }) => type),
      ['deposit.made'],
    )
  })

  it('a deposit goes to the environment that it names', async () => {
    const { fixture, merchantId } = await givenSetup()
    fixture.do(deposit({ merchantId }, 7, 'live'))
    const { live, test } = fixture.state.merchants.merchants.get(merchantId)?.accounts ?? { live: -1, test: -1 }
    assert.deepEqual([fixture.state.accounts.balance(live), fixture.state.accounts.balance(test)], [7, HAS])
    assert.deepEqual(fixture.state.transactionCounts, { live: 1, test: 1 })
  })

  it('a deposit may fill a wallet to the brim, and a merchant to the limit of an account', async () => {
    const { fixture, merchantId, account } = await givenSetup()
    assert.equal(fixture.do(deposit({ tag: 'awa' }, WALLET_BALANCE_MAX)).kind, 'created')
    assert.equal(fixture.do(deposit({ tag: 'awa' }, 1)).kind, 'conflict')
    const room = ACCOUNT_BALANCE_MAX - WALLET_BALANCE_MAX - HAS
    assert.equal(fixture.do(deposit({ merchantId }, room)).kind, 'created')
    assert.equal(fixture.state.accounts.balance(TEST_SETTLEMENT), -ACCOUNT_BALANCE_MAX)
    assert.equal(fixture.do(deposit({ merchantId }, 1)).kind, 'conflict', 'settlement has its limit too')
    assert.equal(fixture.state.accounts.balance(account), room + HAS)
  })
})

describe('a withdrawal', () => {
  it('a withdrawal goes back to settlement, down to nothing', async () => {
    const { fixture, merchantId, account } = await givenSetup()
    const { kind, body } = fixture.do(withdraw({ merchantId }, HAS))
    assert.deepEqual([outcomeStatus({ kind }), (JSON.parse(body) as { balance_after: number }).balance_after], [201, 0])
    assert.deepEqual([fixture.state.accounts.balance(account), fixture.state.accounts.balance(TEST_SETTLEMENT)], [0, 0])
    assert.equal(fixture.records.at(-1)?.events[1]?.type, 'operator.acted')
  })

  it('a withdrawal does not take what is held', async () => {
    const { fixture, merchantId, account } = await givenSetup()
    fixture.state.holds.place({ id: 'h', account, amount: 1, expires_at: 0 })
    assert.equal(fixture.do(withdraw({ merchantId }, HAS)).kind, 'insufficient_funds')
  })
})

describe('funding is refused, and nothing moves', () => {
  const rows: readonly (readonly [given: string, when: (id: string) => Command, status: number])[] = [
    ['for a merchant that nobody knows', () => deposit({ merchantId: 'nobody' }, 1), 404],
    ['for a wallet that nobody knows', () => deposit({ tag: 'nobody' }, 1), 404],
    ['for a wallet of the other environment', () => deposit({ tag: 'awa' }, 1, 'live'), 404],
    ['from a merchant that nobody knows', () => withdraw({ merchantId: 'nobody' }, 1), 404],
    ['from a wallet that nobody knows', () => withdraw({ tag: 'nobody' }, 1), 404],
    ['beyond what there is', (merchantId) => withdraw({ merchantId }, HAS + 1), 402],
    ['beyond what there is, in the other environment', (merchantId) => withdraw({ merchantId }, 1, 'live'), 402],
    ['from an empty wallet', () => withdraw({ tag: 'awa' }, 1), 402],
    ['beyond what a wallet may hold', () => deposit({ tag: 'awa' }, WALLET_BALANCE_MAX + 1), 409],
    ['beyond what an account may hold', (merchantId) => deposit({ merchantId }, ACCOUNT_BALANCE_MAX), 409],
  ]
  for (const [given, when, status] of rows) {
    it(`${given}: ${status}`, async () => {
      const { fixture, merchantId } = await givenSetup()
      const before = fixture.rows()
      const durable = fixture.log.durableSequence
      assert.equal(outcomeStatus(fixture.do(when(merchantId))), status)
      assert.deepEqual(fixture.rows(), before)
      assert.equal(fixture.log.durableSequence, durable, 'without a key a refusal leaves no record')
      assert.equal(outcomeStatus(fixture.do(when(merchantId), { key: 'k' })), status)
      assert.equal(fixture.log.durableSequence, status === 404 ? durable : durable + 1, 'a key keeps what the ledger decided')
      assert.deepEqual(fixture.rows(), before)
    })
  }
})
