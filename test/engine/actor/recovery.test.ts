// Recovery: snapshot and log together give the state back, with or without the archive; what does not fit is rejected.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MerchantRow } from '../../../engine/domain/merchant/merchant-state.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'
import { MemoryLog } from '../../support/memory-log.ts'

async function stageWithPayouts(count: number): Promise<EngineFixture> {
  const fixture = await EngineFixture.open()
  const { test } = openMerchant(fixture, 'baobab', 1_000_000)
  openWallet(fixture, 'awa')
  for (let index = 0; index < count; index++)
    assert.equal(fixture.do(payout(test, 'awa', 10 + index), { key: `k-${index}` }).kind, 'created')
  return fixture
}

describe('a restart', () => {
  it('a start ends when the archive is loaded: before, each new key would be searched on disk', async () => {
    let isLoaded = false
    const fixture = await EngineFixture.open({
      archive: (soon) =>
        Object.assign(new MemoryArchive({ soon }), {
          whenLoaded: () =>
            new Promise<void>((resolve) => {
              soon(() => {
                isLoaded = true
                resolve()
              })
            }),
        }),
    })
    assert.equal(isLoaded, true)
    assert.equal(fixture.engine.recovered.lastSequence, 0)
  })

  it('a restart after a clean close begins at the snapshot, which stands at the end of the log, and replays nothing', async () => {
    const fixture = await stageWithPayouts(5)
    await fixture.close()
    const before = fixture.rows()
    await fixture.start()
    assert.deepEqual(fixture.rows(), before)
    assert.equal(fixture.engine.recovered.snapshotSequence, fixture.log.durableSequence)
    assert.equal(fixture.engine.recovered.replayedRecords, 0)
  })

  it('a restart after a clean close goes on: the next record continues the chain, and a third start reads it', async () => {
    const fixture = await stageWithPayouts(2)
    await fixture.close()
    await fixture.start()
    const { test } = openMerchant(fixture, 'neem', 500)
    assert.equal(fixture.do(payout(test, 'awa', 500), { key: 'later' }).kind, 'created')
    const before = fixture.rows()
    await fixture.start()
    assert.deepEqual(fixture.rows(), before)
    await fixture.startWithoutArchive()
    assert.deepEqual(fixture.rows(), before)
  })

  it('a restart of an empty log that was closed begins at nothing', async () => {
    const fixture = await EngineFixture.open()
    await fixture.close()
    await fixture.start()
    assert.equal(fixture.engine.lastSequence, 0)
    openMerchant(fixture, 'baobab')
    assert.equal(fixture.engine.lastSequence, 1)
  })

  it('a restart after a kill replays what came after the last snapshot', async () => {
    const fixture = await stageWithPayouts(5)
    const snapshot = fixture.archive.loadSnapshot()?.sequence ?? 0
    assert.equal(fixture.log.durableSequence, 8)
    const before = fixture.rows()
    await fixture.start()
    assert.deepEqual(fixture.rows(), before)
    assert.equal(fixture.engine.recovered.snapshotSequence, snapshot)
    assert.equal(fixture.engine.recovered.replayedRecords, 8 - snapshot)
  })

  it('a restart reads a flush of several batches, with and without the archive, and the log goes on after it', async () => {
    const fixture = await EngineFixture.open({ log: (soon) => new MemoryLog({ soon, largeRecordBytes: 300 }) })
    const { test } = openMerchant(fixture, 'baobab', 1_000_000)
    openWallet(fixture, 'awa')
    const { flushes } = fixture.engine.figures
    const sent = Array.from({ length: 12 }, (_, index) => fixture.send(payout(test, 'awa', 10 + index), { key: `k-${index}` }))
    fixture.settle()
    assert.deepEqual([...new Set(sent.map(({ outcome }) => outcome?.kind))], ['created'])
    assert.equal(fixture.engine.figures.flushes, flushes + 1)
    const first = fixture.engine.lastSequence - 11
    const batches = new Set(Array.from({ length: 12 }, (_, index) => fixture.log.batchAt(first + index)?.firstSequence))
    assert.ok(batches.size >= 4 && batches.has(first))
    const before = fixture.rows()
    await fixture.start()
    assert.deepEqual(fixture.rows(), before)
    await fixture.close()
    await fixture.startWithoutArchive()
    assert.deepEqual(fixture.rows(), before)
    assert.deepEqual(fixture.do(payout(test, 'awa', 17), { key: 'k-7' }), { ...sent[7]?.outcome, replayed: true })
    assert.equal(fixture.do(payout(test, 'awa', 500), { key: 'later' }).kind, 'created')
    const after = fixture.rows()
    await fixture.startWithoutArchive()
    assert.deepEqual(fixture.rows(), after)
  })

  it('a restart whose archive was deleted replays the whole log and finds every key again', async () => {
    const fixture = await stageWithPayouts(5)
    const [{ accounts }] = [...fixture.state.merchants.merchants.values()] as [MerchantRow]
    const first = fixture.do(payout(accounts.test, 'awa', 10), { key: 'k-0' })
    await fixture.close()
    const before = fixture.rows()
    await fixture.startWithoutArchive()
    assert.deepEqual(fixture.rows(), before)
    const again = fixture.do(payout(accounts.test, 'awa', 10), { key: 'k-0' })
    assert.deepEqual(again, { ...first, replayed: true })
  })

  it('a restart keeps time going on from the last record, though the clock has gone back', async () => {
    const fixture = await stageWithPayouts(1)
    const { timeMs } = fixture.engine.recovered
    fixture.loop.nowMs -= 3_600_000
    await fixture.start()
    assert.ok(fixture.engine.nowMs() > timeMs)
    assert.equal(fixture.engine.nowMs(), fixture.records.at(-1)?.timeMs)
  })
})

describe('a restart is refused', () => {
  it('a restart is refused when the snapshot is ahead of the log, as after a backup of the log alone', async () => {
    const disk: { log: MemoryLog | null } = { log: null }
    const fixture = await EngineFixture.open({
      log: (soon) => {
        disk.log = new MemoryLog({ soon })
        return disk.log
      },
    })
    openMerchant(fixture, 'baobab', 100)
    await fixture.close()
    disk.log?.dropLast()
    await assert.rejects(fixture.start(), { name: 'LogFormatError', code: 'archive_ahead' })
  })

  it('a restart is refused when the index is ahead of the log', async () => {
    const disk: { log: MemoryLog | null } = { log: null }
    const fixture = await EngineFixture.open({
      log: (soon) => {
        disk.log = new MemoryLog({ soon })
        return disk.log
      },
    })
    openMerchant(fixture, 'baobab', 100)
    fixture.loop.advance(2000)
    fixture.settle()
    assert.equal(fixture.archive.indexedThrough, 2)
    assert.ok((fixture.archive.loadSnapshot()?.sequence ?? 0) < 2)
    disk.log?.dropLast()
    await assert.rejects(fixture.start(), { name: 'LogFormatError', code: 'archive_ahead' })
  })

  it('a restart is refused when the log was replaced by another that is just as long', async () => {
    const fixture = await stageWithPayouts(1)
    await fixture.close()
    const other = await EngineFixture.open({ seed: 2 })
    const { test } = openMerchant(other, 'other', 1_000_000)
    openWallet(other, 'awa')
    other.do(payout(test, 'awa', 10))
    assert.equal(other.log.durableSequence, fixture.log.durableSequence)
    const mixed = await EngineFixture.open({ log: () => other.log })
    mixed.archive = fixture.archive
    await assert.rejects(mixed.start(), { name: 'LogFormatError', code: 'chain_broken' })
  })
})
