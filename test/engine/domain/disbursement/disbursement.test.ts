// Disbursements in the engine: each line once, in order, across pauses, lack of balance and restarts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Disbursement } from '../../../../engine/domain/disbursement/disbursement-state.ts'
import { readBatchLines } from '../../../support/batch-lines.ts'
import { deposit, openMerchant, openWallet } from '../../../support/commands.ts'
import { DisbursementSteps } from '../../../support/disbursement-steps.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

async function open(amount: number) {
  const fixture = await EngineFixture.open()
  const merchant = openMerchant(fixture, 'baobab', amount)
  for (const tag of ['awa', 'moussa']) openWallet(fixture, tag)
  const steps = new DisbursementSteps(fixture, merchant.test)
  const get = (id: string) => JSON.parse(fixture.engine.query('disbursements.get', { account: merchant.test, id }) ?? '{}') as Disbursement
  const balanceOf = (tag: string) => fixture.state.accounts.balance(fixture.state.wallets.byRecipient('test', tag)?.account ?? -1)
  const linesOf = (id: string, query: object = {}) => {
    const page = fixture.engine.query('disbursements.lines', { account: merchant.test, id, query: { limit: 100, ...query } })
    assert.ok(page !== null && page !== 'not_found')
    return page
  }
  return { fixture, merchant, steps, get, balanceOf, linesOf }
}

function pass(fixture: EngineFixture): void {
  // Longer than the rest of a long turn.
  fixture.loop.advance(25)
  fixture.settle()
}

const many = (count: number) =>
  readBatchLines(Array.from({ length: count }, (_, index) => ({ recipient: 'awa', amount: 1, reference: `L${index}` })))

describe('a disbursement', () => {
  it('every line of many turns is paid once, in order, also when the engine starts anew between two turns', async () => {
    const { fixture, merchant, steps, get, balanceOf, linesOf } = await open(10_000)
    const { id } = steps.create({ lines: many(1700), start: 'auto' })
    let restarts = 0
    for (let round = 0; round < 20 && get(id).state === 'running'; round++) {
      pass(fixture)
      if (round % 2 === 0) {
        await fixture.start()
        restarts++
      }
    }
    const done = get(id)
    assert.ok(restarts > 0)
    assert.deepEqual([done.state, done.paid_count, done.paid_amount, done.waiting_count], ['completed', 1700, 1700, 0])
    assert.deepEqual([balanceOf('awa'), fixture.state.accounts.balance(merchant.test)], [1700, 8300])
    assert.equal(fixture.state.disbursements.live.size, 0)
    const payouts = fixture.records.flatMap(({ events }) => events.filter(({ type }) => type === 'payout.paid'))
    const references = payouts.map(({ text }) => (JSON.parse(text) as { reference: string }).reference)
    assert.deepEqual(
      references,
      many(1700).map(({ reference }) => reference),
    )
    const page = linesOf(id)
    assert.ok(page.lines.every(({ state, payout_id }) => state === 'paid' && payout_id !== undefined))
    const { rows } = fixture.engine.query('payouts.list', { account: merchant.test, query: { disbursement_id: id, limit: 5 } }) ?? {
      rows: [],
    }
    assert.deepEqual(
      rows.map((row) => (JSON.parse(row) as { reference: string }).reference),
      ['L1699', 'L1698', 'L1697', 'L1696', 'L1695'],
    )
  })

  it('beside the payouts of others it waits for one turn of another account, however many disbursements that one runs', async () => {
    const { fixture, steps, get, merchant } = await open(1_000_000)
    const crowded = Array.from({ length: 60 }, () => steps.create({ lines: many(192), start: 'auto' }))
    const other = openMerchant(fixture, 'kapok', 1000)
    const own = new DisbursementSteps(fixture, other.test).create({ lines: many(192), start: 'auto' })
    const stateOf = () => JSON.parse(fixture.engine.query('disbursements.get', { account: other.test, id: own.id }) ?? '{}').state
    let turns = 0
    for (; stateOf() !== 'completed' && turns < 100; turns++) {
      // A short turn.
      fixture.do(deposit({ merchantId: merchant.id }, 1))
      pass(fixture)
    }
    assert.ok(turns <= 10, `three turns waited for ${turns}`)
    assert.ok(crowded.filter(({ id }) => get(id).state === 'completed').length <= turns)
    const paidOf = () => crowded.reduce((sum, { id }) => sum + get(id).paid_count, 0)
    for (let last = -1; paidOf() > last; ) {
      last = paidOf()
      for (let more = 0; more < 20; more++) pass(fixture)
    }
    assert.equal(paidOf(), 60 * 192)
  })

  it('short of balance it pauses before the line and goes on there, or fails the line', async () => {
    const { fixture, merchant, steps, get, linesOf } = await open(100)
    const lines = readBatchLines([
      { recipient: 'awa', amount: 60 },
      { recipient: 'ghost', amount: 1 },
      { recipient: 'moussa', amount: 60 },
      { recipient: 'awa', amount: 10, colour: 1 },
      { recipient: 'awa', amount: 30 },
    ])
    const created = steps.create({ lines })
    assert.deepEqual(
      [created.total_count, created.valid_count, created.invalid_count, created.valid_amount, created.total_amount],
      [5, 3, 2, 150, 161],
    )
    const { id } = created
    assert.deepEqual(
      linesOf(id).lines.map(({ state }) => state),
      ['valid', 'invalid', 'valid', 'invalid', 'valid'],
    )
    steps.start(id)
    steps.start(id, 409)
    pass(fixture)
    const paused = get(id)
    assert.deepEqual([paused.state, paused.pause_reason, paused.paid_count, paused.waiting_count], ['paused', 'insufficient_balance', 1, 2])
    assert.deepEqual(
      linesOf(id).lines.map(({ state }) => state),
      ['paid', 'invalid', 'waiting', 'invalid', 'waiting'],
    )
    fixture.do(deposit({ merchantId: merchant.id }, 100, 'test'))
    steps.move(id, 'resume')
    pass(fixture)
    assert.deepEqual([get(id).state, get(id).paid_count], ['completed', 3])
    const failing = steps.create({
      lines: readBatchLines([
        { recipient: 'awa', amount: 900 },
        { recipient: 'awa', amount: 5 },
      ]),
      start: 'auto',
      onInsufficientBalance: 'fail',
    })
    pass(fixture)
    assert.deepEqual([get(failing.id).failed_count, get(failing.id).failed_amount, get(failing.id).paid_count], [1, 900, 1])
    assert.deepEqual(
      linesOf(failing.id, { state: 'failed' }).lines.map(({ index, failure_code }) => [index, failure_code]),
      [[0, 'insufficient_balance']],
    )
    const retry = steps.retry(failing.id)
    assert.deepEqual([retry.retry_of, retry.state, retry.total_count, retry.valid_amount], [failing.id, 'ready', 1, 900])
    steps.retry(failing.id, 409)
  })

  it('a sum that no account can hold is refused, and the next below it is taken', async () => {
    const { fixture, merchant, steps } = await open(1)
    const huge = (count: number) => readBatchLines(Array.from({ length: count }, () => ({ recipient: 'awa', amount: 1_000_000_000_000 })))
    const chunks = steps.judged(huge(4001))
    const about = { reference: '', start: 'manual', startAtMs: null, onInsufficientBalance: 'pause', by: steps.maker } as const
    const { body } = fixture.do({ type: 'CreateDisbursement', merchant: merchant.test, ...about, chunks })
    assert.deepEqual([JSON.parse(body).code, JSON.parse(body).param], ['invalid_request', 'items'])
    assert.equal(steps.create({ lines: huge(4000) }).valid_amount, 4_000_000_000_000_000)
  })

  it('its start waits for its time, and a cancellation leaves what was paid', async () => {
    const { fixture, steps, get, balanceOf, linesOf } = await open(1000)
    const later = steps.create({ lines: many(3), start: 'auto', startAtMs: fixture.loop.nowMs + 60_000 })
    assert.equal(later.state, 'scheduled')
    steps.move(later.id, 'pause', 409)
    fixture.loop.advance(61_000)
    fixture.settle()
    assert.deepEqual([get(later.id).state, balanceOf('awa')], ['completed', 3])
    const short = steps.create({
      lines: readBatchLines([
        { recipient: 'awa', amount: 990 },
        { recipient: 'awa', amount: 990 },
      ]),
      start: 'auto',
    })
    pass(fixture)
    const cancelled = steps.move(short.id, 'cancel')
    assert.deepEqual([cancelled.state, cancelled.paid_count, cancelled.waiting_count], ['cancelled', 1, 0])
    assert.equal(steps.move(short.id, 'cancel').state, 'cancelled')
    steps.move(short.id, 'resume', 409)
    assert.deepEqual(
      linesOf(short.id).lines.map(({ state, warnings }) => [state, warnings.length]),
      [
        ['paid', 0],
        ['cancelled', 1],
      ],
    )
    steps.retry(short.id, 409)
  })
})
