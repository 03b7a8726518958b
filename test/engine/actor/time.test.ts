// The engine's time when the clock is set: it never goes back, goes on at half speed until a clock that was set back has
// caught up, and everything that waits for a time happens once.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chargeIn, openCharge, openScene, VALIDITY_MS } from '../../support/charge-engine.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { DAY_MS, ScheduleFixture } from '../../support/schedule-engine.ts'

const HOUR_MS = 3_600_000

describe('the clock', () => {
  it('the clock is the engine’s time while it goes on', async () => {
    const stage = await EngineFixture.open()
    const startMs = stage.loop.nowMs
    for (const ms of [1, 999, DAY_MS, 0, 1]) {
      stage.loop.advance(ms)
      assert.equal(stage.engine.nowMs(), stage.loop.nowMs)
    }
    assert.equal(stage.engine.nowMs() - startMs, DAY_MS + 1001)
  })

  it('the clock is set back: time stands, then goes at half speed until the clock has caught up', async () => {
    const stage = await EngineFixture.open()
    const aheadMs = stage.engine.nowMs()
    stage.loop.nowMs -= DAY_MS
    assert.equal(stage.engine.nowMs(), aheadMs)
    for (const [passMs, thenMs] of [
      [1, 0],
      [1, 1],
      [2 * HOUR_MS - 2, HOUR_MS],
      [46 * HOUR_MS, DAY_MS],
      [HOUR_MS, DAY_MS + HOUR_MS],
    ] as const) {
      stage.loop.advance(passMs)
      assert.equal(stage.engine.nowMs() - aheadMs, thenMs)
    }
    assert.equal(stage.engine.nowMs(), stage.loop.nowMs, 'it has caught up')
  })

  it('the clock is set forward and back, with a restart in between: time goes on from where the log ends', async () => {
    const scene = await ScheduleFixture.open(1000)
    const { stage } = scene
    stage.loop.advance(30 * DAY_MS)
    scene.create()
    stage.settle()
    const aheadMs = stage.engine.nowMs()
    stage.loop.nowMs -= 30 * DAY_MS
    await stage.start()
    assert.equal(stage.engine.nowMs(), aheadMs)
    stage.loop.advance(2 * HOUR_MS)
    assert.equal(stage.engine.nowMs(), aheadMs + HOUR_MS)
  })
})

describe('what waits', () => {
  it('what waits runs once when the clock goes forward and back, and its next time is kept', async () => {
    const scene = await ScheduleFixture.open(1000)
    const startMs = scene.nowMs
    const { id } = scene.create({ startMs: startMs + HOUR_MS })
    scene.pass(3 * HOUR_MS)
    assert.equal(scene.runs(id).length, 1)
    scene.stage.loop.nowMs -= 3 * HOUR_MS
    for (let hour = 0; hour < 7 * 24; hour++) scene.pass(HOUR_MS)
    assert.equal(scene.runs(id).length, 1)
    scene.pass(2 * HOUR_MS)
    assert.equal(scene.runs(id).length, 2)
    assert.equal(scene.runs(id)[0]?.scheduled_for, new Date(startMs + HOUR_MS + 7 * DAY_MS).toISOString())
  })

  it('what waits begun behind a clock that was set back waits twice as long, not until the clock has caught up', async () => {
    const scene = await openScene()
    const { stage } = scene
    stage.loop.advance(365 * DAY_MS)
    stage.settle()
    stage.loop.nowMs -= 365 * DAY_MS
    const token = openCharge(scene)
    stage.loop.advance(2 * VALIDITY_MS - 2)
    stage.settle()
    assert.equal(chargeIn(stage, token).state, 'pending')
    stage.loop.advance(2)
    stage.settle()
    assert.equal(chargeIn(stage, token).state, 'expired')
  })
})
