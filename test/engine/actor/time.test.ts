// The engine's time when the clock is set: it never goes back, goes on at half speed until a clock that was set back has
// caught up, and everything that waits for a time happens once.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chargeIn, openCharge, openSetup, VALIDITY_MS } from '../../support/charge-engine.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { DAY_MS, ScheduleFixture } from '../../support/schedule-engine.ts'

const HOUR_MS = 3_600_000

describe('the clock', () => {
  it('the clock is the engine’s time while it goes on', async () => {
    const fixture = await EngineFixture.open()
    const startMs = fixture.loop.nowMs
    for (const ms of [1, 999, DAY_MS, 0, 1]) {
      fixture.loop.advance(ms)
      assert.equal(fixture.engine.nowMs(), fixture.loop.nowMs)
    }
    assert.equal(fixture.engine.nowMs() - startMs, DAY_MS + 1001)
  })

  it('the clock is set back: time stands, then goes at half speed until the clock has caught up', async () => {
    const fixture = await EngineFixture.open()
    const aheadMs = fixture.engine.nowMs()
    fixture.loop.nowMs -= DAY_MS
    assert.equal(fixture.engine.nowMs(), aheadMs)
    for (const [passMs, thenMs] of [
      [1, 0],
      [1, 1],
      [2 * HOUR_MS - 2, HOUR_MS],
      [46 * HOUR_MS, DAY_MS],
      [HOUR_MS, DAY_MS + HOUR_MS],
    ] as const) {
      fixture.loop.advance(passMs)
      assert.equal(fixture.engine.nowMs() - aheadMs, thenMs)
    }
    assert.equal(fixture.engine.nowMs(), fixture.loop.nowMs, 'it has caught up')
  })

  it('the clock is set forward and back, with a restart in between: time goes on from where the log ends', async () => {
    const setup = await ScheduleFixture.open(1000)
    const { fixture } = setup
    fixture.loop.advance(30 * DAY_MS)
    setup.create()
    fixture.settle()
    const aheadMs = fixture.engine.nowMs()
    fixture.loop.nowMs -= 30 * DAY_MS
    await fixture.start()
    assert.equal(fixture.engine.nowMs(), aheadMs)
    fixture.loop.advance(2 * HOUR_MS)
    assert.equal(fixture.engine.nowMs(), aheadMs + HOUR_MS)
  })
})

describe('what waits', () => {
  it('what waits runs once when the clock goes forward and back, and its next time is kept', async () => {
    const setup = await ScheduleFixture.open(1000)
    const startMs = setup.nowMs
    const { id } = setup.create({ startMs: startMs + HOUR_MS })
    setup.pass(3 * HOUR_MS)
    assert.equal(setup.runs(id).length, 1)
    setup.fixture.loop.nowMs -= 3 * HOUR_MS
    for (let hour = 0; hour < 7 * 24; hour++) setup.pass(HOUR_MS)
    assert.equal(setup.runs(id).length, 1)
    setup.pass(2 * HOUR_MS)
    assert.equal(setup.runs(id).length, 2)
    assert.equal(setup.runs(id)[0]?.scheduled_for, new Date(startMs + HOUR_MS + 7 * DAY_MS).toISOString())
  })

  it('what waits begun behind a clock that was set back waits twice as long, not until the clock has caught up', async () => {
    const setup = await openSetup()
    const { fixture } = setup
    fixture.loop.advance(365 * DAY_MS)
    fixture.settle()
    fixture.loop.nowMs -= 365 * DAY_MS
    const token = openCharge(setup)
    fixture.loop.advance(2 * VALIDITY_MS - 2)
    fixture.settle()
    assert.equal(chargeIn(fixture, token).state, 'pending')
    fixture.loop.advance(2)
    fixture.settle()
    assert.equal(chargeIn(fixture, token).state, 'expired')
  })
})
