// Recovery: snapshot and log together give the state back, with or without the archive; what does not fit is rejected.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MerchantRow } from '../../../engine/domain/merchant/merchant-state.ts'
import { MemoryLog } from '../../../wal/log/memory-log.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

async function stageWithPayouts(count: number): Promise<EngineFixture> {
  const stage = await EngineFixture.open()
  const { test } = openMerchant(stage, 'baobab', 1_000_000)
  openWallet(stage, 'awa')
  for (let index = 0; index < count; index++) assert.equal(stage.do(payout(test, 'awa', 10 + index), { key: `k-${index}` }).kind, 'created')
  return stage
}

describe('a restart', () => {
  it('a restart after a clean close begins at the snapshot, which stands at the end of the log, and replays nothing', async () => {
    const stage = await stageWithPayouts(5)
    await stage.close()
    const before = stage.rows()
    await stage.start()
    assert.deepEqual(stage.rows(), before)
    assert.equal(stage.engine.recovered.snapshotSequence, stage.log.durableSequence)
    assert.equal(stage.engine.recovered.replayedRecords, 0)
  })

  it('a restart after a clean close goes on: the next record continues the chain, and a third start reads it', async () => {
    const stage = await stageWithPayouts(2)
    await stage.close()
    await stage.start()
    const { test } = openMerchant(stage, 'neem', 500)
    assert.equal(stage.do(payout(test, 'awa', 500), { key: 'later' }).kind, 'created')
    const before = stage.rows()
    await stage.start()
    assert.deepEqual(stage.rows(), before)
    await stage.startWithoutArchive()
    assert.deepEqual(stage.rows(), before)
  })

  it('a restart of an empty log that was closed begins at nothing', async () => {
    const stage = await EngineFixture.open()
    await stage.close()
    await stage.start()
    assert.equal(stage.engine.lastSequence, 0)
    openMerchant(stage, 'baobab')
    assert.equal(stage.engine.lastSequence, 1)
  })

  it('a restart after a kill replays what came after the last snapshot', async () => {
    const stage = await stageWithPayouts(5)
    const snapshot = stage.archive.loadSnapshot()?.sequence ?? 0
    assert.equal(stage.log.durableSequence, 8)
    const before = stage.rows()
    await stage.start()
    assert.deepEqual(stage.rows(), before)
    assert.equal(stage.engine.recovered.snapshotSequence, snapshot)
    assert.equal(stage.engine.recovered.replayedRecords, 8 - snapshot)
  })

  it('a restart whose archive was deleted replays the whole log and finds every key again', async () => {
    const stage = await stageWithPayouts(5)
    const [{ accounts }] = [...stage.state.merchants.merchants.values()] as [MerchantRow]
    const first = stage.do(payout(accounts.test, 'awa', 10), { key: 'k-0' })
    await stage.close()
    const before = stage.rows()
    await stage.startWithoutArchive()
    assert.deepEqual(stage.rows(), before)
    const again = stage.do(payout(accounts.test, 'awa', 10), { key: 'k-0' })
    assert.deepEqual(again, { ...first, replayed: true })
  })

  it('a restart keeps time going on from the last record, though the clock has gone back', async () => {
    const stage = await stageWithPayouts(1)
    const { timeMs } = stage.engine.recovered
    stage.loop.nowMs -= 3_600_000
    await stage.start()
    assert.ok(stage.engine.nowMs() > timeMs)
    assert.equal(stage.engine.nowMs(), stage.records.at(-1)?.timeMs)
  })
})

describe('a restart is refused', () => {
  it('a restart is refused when the snapshot is ahead of the log, as after a backup of the log alone', async () => {
    const disk: { log: MemoryLog | null } = { log: null }
    const stage = await EngineFixture.open({
      log: (soon) => {
        disk.log = new MemoryLog({ soon })
        return disk.log
      },
    })
    openMerchant(stage, 'baobab', 100)
    await stage.close()
    disk.log?.dropLast()
    await assert.rejects(stage.start(), { name: 'LogFormatError', code: 'archive_ahead' })
  })

  it('a restart is refused when the index is ahead of the log', async () => {
    const disk: { log: MemoryLog | null } = { log: null }
    const stage = await EngineFixture.open({
      log: (soon) => {
        disk.log = new MemoryLog({ soon })
        return disk.log
      },
    })
    openMerchant(stage, 'baobab', 100)
    stage.loop.advance(2000)
    stage.settle()
    assert.equal(stage.archive.indexedThrough, 2)
    assert.ok((stage.archive.loadSnapshot()?.sequence ?? 0) < 2)
    disk.log?.dropLast()
    await assert.rejects(stage.start(), { name: 'LogFormatError', code: 'archive_ahead' })
  })

  it('a restart is refused when the log was replaced by another that is just as long', async () => {
    const stage = await stageWithPayouts(1)
    await stage.close()
    const other = await EngineFixture.open({ seed: 2 })
    const { test } = openMerchant(other, 'other', 1_000_000)
    openWallet(other, 'awa')
    other.do(payout(test, 'awa', 10))
    assert.equal(other.log.durableSequence, stage.log.durableSequence)
    const mixed = await EngineFixture.open({ log: () => other.log })
    mixed.archive = stage.archive
    await assert.rejects(mixed.start(), { name: 'LogFormatError', code: 'chain_broken' })
  })
})
