// Closing: everything that was taken is answered and stored; a failure meanwhile is reported to those that wait.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchesToAppend, IndexSegment } from '../../../engine/actor/ports.ts'
import { LINES_PER_BURST_MAX } from '../../../engine/kernel/limits.ts'
import { openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'
import { MemoryLog } from '../../support/memory-log.ts'

describe('a close', () => {
  it('a close while a batch is being flushed waits for it, and for what gathered behind', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const first = fixture.send(payout(test, 'awa', 1), { key: '1' })
    fixture.loop.turn()
    assert.equal(fixture.disk.count, 1)
    const second = fixture.send(payout(test, 'awa', 2), { key: '2' })
    fixture.loop.turn()
    const closed = fixture.close()
    assert.equal(fixture.send(payout(test, 'awa', 3)).refusal, 'unavailable')
    await closed
    assert.equal(first.outcome?.kind, 'created')
    assert.equal(second.outcome?.kind, 'created')
    assert.equal(fixture.log.durableSequence, 5)
    assert.equal(fixture.archive.indexedThrough, 5)
    assert.equal(fixture.archive.loadSnapshot()?.sequence, 5)
  })

  it('a close takes the turns of everything queued, however many bursts that needs', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1_000_000)
    openWallet(fixture, 'awa')
    const sent = Array.from({ length: 3 * LINES_PER_BURST_MAX }, (_, index) => fixture.send(payout(test, 'awa', 1), { key: `k${index}` }))
    await fixture.close()
    assert.ok(sent.every(({ outcome }) => outcome?.kind === 'created'))
    assert.equal(fixture.archive.loadSnapshot()?.sequence, fixture.log.durableSequence)
  })

  it('a close fires no timer any more', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab')
    fixture.state.timers.set('unknown', 'x', fixture.loop.nowMs + 1)
    const closed = fixture.close()
    fixture.loop.advance(1000)
    await closed
    assert.deepEqual(fixture.fatals, [])
  })

  it('a close may be asked for twice, and both are answered', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab')
    await Promise.all([fixture.close(), fixture.close()])
    await fixture.close()
    assert.equal(fixture.archive.indexedThrough, 1)
  })
})

class FailingLog extends MemoryLog {
  override append(_batches: BatchesToAppend, done: (error: Error | null) => void): void {
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
    const fixture = await EngineFixture.open({ log: (soon) => new FailingLog({ soon }) })
    const sent = fixture.send(testWallet('awa'))
    await assert.rejects(fixture.close(), /the disk is gone/)
    assert.equal(fixture.fatals.length, 1)
    assert.equal(sent.outcome, null)
  })

  it('a failure of the archive during a close ends the close', async () => {
    const fixture = await EngineFixture.open({ archive: (soon) => new FailingArchive({ soon }) })
    openMerchant(fixture, 'baobab')
    await assert.rejects(fixture.close(), /the archive is gone/)
    assert.equal(fixture.fatals.length, 1)
  })

  it('a failure before a close is what the close ends with', async () => {
    const fixture = await EngineFixture.open({ log: (soon) => new FailingLog({ soon }) })
    fixture.send(testWallet('awa'))
    fixture.settle()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(fixture.fatals.length, 1)
    await assert.rejects(fixture.close(), /the disk is gone/)
    assert.equal(fixture.fatals.length, 1)
  })
})
