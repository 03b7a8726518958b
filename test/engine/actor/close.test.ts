// Closing: everything that was taken is answered and stored; a failure meanwhile is reported to those that wait.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchToAppend, IndexSegment } from '../../../engine/actor/ports.ts'
import { TURNS_PER_BURST_MAX } from '../../../engine/kernel/limits.ts'
import { MemoryArchive } from '../../../wal/archive/memory-archive.ts'
import { MemoryLog } from '../../../wal/log/memory-log.ts'
import { openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

describe('a close', () => {
  it('a close while a batch is being flushed waits for it, and for what gathered behind', async () => {
    const stage = await EngineFixture.open()
    const { test } = openMerchant(stage, 'baobab', 1000)
    openWallet(stage, 'awa')
    const first = stage.send(payout(test, 'awa', 1), { key: '1' })
    stage.loop.turn()
    assert.equal(stage.disk.count, 1)
    const second = stage.send(payout(test, 'awa', 2), { key: '2' })
    stage.loop.turn()
    const closed = stage.close()
    assert.equal(stage.send(payout(test, 'awa', 3)).refusal, 'unavailable')
    await closed
    assert.equal(first.outcome?.kind, 'created')
    assert.equal(second.outcome?.kind, 'created')
    assert.equal(stage.log.durableSequence, 5)
    assert.equal(stage.archive.indexedThrough, 5)
    assert.equal(stage.archive.loadSnapshot()?.sequence, 5)
  })

  it('a close takes the turns of everything queued, however many bursts that needs', async () => {
    const stage = await EngineFixture.open()
    const { test } = openMerchant(stage, 'baobab', 1_000_000)
    openWallet(stage, 'awa')
    const sent = Array.from({ length: 3 * TURNS_PER_BURST_MAX }, (_, index) => stage.send(payout(test, 'awa', 1), { key: `k${index}` }))
    await stage.close()
    assert.ok(sent.every(({ outcome }) => outcome?.kind === 'created'))
    assert.equal(stage.archive.loadSnapshot()?.sequence, stage.log.durableSequence)
  })

  it('a close fires no timer any more', async () => {
    const stage = await EngineFixture.open()
    openMerchant(stage, 'baobab')
    stage.state.timers.set('unknown', 'x', stage.loop.nowMs + 1)
    const closed = stage.close()
    stage.loop.advance(1000)
    await closed
    assert.deepEqual(stage.fatals, [])
  })

  it('a close may be asked for twice, and both are answered', async () => {
    const stage = await EngineFixture.open()
    openMerchant(stage, 'baobab')
    await Promise.all([stage.close(), stage.close()])
    await stage.close()
    assert.equal(stage.archive.indexedThrough, 1)
  })
})

class FailingLog extends MemoryLog {
  override append(_batch: BatchToAppend, done: (error: Error | null) => void): void {
    queueMicrotask(() => done(new Error('the disk is gone')))
  }
}

class FailingArchive extends MemoryArchive {
  override addSegment(_segment: IndexSegment, done: (error: Error | null) => void): void {
    queueMicrotask(() => done(new Error('the archive is gone')))
  }
}

describe('a failure', () => {
  it('a failure of the log during a close ends the close', async () => {
    const stage = await EngineFixture.open({ log: (soon) => new FailingLog({ soon }) })
    const sent = stage.send(testWallet('awa'))
    await assert.rejects(stage.close(), /the disk is gone/)
    assert.equal(stage.fatals.length, 1)
    assert.equal(sent.outcome, null)
  })

  it('a failure of the archive during a close ends the close', async () => {
    const stage = await EngineFixture.open({ archive: (soon) => new FailingArchive({ soon }) })
    openMerchant(stage, 'baobab')
    await assert.rejects(stage.close(), /the archive is gone/)
    assert.equal(stage.fatals.length, 1)
  })

  it('a failure before a close is what the close ends with', async () => {
    const stage = await EngineFixture.open({ log: (soon) => new FailingLog({ soon }) })
    stage.send(testWallet('awa'))
    stage.settle()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(stage.fatals.length, 1)
    await assert.rejects(stage.close(), /the disk is gone/)
    assert.equal(stage.fatals.length, 1)
  })
})
