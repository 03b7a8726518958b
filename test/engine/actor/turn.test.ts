// One turn: what leaves a record and what does not, and that a record is all there is to know.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { replayRecord } from '../../../engine/actor/turn.ts'
import type { CreateCharge } from '../../../engine/domain/charge/charge-decide.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { InvariantError } from '../../../engine/kernel/assert.ts'
import { CALLER, openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture, stateRows } from '../../support/engine-fixture.ts'

function createCharge(merchant: number): CreateCharge {
  const texts = { reference: '', description: '', customerTag: '', checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
  return { type: 'CreateCharge', merchant, token: 'token', amount: 5, ...texts, metadata: {}, madeBy: CALLER }
}

describe('a turn that changes nothing', () => {
  it('a turn that changes nothing leaves no record without a key, and with one the record of its answer', async () => {
    const fixture = await EngineFixture.open()
    const { test: merchant } = openMerchant(fixture, 'baobab')
    fixture.do(createCharge(merchant))
    const cancel = { type: 'CancelCharge', merchant, token: 'token' } as const
    fixture.do(cancel)
    const durable = fixture.log.durableSequence
    const again = fixture.do(cancel)
    assert.equal(again.kind, 'ok')
    assert.equal(fixture.log.durableSequence, durable)
    assert.deepEqual(fixture.do(cancel, { key: 'k' }), again)
    assert.equal(fixture.log.durableSequence, durable + 1)
    assert.deepEqual(fixture.do(cancel, { key: 'k' }), { ...again, replayed: true })
  })
})

describe('a replay', () => {
  async function givenRecords(): Promise<LogRecord[]> {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    fixture.do(payout(test, 'awa', 10))
    return fixture.records
  }

  it('a replay of the records alone gives the state', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    fixture.do(payout(test, 'awa', 10))
    const state = newState()
    for (const record of fixture.records) replayRecord(state, record)
    assert.deepEqual(stateRows(state), fixture.rows())
  })

  const tampered: readonly (readonly [what: string, tamper: (record: LogRecord) => LogRecord])[] = [
    ['another amount', (record) => withPosting(record, { amount: 11 })],
    ['another balance', (record) => withPosting(record, { creditBalance: 11 })],
    ['another account', (record) => withPosting(record, { credit: 6 })],
    ['a frame too far', (record) => ({ ...record, frames: record.frames.map((frame) => ({ ...frame, id: frame.id + 1 })) })],
    [
      'an event of a version that nobody knows',
      (record) => ({ ...record, events: record.events.map((event) => ({ ...event, version: 99 })) }),
    ],
    ['an event that nobody knows', (record) => ({ ...record, events: record.events.map((event) => ({ ...event, type: 'loan.made' })) })],
  ]
  it('a replay stops at a record that spends what is held', async () => {
    const records = await givenRecords()
    const last = records.pop()
    assert.ok(last !== undefined)
    const state = newState()
    for (const record of records) replayRecord(state, record)
    const account = last.transactions[0]?.postings[0]?.debit ?? -1
    state.holds.place({ id: 'h', account, amount: 995, expires_at: Number.MAX_SAFE_INTEGER })
    assert.throws(() => replayRecord(state, last), /what is held is not spent/)
  })

  for (const [what, tamper] of tampered) {
    it(`a replay stops at ${what}`, async () => {
      const records = await givenRecords()
      const last = records.pop()
      assert.ok(last !== undefined)
      const state = newState()
      for (const record of records) replayRecord(state, record)
      assert.throws(() => replayRecord(state, tamper(last)), InvariantError)
    })
  }
})

function withPosting(record: LogRecord, change: object): LogRecord {
  const transactions = record.transactions.map((one) => ({ ...one, postings: one.postings.map((posting) => ({ ...posting, ...change })) }))
  return { ...record, transactions }
}
