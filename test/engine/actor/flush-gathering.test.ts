// Small log batches wait for callers that were just answered, never longer than a few turns, and rarely when nothing comes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FlushGathering } from '../../../engine/actor/flush-gathering.ts'
import { GATHERED_RECORDS_MAX, GATHERING_PAUSE_MAX, GATHERING_TURNS_MAX } from '../../../engine/kernel/limits.ts'
import { deposit, openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

/** Returns the turns that a batch of `gathered` records waits after a flush of `flushed`, when nothing more comes. */
function turnsWaited(gathering: FlushGathering, flushed: number, gathered: number): number {
  gathering.flushed(flushed, 0)
  let turns = 0
  while (gathering.waits(gathered)) turns++
  return turns
}

describe('a small log batch', () => {
  it('a small log batch waits until as many records came as were flushed and gathered before', () => {
    const gathering = new FlushGathering()
    gathering.flushed(1, 3)
    assert.deepEqual([gathering.waits(0), gathering.waits(3), gathering.waits(4)], [false, true, false])
    assert.equal(gathering.waits(1), false, 'only the first batch after a flush waits')
  })

  it('a small log batch of one caller never waits', () => {
    const gathering = new FlushGathering()
    for (let round = 0; round < 5; round++) assert.equal(turnsWaited(gathering, 1, 1), 0)
  })

  it('a small log batch waits for a bounded number of turns, a large one for none', () => {
    assert.equal(turnsWaited(new FlushGathering(), 2, 1), GATHERING_TURNS_MAX)
    assert.equal(turnsWaited(new FlushGathering(), GATHERED_RECORDS_MAX, 1), GATHERING_TURNS_MAX)
    assert.equal(turnsWaited(new FlushGathering(), GATHERED_RECORDS_MAX + 1, 1), 0)
  })

  it('a small log batch waits rarely while callers do not come back, and again once they do', () => {
    const gathering = new FlushGathering()
    let waits = 0
    for (let flush = 0; flush < 20 * GATHERING_PAUSE_MAX; flush++) if (turnsWaited(gathering, 2, 1) > 0) waits++
    assert.ok(waits >= 10 && waits < 30, `${waits} of ${20 * GATHERING_PAUSE_MAX} batches waited`)
    let comeBack = 0
    for (let flush = 0; flush < 4 * GATHERING_PAUSE_MAX; flush++) {
      gathering.flushed(2, 0)
      if (gathering.waits(1) && !gathering.waits(2)) comeBack++
    }
    assert.ok(comeBack > 2 * GATHERING_PAUSE_MAX)
  })
})

describe('the engine', () => {
  it('the engine flushes commands of callers that answer each other in one batch, and a lone command without more input', async () => {
    const fixture = await EngineFixture.open()
    const { test, id } = openMerchant(fixture, 'baobab', 10_000)
    openWallet(fixture, 'awa')
    fixture.send(payout(test, 'awa', 1))
    fixture.send(payout(test, 'awa', 2))
    fixture.settle()
    const { flushes } = fixture.engine.figures
    // Two callers were answered. One sends its next command, the other a turn later.
    fixture.send(payout(test, 'awa', 3))
    fixture.loop.runOne()
    assert.equal(fixture.disk.count, 0, 'the batch waits')
    fixture.send(payout(test, 'awa', 4))
    fixture.settle()
    assert.equal(fixture.engine.figures.flushes, flushes + 1)
    fixture.do(deposit({ merchantId: id }, 5, 'test'))
    assert.equal(fixture.engine.figures.flushes, flushes + 2, 'a lone command is flushed although the other does not come')
  })
})
