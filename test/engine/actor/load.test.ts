// Under load: turns wait for the log and for the archive and go on at once when they have caught up; timers have their turn.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BATCH_RECORDS_MAX, MAILBOX_MAX, SEGMENTS_WAITING_MAX, TURNS_PER_BURST_MAX } from '../../../engine/kernel/limits.ts'
import { openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

describe('turns', () => {
  it('turns stop at a full batch while the disk is busy, and go on with the flush', async () => {
    const stage = await EngineFixture.open()
    const merchants = [openMerchant(stage, 'baobab', 100_000).test, openMerchant(stage, 'neem', 100_000).test]
    openWallet(stage, 'awa')
    for (let index = 0; index < MAILBOX_MAX; index++) for (const merchant of merchants) stage.send(payout(merchant, 'awa', 1))
    stage.loop.turn()
    assert.equal(stage.engine.waitingCommands, 2 * MAILBOX_MAX - TURNS_PER_BURST_MAX - BATCH_RECORDS_MAX)
    assert.equal(stage.disk.count, 1)
    stage.settle()
    assert.equal(stage.engine.waitingCommands, 0)
    assert.equal(stage.state.accounts.balance(merchants[0] as number), 100_000 - MAILBOX_MAX)
  })

  it('turns wait for an archive that lags, and go on with its next segment, not with the next alarm', async () => {
    const stage = await EngineFixture.open()
    openWallet(stage, 'first')
    stage.archiveThread.runAll()
    for (let segment = 0; segment < SEGMENTS_WAITING_MAX; segment++) {
      const sent = stage.send(testWallet(`w${segment}`), { key: `k${segment}` })
      stage.loop.turn()
      stage.disk.runAll()
      assert.equal(sent.outcome?.kind, 'created')
      stage.loop.advance(1000)
      stage.loop.advance(1000)
    }
    const waiting = stage.send(testWallet('waiting'))
    stage.loop.turn()
    stage.disk.runAll()
    stage.loop.turn()
    assert.equal(stage.engine.waitingCommands, 1)
    assert.equal(stage.archiveThread.runOne(), true)
    stage.loop.turn()
    stage.disk.runAll()
    assert.equal(waiting.outcome?.kind, 'created')
  })
})

describe('timers', () => {
  it('timers have their turn though the mailboxes are never empty', async () => {
    const stage = await EngineFixture.open()
    const { test } = openMerchant(stage, 'baobab', 100_000)
    openWallet(stage, 'awa')
    stage.state.timers.set('unknown', 'x', stage.loop.nowMs)
    while (stage.send(payout(test, 'awa', 1)).refusal === null);
    assert.equal(stage.engine.waitingCommands, MAILBOX_MAX)
    stage.settle()
    assert.match(stage.fatals[0]?.message ?? '', /unknown/, 'the timer was taken, and is unknown')
  })
})
