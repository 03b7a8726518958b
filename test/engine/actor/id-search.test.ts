// Ids without an index entry are found by their time, also when the clock jumps or stands still. The other ids have an entry.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SEARCHED_PER_MS_MAX } from '../../../engine/actor/id-search.ts'
import { batch, line, type Report } from '../../support/batch-lines.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

interface Ids {
  readonly payoutId: string
  readonly transactionId: string
}

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: number
}

async function openSetup(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'baobab', 1_000_000)
  openWallet(fixture, 'awa')
  return { fixture, merchant }
}

function pay({ fixture, merchant }: Setup): Ids {
  const { id, transaction_id } = JSON.parse(fixture.do(payout(merchant, 'awa', 1)).body) as { id: string; transaction_id: string }
  return { payoutId: id, transactionId: transaction_id }
}

function payBatch({ fixture, merchant }: Setup, count: number): Ids[] {
  const lines = Array.from({ length: count }, () => line('awa', 1))
  const { items } = JSON.parse(fixture.do(batch(merchant, lines), { mailbox: merchant }).body) as Report
  return items.map(({ payout_id, transaction_id }) => ({ payoutId: payout_id ?? '', transactionId: transaction_id ?? '' }))
}

/** Whether both ids lead to the payout, for its merchant and for no other account. */
function check({ fixture, merchant }: Setup, ids: readonly Ids[]): void {
  const { engine } = fixture
  for (const { payoutId, transactionId } of ids) {
    assert.match(engine.query('payouts.get', { account: merchant, id: payoutId }) ?? '', new RegExp(payoutId))
    assert.equal(engine.query('transactions.get', { account: merchant, id: transactionId })?.payout_id, payoutId)
    assert.equal(engine.query('payouts.get', { account: merchant, id: transactionId }), null)
    assert.equal(engine.query('transactions.get', { account: merchant + 1000, id: transactionId }), null)
  }
}

async function checkEverywhere(setup: Setup, ids: readonly Ids[]): Promise<void> {
  check(setup, ids)
  setup.fixture.loop.advance(2000)
  setup.fixture.settle()
  assert.equal(setup.fixture.engine.history.tailEntries, 0)
  check(setup, ids)
  await setup.fixture.startWithoutArchive()
  check(setup, ids)
}

it('a payout with a reference has six index entries, and none for its ids', async () => {
  const setup = await openSetup()
  const before = setup.fixture.engine.history.tailEntries
  setup.fixture.do(payout(setup.merchant, 'awa', 1, 'rent'), { key: 'k' })
  assert.equal(setup.fixture.engine.history.tailEntries - before, 6)
})

it('a line of a payout batch without a reference has two index entries, for its recipient and its wallet', async () => {
  const setup = await openSetup()
  const before = setup.fixture.engine.history.tailEntries
  payBatch(setup, 100)
  // Its id, the list of batches, and one for all its payouts in the list of the merchant.
  const ofBatch = 3
  assert.equal(setup.fixture.engine.history.tailEntries - before, 200 + ofBatch)
})

it('ids are found by their time, of single payouts and of batches', async () => {
  const setup = await openSetup()
  const ids: Ids[] = []
  for (let round = 0; round < 10; round++) {
    setup.fixture.loop.nowMs += round % 3
    ids.push(pay(setup), ...payBatch(setup, 3), pay(setup))
  }
  await checkEverywhere(setup, ids)
})

it('ids of a record that is not durable yet are found', async () => {
  const setup = await openSetup()
  const { fixture, merchant } = setup
  const sent = fixture.send(payout(merchant, 'awa', 1))
  while (fixture.records.length === 0 || fixture.engine.lastSequence === fixture.engine.durableSequence) {
    fixture.loop.turn()
    if (sent.outcome !== null) break
  }
  assert.equal(sent.outcome, null)
  const record = fixture.engine.history.record(fixture.engine.lastSequence)
  const { id } = JSON.parse(record.events[0]?.text ?? '') as { id: string }
  check(setup, [{ payoutId: id, transactionId: record.transactions[0]?.id ?? '' }])
})

it('ids are found when the clock stands still for more records than a search reads, also after a restart within', async () => {
  const setup = await openSetup()
  const { fixture } = setup
  const ids: Ids[] = []
  for (let count = 0; count < SEARCHED_PER_MS_MAX / 2; count++) ids.push(pay(setup))
  const { nowMs } = fixture.loop
  await fixture.close()
  await fixture.start()
  fixture.loop.nowMs = nowMs
  for (let count = 0; count < SEARCHED_PER_MS_MAX; count++) ids.push(pay(setup))
  await checkEverywhere(setup, ids)
})

it('ids are found of a millisecond that has thousands', async () => {
  const setup = await openSetup()
  const ids: Ids[] = []
  for (let count = 0; count < 6; count++) ids.push(...payBatch(setup, 500).slice(-2))
  await checkEverywhere(setup, ids)
})

it('ids of no record are not found, whatever their form', async () => {
  const setup = await openSetup()
  const { payoutId } = pay(setup)
  const { fixture, merchant } = setup
  const strange = ['', 'x', payoutId.replace(/.$/, 'g'), payoutId.slice(0, -4), `${payoutId.slice(0, 14)}4${payoutId.slice(15)}`]
  const absent = ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff', `${payoutId.slice(0, 24)}000000000000`]
  for (const id of [...strange, ...absent]) assert.equal(fixture.engine.query('payouts.get', { account: merchant, id }), null)
})
