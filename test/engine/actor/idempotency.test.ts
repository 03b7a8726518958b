// Idempotency keys: the same answer byte for byte for ever, from memory, from the log and through the archive.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { deposit, openMerchant, openWallet, payout, testWallet, withdraw } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'
import { HOME } from '../../support/wallet-engine.ts'

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: number
  readonly merchantId: string
}

async function givenSetup(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { test, id } = openMerchant(fixture, 'baobab', 1000)
  openWallet(fixture, 'awa')
  return { fixture, merchant: test, merchantId: id }
}

/** Where a known key may be found. */
const PLACES: readonly (readonly [place: string, go: (fixture: EngineFixture) => Promise<void>])[] = [
  ['in memory', async () => {}],
  [
    'in the archive',
    async (fixture) => {
      fixture.loop.advance(2000)
      fixture.settle()
      assert.equal(fixture.archive.indexedThrough, fixture.log.durableSequence)
      assert.equal(fixture.engine.history.tailEntries, 0)
    },
  ],
  ['after a kill', (fixture) => fixture.start()],
  [
    'after a clean stop',
    async (fixture) => {
      await fixture.close()
      await fixture.start()
    },
  ],
  ['after the archive was deleted', (fixture) => fixture.startWithoutArchive()],
]

/** Decided by the ledger, so a key keeps it. */
const KEPT: readonly (readonly [what: string, status: number, command: (setup: Setup) => Command])[] = [
  ['a paid payout', 201, ({ merchant }) => payout(merchant, 'awa', 10, 'r "é"', '\n')],
  ['a failed payout', 201, ({ merchant }) => payout(merchant, 'nobody', 10)],
  ['a deposit', 201, ({ merchantId }) => deposit({ merchantId }, 10)],
  ['a wallet', 201, () => testWallet('moussa')],
  ['a withdrawal beyond the balance', 402, ({ merchantId }) => withdraw({ merchantId }, 5000)],
  ['a taken tag', 409, () => testWallet('awa')],
]

for (const [what, status, command] of KEPT) {
  describe(`the key of ${what}`, () => {
    for (const [place, go] of PLACES) {
      it(`the key of ${what} gives the same ${place}, and nothing happens again`, async () => {
        const setup = await givenSetup()
        const { fixture } = setup
        const first = fixture.do(command(setup), { key: 'k' })
        assert.deepEqual([outcomeStatus(first), first.replayed], [status, false])
        await go(fixture)
        const before = fixture.rows()
        const durable = fixture.log.durableSequence
        const again = fixture.do(command(setup), { key: 'k' })
        assert.deepEqual(again, { ...first, replayed: true })
        assert.equal(fixture.log.durableSequence, durable)
        assert.deepEqual(fixture.rows(), before)
      })

      it(`the key of ${what} is refused for another request ${place}: 422`, async () => {
        const setup = await givenSetup()
        const { fixture } = setup
        fixture.do(command(setup), { key: 'k' })
        await go(fixture)
        const durable = fixture.log.durableSequence
        const other = fixture.do(command(setup), { key: 'k', fingerprint: 'other' })
        assert.deepEqual(other, { kind: 'unprocessable', body: errorValue('idempotency_key_reused'), replayed: false })
        assert.equal(fixture.log.durableSequence, durable)
      })
    }
  })
}

describe('what the ledger did not decide', () => {
  it('what the ledger did not decide is not kept: the same key may be tried again, and be used for something else', async () => {
    const { fixture } = await givenSetup()
    const missing = fixture.do(deposit({ tag: 'moussa' }, 5), { key: 'k' })
    assert.deepEqual([outcomeStatus(missing), missing.replayed], [404, false])
    openWallet(fixture, 'moussa')
    const found = fixture.do(deposit({ tag: 'moussa' }, 5), { key: 'k' })
    assert.deepEqual([outcomeStatus(found), found.replayed], [201, false])
    fixture.do({ type: 'CreateMerchant', name: 'x', email: 'x@example.com', currency: 'EUR' }, { key: 'l' })
    assert.equal(fixture.do(testWallet('fatou'), { key: 'l' }).kind, 'created')
  })

  it('what the ledger did not decide is not kept where it left a record either: a wrong code is counted each time', async () => {
    const { fixture } = await givenSetup()
    const challengeId = '01a0c450-6c00-7000-8707-070707070707'
    const about = { challengeId, purpose: 'signup', identifier: '+2250000000077', subject: '' } as const
    fixture.do({ type: 'StartOtp', ...about, environment: 'test', account: null, codeHash: 'right', counted: [], origin: HOME })
    const wrong: Command = { type: 'VerifyOtp', ...about, codeHash: 'wrong', tokenHash: 't' }
    for (const failures of [1, 2]) {
      const { kind, replayed } = fixture.do(wrong, { key: 'k' })
      assert.deepEqual([outcomeStatus({ kind }), replayed], [401, false])
      assert.equal(fixture.state.auth.challenges.get(challengeId)?.failures, failures)
      assert.equal(fixture.records.at(-1)?.idempotency, null)
    }
    assert.equal(fixture.do({ ...wrong, codeHash: 'right' }, { key: 'k' }).kind, 'ok')
  })

  it('what the ledger did not decide is not kept for the refusal of another request either', async () => {
    const { fixture, merchant } = await givenSetup()
    const first = fixture.do(payout(merchant, 'awa', 1), { key: 'k' })
    assert.equal(fixture.do(payout(merchant, 'awa', 2), { key: 'k' }).kind, 'unprocessable')
    assert.deepEqual(fixture.do(payout(merchant, 'awa', 1), { key: 'k' }), { ...first, replayed: true })
  })
})

describe('a key', () => {
  it('a key of one scope is not that of another', async () => {
    const { fixture, merchant } = await givenSetup()
    const one = fixture.do(payout(merchant, 'awa', 1), { key: 'k', scope: '5' })
    const other = fixture.do(payout(merchant, 'awa', 1), { key: 'k', scope: '6' })
    const operator = fixture.do(payout(merchant, 'awa', 1), { key: 'k', scope: 'operator' })
    assert.equal(new Set([one.body, other.body, operator.body]).size, 3)
    assert.ok([one, other, operator].every(({ replayed }) => !replayed))
  })

  it('a key and its scope are two things, wherever the one ends and the other begins', async () => {
    const { fixture, merchant } = await givenSetup()
    const pairs = [
      ['5', '1:k'],
      ['5:1', 'k'],
      ['51', ':k'],
    ] as const
    for (const place of [async () => {}, () => fixture.startWithoutArchive(), async () => archiveAll(fixture)]) {
      await place()
      for (const [scope, key] of pairs) fixture.do(payout(merchant, 'awa', 1), { scope, key })
      assert.equal(fixture.state.accounts.balance(merchant), 1000 - pairs.length)
    }
  })

  it('a key of any characters is found again', async () => {
    const { fixture, merchant } = await givenSetup()
    const keys = ['"', '\\', ' ', '~', 'x'.repeat(255), '{}', '\\n', 'K', 'k']
    for (const key of keys) fixture.do(payout(merchant, 'awa', 1), { key })
    await fixture.startWithoutArchive()
    for (const key of keys) assert.equal(fixture.do(payout(merchant, 'awa', 1), { key }).replayed, true, key)
    assert.equal(fixture.state.accounts.balance(merchant), 1000 - keys.length)
  })
})

describe('the same key while the first is under way', () => {
  it('the same key while the first is under way waits and gets the result of the first, in one burst or in several, and so does another request get its refusal', async () => {
    const { fixture, merchant } = await givenSetup()
    const told: string[] = []
    const send = (name: string, fingerprint: string): void => {
      fixture.send(payout(merchant, 'awa', 1), { key: 'k', fingerprint, onSettle: () => told.push(name) })
    }
    send('first', 'f')
    send('second', 'f')
    fixture.loop.turn()
    send('third', 'f')
    send('other', 'g')
    fixture.loop.turn()
    assert.deepEqual(told, [], 'the disk has not answered yet')
    fixture.settle()
    assert.deepEqual(told, ['first', 'second', 'third', 'other'])
    assert.equal(fixture.state.accounts.balance(merchant), 999)
  })

  it('the same key while the first is under way is decided once, whichever arrives first', async () => {
    const { fixture, merchant } = await givenSetup()
    const sent = Array.from({ length: 50 }, () => fixture.send(payout(merchant, 'awa', 1), { key: 'k' }))
    fixture.settle()
    const outcomes = sent.map(({ outcome }) => outcome as Outcome)
    assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1)
    assert.equal(new Set(outcomes.map(({ body }) => body)).size, 1)
    assert.equal(fixture.state.accounts.balance(merchant), 999)
  })
})

function archiveAll(fixture: EngineFixture): void {
  fixture.loop.advance(2000)
  fixture.settle()
}
