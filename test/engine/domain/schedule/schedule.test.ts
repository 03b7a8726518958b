// Schedules in the engine: when they run, what a run does, and what pause, resume and cancel change.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Payout } from '../../../../engine/domain/payout/payout-state.ts'
import { payloadOf } from '../../../../engine/domain/record.ts'
import { createdSchedule, findSchedule, scheduleOf } from '../../../../engine/domain/schedule/schedule-versions.ts'
import { MEMBER } from '../../../support/commands.ts'
import { DAY_MS, ScheduleFixture } from '../../../support/schedule-engine.ts'

const WEEK_MS = 7 * DAY_MS
const at = (ms: number): string => new Date(ms).toISOString()

/** The schedule as a query reads it now. */
function read(setup: ScheduleFixture, id: string): ReturnType<typeof scheduleOf> {
  const { history, state } = setup.fixture.engine
  const found = findSchedule(state, history, id)
  assert.ok(found !== null)
  return scheduleOf(history, found)
}

describe('a run', () => {
  it('a run pays the lines at the time, in one batch of its own, and moves on', async () => {
    const setup = await ScheduleFixture.open(100)
    const startMs = setup.nowMs + DAY_MS
    const { id } = setup.create({ startMs })
    setup.pass(DAY_MS - 1)
    assert.deepEqual(setup.runs(id), [])
    setup.pass(1)
    const [run] = setup.runs(id)
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
    assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('moussa'), setup.balance], [10, 20, 70])
    const record = setup.fixture.records.at(-1)
    const payouts = record?.events.filter(({ type }) => type === 'payout.paid').map((event) => payloadOf<Payout>(event)) ?? []
    assert.deepEqual(
      payouts.map(({ recipient, reference, note, batch_id: batch, schedule_id }) => [recipient, reference, note, batch, schedule_id]),
      [
        ['awa', 'PAIE', 'n', batch_id, id],
        ['moussa', 'M', '', batch_id, id],
      ],
    )
    assert.equal(record?.frames.length, 4)
    const { state, next_run_at, last_run_at, runs_count } = read(setup, id)
    assert.deepEqual([state, next_run_at, last_run_at, runs_count], ['active', at(startMs + WEEK_MS), at(startMs), 1])
  })

  it('a run short of money reports line by line, and the schedule goes on', async () => {
    const setup = await ScheduleFixture.open(25)
    const { id } = setup.create()
    setup.pass(DAY_MS)
    setup.pass(WEEK_MS)
    assert.deepEqual(
      setup.runs(id).map(({ state, paid_count, failed_count }) => [state, paid_count, failed_count]),
      [
        ['partial', 1, 1],
        ['partial', 1, 1],
      ],
    )
    setup.pass(WEEK_MS)
    assert.deepEqual(setup.runs(id)[0]?.state, 'failed')
    assert.equal(setup.balance, 5)
    assert.equal(read(setup, id).runs_count, 3)
  })

  it('a run of a schedule that runs once completes it, and it can still be read', async () => {
    const setup = await ScheduleFixture.open(100)
    const { id } = setup.create({ recurrence: 'once' })
    setup.pass(DAY_MS)
    const { state, next_run_at, runs_count, items } = read(setup, id)
    assert.deepEqual([state, next_run_at, runs_count, items.length], ['completed', null, 1, 2])
    assert.equal(setup.fixture.state.schedules.live.size, 0)
    assert.equal(setup.fixture.state.timers.size, 0)
    setup.pass(WEEK_MS)
    assert.equal(setup.runs(id).length, 1)
    await setup.fixture.startWithoutArchive()
    assert.equal(read(setup, id).state, 'completed')
  })

  it('a run by hand takes the next occurrence now, and the one after it is next', async () => {
    const setup = await ScheduleFixture.open(100)
    const startMs = setup.nowMs + DAY_MS
    const { id } = setup.create({ startMs })
    assert.equal(setup.do({ type: 'RunSchedule', merchant: setup.merchant.live, id, dueMs: null }).status, 404, 'of another account')
    const { status, body } = setup.do({ type: 'RunSchedule', merchant: setup.merchant.test, id, dueMs: null })
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(body), setup.runs(id)[0])
    assert.equal(setup.runs(id)[0]?.scheduled_for, at(startMs))
    assert.equal(read(setup, id).next_run_at, at(startMs + WEEK_MS))
    setup.pass(DAY_MS)
    assert.equal(setup.runs(id).length, 1, 'the occurrence is taken')
    setup.pass(WEEK_MS)
    assert.equal(setup.runs(id).length, 2)
  })
})

describe('occurrences that were missed', () => {
  it('occurrences that were missed while nothing ran are one run, late, and the next is in the future', async () => {
    const setup = await ScheduleFixture.open(1000)
    const startMs = setup.nowMs + DAY_MS
    const { id } = setup.create({ startMs })
    setup.fixture.loop.nowMs += DAY_MS + 3 * WEEK_MS + 5
    await setup.fixture.start()
    setup.pass(0)
    const runs = setup.runs(id)
    assert.deepEqual(
      runs.map(({ scheduled_for }) => scheduled_for),
      [at(startMs)],
    )
    assert.ok(Date.parse(runs[0]?.executed_at ?? '') >= startMs + 3 * WEEK_MS)
    assert.equal(read(setup, id).next_run_at, at(startMs + 4 * WEEK_MS))
  })
})

const REFUSED = 'schedule_not_active'
const STATES: readonly {
  readonly given: string
  readonly before: (setup: ScheduleFixture, id: string) => void
  readonly then: readonly [pause: string, resume: string, cancel: string]
}[] = [
  { given: 'active', before: () => undefined, then: ['paused', 'active', 'cancelled'] },
  { given: 'paused', before: (setup, id) => setup.ask('PauseSchedule', id), then: ['paused', 'active', 'cancelled'] },
  { given: 'cancelled', before: (setup, id) => setup.ask('CancelSchedule', id), then: [REFUSED, REFUSED, 'cancelled'] },
  { given: 'completed', before: (setup) => setup.pass(DAY_MS), then: [REFUSED, REFUSED, REFUSED] },
]

for (const { given, before, then } of STATES) {
  for (const [index, type] of (['PauseSchedule', 'ResumeSchedule', 'CancelSchedule'] as const).entries()) {
    it(`${type} of a schedule that is ${given}: ${then[index]}`, async () => {
      const setup = await ScheduleFixture.open(100)
      const { id } = setup.create({ recurrence: 'once' })
      before(setup, id)
      const was = read(setup, id)
      const { status, body } = setup.ask(type, id)
      assert.equal(body.code ?? body.state, then[index])
      assert.equal(status, then[index] === REFUSED ? 409 : 200)
      assert.deepEqual(read(setup, id), then[index] === REFUSED || then[index] === given ? was : body)
      assert.equal(read(setup, id).cancelled_at !== null, read(setup, id).state === 'cancelled')
      assert.equal(read(setup, id).next_run_at !== null, read(setup, id).state === 'active')
    })
  }
}

describe('pause, resume and cancel', () => {
  it('what falls into a pause is skipped', async () => {
    const setup = await ScheduleFixture.open(100)
    const startMs = setup.nowMs + DAY_MS
    const { id } = setup.create({ startMs })
    const paused = setup.ask('PauseSchedule', id)
    assert.deepEqual([paused.status, paused.body.state, paused.body.next_run_at], [200, 'paused', null])
    setup.pass(DAY_MS + WEEK_MS)
    assert.deepEqual(setup.runs(id), [])
    const resumed = setup.ask('ResumeSchedule', id)
    assert.deepEqual([resumed.status, resumed.body.state, resumed.body.next_run_at], [200, 'active', at(startMs + 2 * WEEK_MS)])
    setup.pass(WEEK_MS)
    assert.equal(setup.runs(id).length, 1)
  })

  it('a pause when the occurrence is due wins or comes too late, and never both', async () => {
    for (const pausesFirst of [true, false]) {
      const setup = await ScheduleFixture.open(100)
      const { id } = setup.create()
      const pause = { type: 'PauseSchedule', merchant: setup.merchant.test, id } as const
      if (pausesFirst) {
        // Queued before the clock strikes: one burst sees the pause and the due timer.
        setup.fixture.send(pause, { mailbox: setup.merchant.test })
        setup.pass(DAY_MS)
      } else {
        setup.pass(DAY_MS)
        setup.do(pause)
      }
      assert.equal(read(setup, id).state, 'paused')
      assert.equal(setup.runs(id).length, pausesFirst ? 0 : 1)
      assert.equal(setup.balance, pausesFirst ? 100 : 70)
    }
  })

  it('a pause and a resume that are queued before a timer is due leave that occurrence out and pay the next one at its time', async () => {
    const setup = await ScheduleFixture.open(1000)
    const { id, next_run_at } = setup.create()
    const { test: merchant } = setup.merchant
    setup.fixture.loop.nowMs = Date.parse(String(next_run_at))
    const sent = (['PauseSchedule', 'ResumeSchedule'] as const).map((type) =>
      setup.fixture.send({ type, merchant, id }, { mailbox: merchant }),
    )
    setup.pass(0)
    assert.deepEqual(
      sent.map(({ outcome }) => outcome?.kind),
      ['ok', 'ok'],
    )
    assert.deepEqual([setup.runs(id), setup.balance], [[], 1000])
    setup.pass(7 * DAY_MS - 1)
    assert.deepEqual(setup.runs(id), [])
    setup.pass(1)
    assert.equal(setup.runs(id).length, 1)
  })

  it('a once that fell into a pause is completed when it is resumed', async () => {
    const setup = await ScheduleFixture.open(100)
    const { id } = setup.create({ recurrence: 'once' })
    setup.ask('PauseSchedule', id)
    setup.pass(DAY_MS)
    const { status, body } = setup.ask('ResumeSchedule', id)
    assert.deepEqual([status, body.state, body.next_run_at, body.runs_count], [200, 'completed', null, 0])
    assert.equal(setup.fixture.state.schedules.live.size, 0)
  })

  it('a cancelled schedule never runs again, and another merchant may not touch it', async () => {
    const setup = await ScheduleFixture.open(100)
    const { id } = setup.create()
    assert.equal(setup.do({ type: 'CancelSchedule', merchant: setup.merchant.live, id }).status, 404)
    assert.equal(
      setup.do({ type: 'CancelSchedule', merchant: setup.merchant.test, id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f' }).status,
      404,
    )
    setup.ask('CancelSchedule', id)
    setup.pass(DAY_MS + WEEK_MS)
    assert.deepEqual(setup.runs(id), [])
    assert.equal(setup.do({ type: 'RunSchedule', merchant: setup.merchant.test, id, dueMs: null }).status, 409)
    assert.equal(setup.do({ type: 'RunSchedule', merchant: setup.merchant.live, id, dueMs: null }).status, 404)
    assert.deepEqual(
      createdSchedule(
        setup.fixture.engine.history.eventAt(findSchedule(setup.fixture.state, setup.fixture.engine.history, id)?.createdPosition ?? 0),
      ).id,
      id,
    )
  })

  it('a start that is not in the future is refused', async () => {
    const setup = await ScheduleFixture.open(0)
    for (const startMs of [setup.nowMs, setup.nowMs - 1, 0]) {
      const { status, body } = setup.do({
        type: 'CreateSchedule',
        merchant: setup.merchant.test,
        recurrence: 'once',
        startMs,
        reference: '',
        lines: [],
        by: MEMBER,
      })
      assert.deepEqual([status, JSON.parse(body).code], [400, 'invalid_start_at'])
    }
  })
})
