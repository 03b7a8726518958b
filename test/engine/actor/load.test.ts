// Under load: turns and the index wait for the log and for the archive, and go on at once when they have caught up; timers have their turn.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BATCH_RECORDS_MAX, LINES_PER_BURST_MAX, SEGMENTS_WAITING_MAX, WAITING_COMMANDS } from '../../../engine/kernel/limits.ts'
import { openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

const { share: MAILBOX_MAX } = WAITING_COMMANDS

describe('turns', () => {
  it('turns stop at a full batch while the disk is busy, and go on with the flush', async () => {
    const fixture = await EngineFixture.open()
    const merchants = [openMerchant(fixture, 'baobab', 100_000).test, openMerchant(fixture, 'neem', 100_000).test]
    openWallet(fixture, 'awa')
    for (let index = 0; index < MAILBOX_MAX; index++) for (const merchant of merchants) fixture.send(payout(merchant, 'awa', 1))
    fixture.loop.turn()
    const waiting = fixture.engine.waitingCommands
    assert.ok(waiting >= 2 * MAILBOX_MAX - LINES_PER_BURST_MAX - BATCH_RECORDS_MAX && waiting > MAILBOX_MAX)
    for (let turns = 0; turns < 10; turns++) fixture.loop.turn()
    assert.deepEqual([fixture.engine.waitingCommands, fixture.disk.count], [waiting, 1])
    fixture.settle()
    assert.equal(fixture.engine.waitingCommands, 0)
    assert.equal(fixture.state.accounts.balance(merchants[0] as number), 100_000 - MAILBOX_MAX)
  })

  it('turns run while the event loop still reads requests, so a mailbox is full only when the disk is busy', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 100_000)
    openWallet(fixture, 'awa')
    let taken = 0
    while (fixture.send(payout(test, 'awa', 1)).refusal === null) taken++
    const durable = fixture.engine.durableSequence
    assert.deepEqual([fixture.engine.waitingCommands, fixture.disk.count], [MAILBOX_MAX, 1])
    assert.ok(fixture.engine.lastSequence - durable > 2 * LINES_PER_BURST_MAX, 'one batch in the flush, the next one full')
    assert.equal(taken, MAILBOX_MAX + fixture.engine.lastSequence - durable)
    fixture.settle()
    assert.equal(fixture.state.accounts.balance(test), 100_000 - taken)
  })

  it('a burst ends when its time is over, and the next turn of the loop goes on', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 100_000)
    openWallet(fixture, 'awa')
    // Each reading of the clock is a millisecond later.
    fixture.loop.now = () => fixture.loop.nowMs++
    for (let index = 0; index < 3; index++) fixture.send(payout(test, 'awa', 1))
    fixture.settle()
    assert.equal(fixture.state.accounts.balance(test), 100_000 - 3)
    const times = fixture.records.slice(-3).map(({ timeMs }) => timeMs)
    assert.equal(new Set(times).size, 3, 'all turns of a burst have one time')
  })

  it('turns wait for an archive that lags, and go on with its next segment, not with the next alarm', async () => {
    const fixture = await EngineFixture.open()
    openWallet(fixture, 'first')
    fixture.archiveThread.runAll()
    for (let segment = 0; segment < SEGMENTS_WAITING_MAX; segment++) {
      const sent = fixture.send(testWallet(`w${segment}`), { key: `k${segment}` })
      fixture.loop.turn()
      fixture.disk.runAll()
      assert.equal(sent.outcome?.kind, 'created')
      fixture.loop.advance(1000)
      fixture.loop.advance(1000)
    }
    const waiting = fixture.send(testWallet('waiting'))
    fixture.loop.turn()
    fixture.disk.runAll()
    fixture.loop.turn()
    assert.equal(fixture.engine.waitingCommands, 1)
    assert.equal(fixture.archiveThread.runOne(), true)
    fixture.loop.turn()
    fixture.disk.runAll()
    assert.equal(waiting.outcome?.kind, 'created')
  })

  it('a segment of the index waits until the log has its records on disk, also when it is old', async () => {
    const fixture = await EngineFixture.open()
    openWallet(fixture, 'first')
    const { indexedThrough } = fixture.archive
    const sent = fixture.send(testWallet('late'), { key: 'late' })
    fixture.loop.turn()
    for (let second = 0; second < 3; second++) fixture.loop.advance(1000)
    fixture.archiveThread.runAll()
    assert.deepEqual([fixture.disk.count, sent.outcome, fixture.archive.indexedThrough], [1, null, indexedThrough])
    fixture.settle()
    assert.deepEqual([sent.outcome?.kind, fixture.archive.indexedThrough], ['created', fixture.engine.lastSequence])
    assert.ok(fixture.engine.lastSequence > indexedThrough)
  })
})

describe('timers', () => {
  it('timers have their turn though the mailboxes are never empty', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 100_000)
    openWallet(fixture, 'awa')
    fixture.state.timers.set('unknown', 'x', fixture.loop.nowMs)
    while (fixture.send(payout(test, 'awa', 1)).refusal === null);
    assert.ok(fixture.engine.waitingCommands > 0)
    fixture.settle()
    assert.match(fixture.fatals[0]?.message ?? '', /unknown/, 'the timer was taken, and is unknown')
  })
})
