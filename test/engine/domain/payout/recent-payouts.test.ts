// The warning `recently_paid`: which lines of a batch the merchant has paid within the last 72 hours, by any route.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchReport } from '../../../../engine/contract/batch.ts'
import type { BatchLine } from '../../../../engine/contract/batch-line.ts'
import { RECENT_PAYOUTS_READ_MAX, RECENTLY_PAID_MS, RecentPayouts } from '../../../../engine/domain/payout/recent-payouts.ts'
import { batch, line } from '../../../support/batch-lines.ts'
import { type KnownMerchant, openLiveWallet, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant
}

async function setup(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const merchant = openMerchant(fixture, 'baobab', 100_000)
  for (const tag of ['awa', 'moussa', 'koffi']) openWallet(fixture, tag)
  return { fixture, merchant }
}

function warnings({ fixture, merchant }: Setup, lines: readonly BatchLine[], key?: string): readonly (readonly [number, string])[] {
  const order = batch(merchant.test, lines)
  const command = key === undefined ? { ...order, type: 'DryRunBatch' as const } : order
  const { body } = fixture.do(command, { mailbox: merchant.test, ...(key === undefined ? {} : { key }) })
  return (JSON.parse(body) as BatchReport).warnings.map(({ index, code }) => [index, code] as const)
}

const RECENT = 'recently_paid'

describe('a line of a batch', () => {
  it('is warned of where its recipient got its amount by a payout or a batch, in a dry run and in the report', async () => {
    const on = await setup()
    on.fixture.do(payout(on.merchant.test, 'awa', 500), { key: 'single' })
    assert.deepEqual(warnings(on, [line('moussa', 70)], 'first'), [])
    const lines = [line('@AWA', 500), line('awa', 501), line('moussa', 70), line('koffi', 500), line('ghost', 500), line('x', 500)]
    const expected = [
      [0, RECENT],
      [2, RECENT],
    ]
    assert.deepEqual(warnings(on, lines), expected)
    assert.deepEqual(warnings(on, lines, 'second'), expected)
    assert.deepEqual(warnings(on, [line('koffi', 500), line('koffi', 500)]), [
      [0, RECENT],
      [1, 'duplicate_line'],
      [1, RECENT],
    ])
  })

  it('is warned of for 72 hours, by this merchant alone, and not by another name of the wallet', async () => {
    const on = await setup()
    on.fixture.do(payout(on.merchant.test, 'awa', 500), { key: 'single' })
    const other = openMerchant(on.fixture, 'fromager', 1000)
    assert.deepEqual(warnings({ ...on, merchant: other }, [line('awa', 500)]), [])
    on.fixture.loop.advance(RECENTLY_PAID_MS - 1)
    assert.deepEqual(warnings(on, [line('awa', 500)]), [[0, RECENT]])
    on.fixture.loop.advance(2)
    assert.deepEqual(warnings(on, [line('awa', 500)]), [])
    openLiveWallet(on.fixture, '+221771234567', 'live_awa')
    const live = openMerchant(on.fixture, 'kapok')
    assert.deepEqual(warnings({ ...on, merchant: { ...live, test: live.live } }, [line('+221771234567', 5)]), [])
  })

  it('is warned of after a restart, with and without the archive, and its report stays as it was answered', async () => {
    const on = await setup()
    on.fixture.do(payout(on.merchant.test, 'awa', 500), { key: 'single' })
    const lines = [line('koffi', 7), line('awa', 500)]
    assert.deepEqual(warnings(on, lines, 'batch'), [[1, RECENT]])
    for (const start of [() => on.fixture.start(), () => on.fixture.startWithoutArchive()]) {
      await start()
      assert.deepEqual(warnings(on, lines), [
        [0, RECENT],
        [1, RECENT],
      ])
      assert.deepEqual(warnings(on, lines, 'batch'), [[1, RECENT]], 'the key replays its first answer')
    }
  })
})

describe('the table', () => {
  it('keeps the newest time of a payout, and gives the oldest of a full bucket away', () => {
    const table = new RecentPayouts()
    const paid = (amount: number) => ({ merchant: 7, recipient: 'awa', amount })
    table.add(paid(5), 1000)
    table.add(paid(5), 10)
    assert.deepEqual([table.has(paid(5), 1000), table.has(paid(5), 1001), table.has(paid(6), 0)], [true, false, false])
    assert.ok(!table.has({ ...paid(5), merchant: 8 }, 0) && !table.has({ ...paid(5), recipient: 'awb' }, 0))
    for (let amount = 1; amount <= 100_000; amount++) table.add(paid(amount), 2000 + amount)
    let found = 0
    for (let amount = 1; amount <= 100_000; amount++) if (table.has(paid(amount), 0)) found++
    assert.ok(found > 99_500, `${found} of 100 000 are kept`)
    let wrong = 0
    for (let amount = 100_001; amount <= 200_000; amount++) if (table.has(paid(amount), 0)) wrong++
    assert.equal(wrong, 0)
  })

  it('keeps every payout, with its time, when it becomes larger', () => {
    const table = new RecentPayouts()
    const paid = (amount: number) => ({ merchant: 7, recipient: 'awa', amount })
    for (let amount = 1; amount <= 2000; amount++) {
      table.add(paid(amount), amount)
      for (let before = 1; before <= amount; before += 97)
        assert.ok(table.has(paid(before), before) && !table.has(paid(before), before + 1))
    }
    for (let amount = 1; amount <= 2000; amount++) assert.ok(table.has(paid(amount), amount) && !table.has(paid(amount), amount + 1))
  })

  it('asks for the earlier payouts of a merchant once', () => {
    const table = new RecentPayouts()
    assert.deepEqual([table.isNew(7), table.isNew(7), table.isNew(8), RECENT_PAYOUTS_READ_MAX], [true, false, true, 500])
  })
})
