// Each occurrence exactly once, through any crash: random schedules, random jumps of the clock, and kills before, in the
// middle of and after a run's write, held against the calendar.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nextOccurrence } from '../../../../engine/kernel/calendar.ts'
import { TIMER_WORK_UNDER_WAY_MAX } from '../../../../engine/kernel/limits.ts'
import { DyingLog } from '../../../support/dying-log.ts'
import { DAY_MS, ScheduleFixture } from '../../../support/schedule-engine.ts'

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  /** Time passes while the process is down. */
  | { readonly kind: 'down'; readonly ms: number }
  /** Killed while the runs that are due are being written, or right after, before anybody hears of it. */
  | { readonly kind: 'killed'; readonly ms: number; readonly written: boolean }
  | { readonly kind: 'closed' }

const MS = fc.oneof(
  fc.integer({ min: 0, max: 40 * DAY_MS }),
  fc.integer({ min: 0, max: 8 }).map((days) => days * DAY_MS),
)

const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: MS }),
    fc.record({ kind: fc.constant('down' as const), ms: MS }),
    fc.record({ kind: fc.constant('killed' as const), ms: MS, written: fc.boolean() }),
    fc.record({ kind: fc.constant('closed' as const) }),
  ),
  { minLength: 1, maxLength: 12 },
)

async function take(setup: ScheduleFixture, log: DyingLog, step: Step): Promise<void> {
  const { fixture } = setup
  switch (step.kind) {
    case 'pass':
      return setup.pass(step.ms)
    case 'down':
      fixture.loop.nowMs += step.ms
      return fixture.start()
    case 'killed':
      log.dies = !step.written
      fixture.loop.advance(step.ms)
      fixture.disk.runAll()
      log.dies = false
      return fixture.start()
    case 'closed':
      await fixture.close()
      return fixture.start()
  }
}

describe('every occurrence', () => {
  it('every occurrence runs once, through any crashes', async () => {
    let runsSeen = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('once', 'weekly', 'monthly'), MS, STEPS, async (recurrence, afterMs, steps) => {
        const amount = 100_000
        const log: { current: DyingLog | null } = { current: null }
        const setup = await ScheduleFixture.open(amount, {
          log: (soon) => {
            log.current = new DyingLog({ soon })
            return log.current
          },
        })
        const startMs = setup.nowMs + 1 + afterMs
        const { id } = setup.create({ recurrence, startMs })
        for (const step of steps) await take(setup, log.current as DyingLog, step)
        setup.pass(0)
        const runs = [...setup.runs(id)].reverse()
        runsSeen += runs.length
        // 1. Each run took what was next when it ran: the first occurrence after the run before.
        let next: number | null = startMs
        for (const { scheduled_for, executed_at } of runs) {
          assert.equal(Date.parse(scheduled_for), next)
          assert.ok(Date.parse(executed_at) >= (next as number))
          next = nextOccurrence(startMs, recurrence, Date.parse(executed_at))
        }
        // 2. Nothing that is due is left.
        assert.ok(next === null || next > setup.nowMs)
        // 3. Money went out once for each of them.
        assert.equal(setup.balance, amount - 30 * runs.length)
        assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('moussa')], [10 * runs.length, 20 * runs.length])
        // 4. What is next says so, with exactly one timer.
        const live = setup.fixture.state.schedules.live.get(id)
        assert.equal(live?.status.next_run_at ?? null, next === null ? null : new Date(next).toISOString())
        assert.equal(setup.fixture.state.timers.nextDueMs(), next)
      }),
      { numRuns: 120 },
    )
    assert.ok(runsSeen > 120)
  })

  it('every occurrence of hundreds of schedules due in the same second runs once, a bounded number of lines at a time, with payouts in between', async () => {
    const setup = await ScheduleFixture.open(10_000_000)
    const { fixture, merchant } = setup
    const lines = Array.from({ length: 100 }, () => ({ recipient: 'awa', amount: 1, reference: '', note: '' }))
    for (let count = 0; count < 300; count++) setup.create({ recurrence: 'once', lines })
    fixture.loop.nowMs += DAY_MS
    let rounds = 0
    for (; fixture.state.schedules.live.size > 0; rounds++) {
      const recordsBefore = fixture.records.length
      const payout = { type: 'CreatePayout', merchant: merchant.test, recipient: 'koffi', amount: 1, reference: '', note: '' } as const
      const sent = fixture.send(payout, { mailbox: merchant.test, key: `k-${rounds}` })
      fixture.loop.advance(1)
      fixture.settle()
      assert.equal(sent.outcome?.kind, 'created', 'a payout waits for one burst at most')
      const events = fixture.records.slice(recordsBefore).reduce((sum, record) => sum + record.events.length, 0)
      assert.ok(events <= TIMER_WORK_UNDER_WAY_MAX + 2 * 102, `${events} events in one round`)
    }
    assert.ok(rounds >= (300 * 100) / TIMER_WORK_UNDER_WAY_MAX)
    assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('koffi')], [300 * 100, rounds])
  })
})
