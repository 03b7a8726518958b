// Idempotency keys: the same answer byte for byte for ever, from memory, from the log and through the archive.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import { errorBody } from '../../../engine/contract/errors.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { deposit, openMerchant, openWallet, payout, testWallet, withdraw } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

interface Scene {
  readonly stage: EngineFixture
  readonly merchant: number
  readonly merchantId: string
}

async function givenScene(): Promise<Scene> {
  const stage = await EngineFixture.open()
  const { test, id } = openMerchant(stage, 'baobab', 1000)
  openWallet(stage, 'awa')
  return { stage, merchant: test, merchantId: id }
}

/** Where a known key may be found. */
const PLACES: readonly (readonly [place: string, go: (stage: EngineFixture) => Promise<void>])[] = [
  ['in memory', async () => {}],
  [
    'in the archive',
    async (stage) => {
      stage.loop.advance(2000)
      stage.settle()
      assert.equal(stage.archive.indexedThrough, stage.log.durableSequence)
      assert.equal(stage.engine.history.tailEntries, 0)
    },
  ],
  ['after a kill', (stage) => stage.start()],
  [
    'after a clean stop',
    async (stage) => {
      await stage.close()
      await stage.start()
    },
  ],
  ['after the archive was deleted', (stage) => stage.startWithoutArchive()],
]

/** Decided by the ledger, so a key keeps it. */
const KEPT: readonly (readonly [what: string, status: number, command: (scene: Scene) => Command])[] = [
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
        const scene = await givenScene()
        const { stage } = scene
        const first = stage.do(command(scene), { key: 'k' })
        assert.deepEqual([outcomeStatus(first), first.replayed], [status, false])
        await go(stage)
        const before = stage.rows()
        const durable = stage.log.durableSequence
        const again = stage.do(command(scene), { key: 'k' })
        assert.deepEqual(again, { ...first, replayed: true })
        assert.equal(stage.log.durableSequence, durable)
        assert.deepEqual(stage.rows(), before)
      })

      it(`the key of ${what} is refused for another request ${place}: 422`, async () => {
        const scene = await givenScene()
        const { stage } = scene
        stage.do(command(scene), { key: 'k' })
        await go(stage)
        const durable = stage.log.durableSequence
        const other = stage.do(command(scene), { key: 'k', fingerprint: 'other' })
        assert.deepEqual(other, { kind: 'unprocessable', body: errorBody('idempotency_key_reused'), replayed: false })
        assert.equal(stage.log.durableSequence, durable)
      })
    }
  })
}

describe('what the ledger did not decide', () => {
  it('what the ledger did not decide is not kept: the same key may be tried again, and be used for something else', async () => {
    const { stage } = await givenScene()
    const missing = stage.do(deposit({ tag: 'moussa' }, 5), { key: 'k' })
    assert.deepEqual([outcomeStatus(missing), missing.replayed], [404, false])
    openWallet(stage, 'moussa')
    const found = stage.do(deposit({ tag: 'moussa' }, 5), { key: 'k' })
    assert.deepEqual([outcomeStatus(found), found.replayed], [201, false])
    stage.do({ type: 'CreateMerchant', name: 'x', email: 'x@example.com', currency: 'EUR' }, { key: 'l' })
    assert.equal(stage.do(testWallet('fatou'), { key: 'l' }).kind, 'created')
  })

  it('what the ledger did not decide is not kept where it left a record either: a wrong code is counted each time', async () => {
    const { stage } = await givenScene()
    const challengeId = '01a0c450-6c00-7000-8707-070707070707'
    const about = { challengeId, purpose: 'signup', identifier: '+2250000000077', subject: '' } as const
    stage.do({ type: 'StartOtp', ...about, environment: 'test', account: null, codeHash: 'right', counted: [] })
    const wrong: Command = { type: 'VerifyOtp', ...about, codeHash: 'wrong', tokenHash: 't' }
    for (const failures of [1, 2]) {
      const { kind, replayed } = stage.do(wrong, { key: 'k' })
      assert.deepEqual([outcomeStatus({ kind }), replayed], [401, false])
      assert.equal(stage.state.auth.challenges.get(challengeId)?.failures, failures)
      assert.equal(stage.records.at(-1)?.idempotency, null)
    }
    assert.equal(stage.do({ ...wrong, codeHash: 'right' }, { key: 'k' }).kind, 'ok')
  })

  it('what the ledger did not decide is not kept for the refusal of another request either', async () => {
    const { stage, merchant } = await givenScene()
    const first = stage.do(payout(merchant, 'awa', 1), { key: 'k' })
    assert.equal(stage.do(payout(merchant, 'awa', 2), { key: 'k' }).kind, 'unprocessable')
    assert.deepEqual(stage.do(payout(merchant, 'awa', 1), { key: 'k' }), { ...first, replayed: true })
  })
})

describe('a key', () => {
  it('a key of one scope is not that of another', async () => {
    const { stage, merchant } = await givenScene()
    const one = stage.do(payout(merchant, 'awa', 1), { key: 'k', scope: '5' })
    const other = stage.do(payout(merchant, 'awa', 1), { key: 'k', scope: '6' })
    const operator = stage.do(payout(merchant, 'awa', 1), { key: 'k', scope: 'operator' })
    assert.equal(new Set([one.body, other.body, operator.body]).size, 3)
    assert.ok([one, other, operator].every(({ replayed }) => !replayed))
  })

  it('a key and its scope are two things, wherever the one ends and the other begins', async () => {
    const { stage, merchant } = await givenScene()
    const pairs = [
      ['5', '1:k'],
      ['5:1', 'k'],
      ['51', ':k'],
    ] as const
    for (const place of [async () => {}, () => stage.startWithoutArchive(), async () => archiveAll(stage)]) {
      await place()
      for (const [scope, key] of pairs) stage.do(payout(merchant, 'awa', 1), { scope, key })
      assert.equal(stage.state.accounts.balance(merchant), 1000 - pairs.length)
    }
  })

  it('a key of any characters is found again', async () => {
    const { stage, merchant } = await givenScene()
    const keys = ['"', '\\', ' ', '~', 'x'.repeat(255), '{}', '\\n', 'K', 'k']
    for (const key of keys) stage.do(payout(merchant, 'awa', 1), { key })
    await stage.startWithoutArchive()
    for (const key of keys) assert.equal(stage.do(payout(merchant, 'awa', 1), { key }).replayed, true, key)
    assert.equal(stage.state.accounts.balance(merchant), 1000 - keys.length)
  })
})

describe('the same key while the first is under way', () => {
  it('the same key while the first is under way waits and gets the result of the first, in one burst or in several, and so does another request get its refusal', async () => {
    const { stage, merchant } = await givenScene()
    const told: string[] = []
    const send = (name: string, fingerprint: string): void => {
      stage.send(payout(merchant, 'awa', 1), { key: 'k', fingerprint, onSettle: () => told.push(name) })
    }
    send('first', 'f')
    send('second', 'f')
    stage.loop.turn()
    send('third', 'f')
    send('other', 'g')
    stage.loop.turn()
    assert.deepEqual(told, [], 'the disk has not answered yet')
    stage.settle()
    assert.deepEqual(told, ['first', 'second', 'third', 'other'])
    assert.equal(stage.state.accounts.balance(merchant), 999)
  })

  it('the same key while the first is under way is decided once, whichever arrives first', async () => {
    const { stage, merchant } = await givenScene()
    const sent = Array.from({ length: 50 }, () => stage.send(payout(merchant, 'awa', 1), { key: 'k' }))
    stage.settle()
    const outcomes = sent.map(({ outcome }) => outcome as Outcome)
    assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1)
    assert.equal(new Set(outcomes.map(({ body }) => body)).size, 1)
    assert.equal(stage.state.accounts.balance(merchant), 999)
  })
})

function archiveAll(stage: EngineFixture): void {
  stage.loop.advance(2000)
  stage.settle()
}
