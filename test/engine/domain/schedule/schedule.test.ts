// Schedules in the engine: when they run, what a run does, and what pause, resume and cancel change.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Payout } from '../../../../engine/domain/payout/payout-state.ts'
import { payloadOf } from '../../../../engine/domain/record.ts'
import { createdSchedule, findSchedule, scheduleOf } from '../../../../engine/domain/schedule/schedule-versions.ts'
import { DAY_MS, ScheduleFixture } from '../../../support/schedule-engine.ts'

const WEEK_MS = 7 * DAY_MS
const at = (ms: number): string => new Date(ms).toISOString()

/** The schedule as a query reads it now. */
function read(scene: ScheduleFixture, id: string): ReturnType<typeof scheduleOf> {
  const { history, state } = scene.stage.engine
  const found = findSchedule(state, history, id)
  assert.ok(found !== null)
  return scheduleOf(history, found)
}

describe('a run', () => {
  it('a run pays the lines at the time, in one batch of its own, and moves on', async () => {
    const scene = await ScheduleFixture.open(100)
    const startMs = scene.nowMs + DAY_MS
    const { id } = scene.create({ startMs })
    scene.pass(DAY_MS - 1)
    assert.deepEqual(scene.runs(id), [])
    scene.pass(1)
    const [run] = scene.runs(id)
    assert.ok(run !== undefined)
    const { batch_id, ...rest } = { ...run, id: '' }
    assert.deepEqual(rest, {
      id: '',
      schedule_id: id,
      scheduled_for: at(startMs),
      executed_at: at(startMs),
      state: 'completed',
      paid_count: 2,
      failed_count: 0,
    })
    assert.deepEqual([scene.balanceOf('awa'), scene.balanceOf('moussa'), scene.balance], [10, 20, 70])
    const record = scene.stage.records.at(-1)
    const payouts = record?.events.filter(({ type }) => type === 'payout.paid').map((event) => payloadOf<Payout>(event)) ?? []
    assert.deepEqual(
      payouts.map(({ recipient, reference, note, batch_id: batch, schedule_id }) => [recipient, reference, note, batch, schedule_id]),
      [
        ['awa', 'PAIE', 'n', batch_id, id],
        ['moussa', 'M', '', batch_id, id],
      ],
    )
    assert.equal(record?.frames.length, 4)
    const { state, next_run_at, last_run_at, runs_count } = read(scene, id)
    assert.deepEqual([state, next_run_at, last_run_at, runs_count], ['active', at(startMs + WEEK_MS), at(startMs), 1])
  })

  it('a run short of money reports line by line, and the schedule goes on', async () => {
    const scene = await ScheduleFixture.open(25)
    const { id } = scene.create()
    scene.pass(DAY_MS)
    scene.pass(WEEK_MS)
    assert.deepEqual(
      scene.runs(id).map(({ state, paid_count, failed_count }) => [state, paid_count, failed_count]),
      [
        ['partial', 1, 1],
        ['partial', 1, 1],
      ],
    )
    scene.pass(WEEK_MS)
    assert.deepEqual(scene.runs(id)[0]?.state, 'failed')
    assert.equal(scene.balance, 5)
    assert.equal(read(scene, id).runs_count, 3)
  })

  it('a run of a schedule that runs once completes it, and it can still be read', async () => {
    const scene = await ScheduleFixture.open(100)
    const { id } = scene.create({ recurrence: 'once' })
    scene.pass(DAY_MS)
    const { state, next_run_at, runs_count, items } = read(scene, id)
    assert.deepEqual([state, next_run_at, runs_count, items.length], ['completed', null, 1, 2])
    assert.equal(scene.stage.state.schedules.live.size, 0)
    assert.equal(scene.stage.state.timers.size, 0)
    scene.pass(WEEK_MS)
    assert.equal(scene.runs(id).length, 1)
    await scene.stage.startWithoutArchive()
    assert.equal(read(scene, id).state, 'completed')
  })

  it('a run by hand takes the next occurrence now, and the one after it is next', async () => {
    const scene = await ScheduleFixture.open(100)
    const startMs = scene.nowMs + DAY_MS
    const { id } = scene.create({ startMs })
    const { status, body } = scene.do({ type: 'RunSchedule', merchant: scene.merchant.test, id, dueMs: null })
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(body), scene.runs(id)[0])
    assert.equal(scene.runs(id)[0]?.scheduled_for, at(startMs))
    assert.equal(read(scene, id).next_run_at, at(startMs + WEEK_MS))
    scene.pass(DAY_MS)
    assert.equal(scene.runs(id).length, 1, 'the occurrence is taken')
    scene.pass(WEEK_MS)
    assert.equal(scene.runs(id).length, 2)
  })
})

describe('occurrences that were missed', () => {
  it('occurrences that were missed while nothing ran are one run, late, and the next is in the future', async () => {
    const scene = await ScheduleFixture.open(1000)
    const startMs = scene.nowMs + DAY_MS
    const { id } = scene.create({ startMs })
    scene.stage.loop.nowMs += DAY_MS + 3 * WEEK_MS + 5
    await scene.stage.start()
    scene.pass(0)
    const runs = scene.runs(id)
    assert.deepEqual(
      runs.map(({ scheduled_for }) => scheduled_for),
      [at(startMs)],
    )
    assert.ok(Date.parse(runs[0]?.executed_at ?? '') >= startMs + 3 * WEEK_MS)
    assert.equal(read(scene, id).next_run_at, at(startMs + 4 * WEEK_MS))
  })
})

const REFUSED = 'schedule_not_active'
const STATES: readonly {
  readonly given: string
  readonly before: (scene: ScheduleFixture, id: string) => void
  readonly then: readonly [pause: string, resume: string, cancel: string]
}[] = [
  { given: 'active', before: () => undefined, then: ['paused', 'active', 'cancelled'] },
  { given: 'paused', before: (scene, id) => scene.ask('PauseSchedule', id), then: ['paused', 'active', 'cancelled'] },
  { given: 'cancelled', before: (scene, id) => scene.ask('CancelSchedule', id), then: [REFUSED, REFUSED, 'cancelled'] },
  { given: 'completed', before: (scene) => scene.pass(DAY_MS), then: [REFUSED, REFUSED, REFUSED] },
]

for (const { given, before, then } of STATES) {
  for (const [index, type] of (['PauseSchedule', 'ResumeSchedule', 'CancelSchedule'] as const).entries()) {
    it(`${type} of a schedule that is ${given}: ${then[index]}`, async () => {
      const scene = await ScheduleFixture.open(100)
      const { id } = scene.create({ recurrence: 'once' })
      before(scene, id)
      const was = read(scene, id)
      const { status, body } = scene.ask(type, id)
      assert.equal(body.code ?? body.state, then[index])
      assert.equal(status, then[index] === REFUSED ? 409 : 200)
      assert.deepEqual(read(scene, id), then[index] === REFUSED || then[index] === given ? was : body)
      assert.equal(read(scene, id).cancelled_at !== null, read(scene, id).state === 'cancelled')
      assert.equal(read(scene, id).next_run_at !== null, read(scene, id).state === 'active')
    })
  }
}

describe('pause, resume and cancel', () => {
  it('what falls into a pause is skipped', async () => {
    const scene = await ScheduleFixture.open(100)
    const startMs = scene.nowMs + DAY_MS
    const { id } = scene.create({ startMs })
    const paused = scene.ask('PauseSchedule', id)
    assert.deepEqual([paused.status, paused.body.state, paused.body.next_run_at], [200, 'paused', null])
    scene.pass(DAY_MS + WEEK_MS)
    assert.deepEqual(scene.runs(id), [])
    const resumed = scene.ask('ResumeSchedule', id)
    assert.deepEqual([resumed.status, resumed.body.state, resumed.body.next_run_at], [200, 'active', at(startMs + 2 * WEEK_MS)])
    scene.pass(WEEK_MS)
    assert.equal(scene.runs(id).length, 1)
  })

  it('a pause when the occurrence is due wins or comes too late, and never both', async () => {
    for (const pausesFirst of [true, false]) {
      const scene = await ScheduleFixture.open(100)
      const { id } = scene.create()
      const pause = { type: 'PauseSchedule', merchant: scene.merchant.test, id } as const
      if (pausesFirst) {
        // Queued before the clock strikes: one burst sees the pause and the due timer.
        scene.stage.send(pause, { mailbox: scene.merchant.test })
        scene.pass(DAY_MS)
      } else {
        scene.pass(DAY_MS)
        scene.do(pause)
      }
      assert.equal(read(scene, id).state, 'paused')
      assert.equal(scene.runs(id).length, pausesFirst ? 0 : 1)
      assert.equal(scene.balance, pausesFirst ? 100 : 70)
    }
  })

  it('a once that fell into a pause is completed when it is resumed', async () => {
    const scene = await ScheduleFixture.open(100)
    const { id } = scene.create({ recurrence: 'once' })
    scene.ask('PauseSchedule', id)
    scene.pass(DAY_MS)
    const { status, body } = scene.ask('ResumeSchedule', id)
    assert.deepEqual([status, body.state, body.next_run_at, body.runs_count], [200, 'completed', null, 0])
    assert.equal(scene.stage.state.schedules.live.size, 0)
  })

  it('a cancelled schedule never runs again, and another merchant may not touch it', async () => {
    const scene = await ScheduleFixture.open(100)
    const { id } = scene.create()
    assert.equal(scene.do({ type: 'CancelSchedule', merchant: scene.merchant.live, id }).status, 404)
    assert.equal(
      scene.do({ type: 'CancelSchedule', merchant: scene.merchant.test, id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f' }).status,
      404,
    )
    scene.ask('CancelSchedule', id)
    scene.pass(DAY_MS + WEEK_MS)
    assert.deepEqual(scene.runs(id), [])
    assert.equal(scene.do({ type: 'RunSchedule', merchant: scene.merchant.test, id, dueMs: null }).status, 409)
    assert.equal(scene.do({ type: 'RunSchedule', merchant: scene.merchant.live, id, dueMs: null }).status, 404)
    assert.deepEqual(
      createdSchedule(
        scene.stage.engine.history.eventAt(findSchedule(scene.stage.state, scene.stage.engine.history, id)?.createdPosition ?? 0),
      ).id,
      id,
    )
  })

  it('a start that is not in the future is refused', async () => {
    const scene = await ScheduleFixture.open(0)
    for (const startMs of [scene.nowMs, scene.nowMs - 1, 0]) {
      const { status, body } = scene.do({
        type: 'CreateSchedule',
        merchant: scene.merchant.test,
        recurrence: 'once',
        startMs,
        reference: '',
        lines: [],
      })
      assert.deepEqual([status, JSON.parse(body).code], [400, 'invalid_start_at'])
    }
  })
})
