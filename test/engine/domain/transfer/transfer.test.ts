// Transfers in the engine: what is refused and in which order, what moves, and what the two streams carry.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CreateTransfer } from '../../../../engine/domain/transfer/transfer-decide.ts'
import { WALLET_BALANCE_MAX } from '../../../../engine/kernel/limits.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { deposit, openWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import { restartAndCompare, told } from '../../../support/wallet-engine.ts'

const FUNDS = 1000

async function openSetup(): Promise<{ fixture: EngineFixture; awa: AccountNumber; kofi: AccountNumber }> {
  const fixture = await EngineFixture.open()
  const awa = openWallet(fixture, 'awa')
  const kofi = openWallet(fixture, 'kofi')
  openWallet(fixture, 'test_blocked_1')
  fixture.do(deposit({ tag: 'awa' }, FUNDS))
  return { fixture, awa, kofi }
}

function transfer(sender: AccountNumber, more: Partial<CreateTransfer> = {}): CreateTransfer {
  return { type: 'CreateTransfer', sender, recipient: 'kofi', amount: 100, note: 'Pour le taxi', ...more }
}

describe('a transfer', () => {
  it('a transfer moves the money and says so', async () => {
    const { fixture, awa, kofi } = await openSetup()
    const { kind, body } = fixture.do(transfer(awa), { key: 'one', scope: String(awa) })
    const answer = JSON.parse(body) as Record<string, unknown>
    assert.equal(kind, 'created')
    assert.deepEqual(
      { ...answer, transaction_id: '', created_at: '' },
      {
        transaction_id: '',
        recipient: 'kofi',
        amount: 100,
        currency: 'XOF',
        fee: 0,
        note: 'Pour le taxi',
        balance_after: 900,
        created_at: '',
      },
    )
    assert.deepEqual([fixture.state.accounts.balance(awa), fixture.state.accounts.balance(kofi)], [900, 100])
    const record = fixture.records.at(-1)
    assert.equal(record?.transactions[0]?.id, answer.transaction_id)
    assert.deepEqual(
      record?.frames.map(({ account, type }) => [account, type]),
      [
        [awa, 'payment.sent'],
        [awa, 'balance.updated'],
        [kofi, 'payment.received'],
        [kofi, 'balance.updated'],
      ],
    )
    await restartAndCompare(fixture)
    const again = fixture.do(transfer(awa), { key: 'one', scope: String(awa) })
    assert.deepEqual([again.body, again.replayed], [body, true])
    assert.equal(fixture.state.accounts.balance(awa), 900)
  })

  const REFUSALS: readonly { name: string; more: Partial<CreateTransfer>; then: string }[] = [
    { name: 'nobody has the tag', more: { recipient: 'nobody', amount: FUNDS + 1 }, then: 'recipient_not_found' },
    { name: 'to oneself', more: { recipient: 'awa', amount: FUNDS + 1 }, then: 'self_transfer' },
    { name: 'to a blocked wallet', more: { recipient: 'test_blocked_1', amount: FUNDS + 1 }, then: 'recipient_blocked' },
    { name: 'of one more than there is', more: { amount: FUNDS + 1 }, then: 'insufficient_balance' },
  ]

  for (const { name, more, then } of REFUSALS) {
    it(`a transfer is refused: ${name}`, async () => {
      const { fixture, awa } = await openSetup()
      assert.equal(told(fixture.do(transfer(awa, more))), then)
      assert.equal(fixture.state.accounts.balance(awa), FUNDS)
    })
  }

  it('a transfer of all there is goes through', async () => {
    const { fixture, awa } = await openSetup()
    assert.equal(told(fixture.do(transfer(awa, { amount: FUNDS }))), '201')
  })

  it('a transfer is refused where the recipient would hold too much', async () => {
    const { fixture, awa } = await openSetup()
    fixture.do(deposit({ tag: 'kofi' }, WALLET_BALANCE_MAX - 99))
    assert.equal(told(fixture.do(transfer(awa))), 'recipient_limit_exceeded')
    assert.equal(told(fixture.do(transfer(awa, { amount: 99 }))), '201')
  })

  it('a transfer does not see tags of the other environment', async () => {
    const { fixture, awa } = await openSetup()
    fixture.do({ type: 'CreateWallet', phone: '+221770000031', tag: 'moussa', familyName: 'Ba', givenName: 'Moussa' })
    assert.equal(told(fixture.do(transfer(awa, { recipient: 'moussa' }))), 'recipient_not_found')
  })

  it('a transfer at the same moment as others: the balance is spent once', async () => {
    const { fixture, awa, kofi } = await openSetup()
    const sent = Array.from({ length: 25 }, () => fixture.send(transfer(awa), { mailbox: awa }))
    fixture.settle()
    assert.deepEqual(
      [201, 402].map((status) => sent.filter(({ outcome }) => outcomeStatus(outcome) === status).length),
      [10, 15],
    )
    assert.deepEqual([fixture.state.accounts.balance(awa), fixture.state.accounts.balance(kofi)], [0, FUNDS])
  })
})
