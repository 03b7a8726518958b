// Replaced plans of schedules: what stays, from when on the new plan counts, and who wins against a run that is due.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Schedule } from '../../../../engine/contract/schedule.ts'
import { payloadOf } from '../../../../engine/domain/record.ts'
import type { ReplaceSchedule } from '../../../../engine/domain/schedule/schedule-replace-decide.ts'
import type { MerchantEvent } from '../../../../engine/domain/webhook/webhook-events.ts'
import { nextOccurrence, type Recurrence } from '../../../../engine/kernel/calendar.ts'
import { DyingLog } from '../../../support/dying-log.ts'
import { DAY_MS, ScheduleFixture } from '../../../support/schedule-engine.ts'

const WEEK_MS = 7 * DAY_MS
const NEW_LINES = [{ recipient: 'koffi', amount: 7, reference: '', note: '' }]

type Plan = Partial<Pick<ReplaceSchedule, 'recurrence' | 'reference' | 'lines' | 'startMs'>>

function replacement(setup: ScheduleFixture, id: string, plan: Plan = {}): ReplaceSchedule {
  return { type: 'ReplaceSchedule', merchant: setup.merchant.test, id, recurrence: 'weekly', reference: 'NEW', lines: NEW_LINES, ...plan }
}

function read(setup: ScheduleFixture, id: string): Schedule {
  return JSON.parse(setup.fixture.engine.query('schedules.get', { account: setup.merchant.test, id }) ?? 'null') as Schedule
}

const at = (ms: number): string => new Date(ms).toISOString()

describe('a replaced schedule', () => {
  it('a replaced schedule pays the new lines from the next occurrence on, and the runs before stay as they are', async () => {
    const setup = await ScheduleFixture.open(1000)
    const created = setup.create()
    setup.pass(DAY_MS)
    const { status, body } = setup.do(replacement(setup, created.id))
    const { warnings, ...schedule } = JSON.parse(body) as Schedule & { readonly warnings: readonly object[] }
    assert.deepEqual([status, warnings], [200, []])
    assert.deepEqual(read(setup, created.id), schedule)
    assert.deepEqual(
      [schedule.items, schedule.reference, schedule.total_amount, schedule.items_count, schedule.next_run_at, schedule.start_at],
      [NEW_LINES, 'NEW', 7, 1, at(Date.parse(created.start_at) + WEEK_MS), created.start_at],
    )
    setup.pass(WEEK_MS)
    assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('koffi'), setup.runs(created.id).length], [10, 7, 2])
    await setup.fixture.startWithoutArchive()
    setup.pass(WEEK_MS)
    assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('koffi')], [10, 14])
    const page = setup.fixture.engine.query('schedules.list', { account: setup.merchant.test, query: {}, slice: 'first' })
    assert.deepEqual(JSON.parse(page?.rows[0] ?? 'null'), read(setup, created.id))
  })

  it('a replaced schedule with another recurrence counts from the next occurrence, and with the same one keeps its day', async () => {
    const setup = await ScheduleFixture.open(10_000)
    const startMs = Date.parse('2027-01-31T08:00:00.000Z')
    setup.fixture.loop.nowMs = startMs - DAY_MS
    const rows = [
      ['monthly', '2027-03-31T08:00:00.000Z'],
      ['weekly', '2027-03-07T08:00:00.000Z'],
      ['once', null],
    ] as const
    const ids = rows.map(() => setup.create({ recurrence: 'monthly', startMs }).id)
    setup.pass(DAY_MS)
    for (const [index, [recurrence]] of rows.entries()) {
      const { body } = setup.do(replacement(setup, ids[index] as string, { recurrence }))
      assert.equal((JSON.parse(body) as Schedule).next_run_at, '2027-02-28T08:00:00.000Z')
    }
    setup.pass(28 * DAY_MS)
    assert.deepEqual(
      ids.map((id) => [read(setup, id).next_run_at, setup.runs(id).length]),
      rows.map(([, next]) => [next, 2]),
    )
  })

  it('a replaced schedule with another date runs at that date next, and counts from it', async () => {
    const setup = await ScheduleFixture.open(1000)
    const startMs = Date.parse('2027-01-31T08:00:00.000Z')
    setup.fixture.loop.nowMs = startMs - DAY_MS
    const { id, start_at } = setup.create({ recurrence: 'monthly', startMs })
    assert.equal(setup.do(replacement(setup, id, { recurrence: 'monthly', startMs: startMs - DAY_MS })).status, 400)
    const { body } = setup.do(replacement(setup, id, { recurrence: 'monthly', startMs: startMs + 4 * DAY_MS }))
    const { warnings: _, ...schedule } = JSON.parse(body) as Schedule & { readonly warnings: unknown }
    assert.deepEqual(read(setup, id), schedule)
    assert.deepEqual([schedule.next_run_at, schedule.start_at], ['2027-02-04T08:00:00.000Z', start_at])
    setup.pass(DAY_MS)
    assert.equal(setup.runs(id).length, 0, 'nothing is paid at the date before')
    await setup.fixture.startWithoutArchive()
    setup.pass(4 * DAY_MS)
    assert.deepEqual([setup.runs(id).length, read(setup, id).next_run_at], [1, '2027-03-04T08:00:00.000Z'])
    setup.ask('PauseSchedule', id)
    setup.do(replacement(setup, id, { recurrence: 'monthly', startMs: startMs + 10 * DAY_MS }))
    assert.deepEqual([read(setup, id).state, read(setup, id).next_run_at], ['paused', null])
    setup.ask('ResumeSchedule', id)
    assert.equal(read(setup, id).next_run_at, '2027-02-10T08:00:00.000Z')
  })

  it('a replaced schedule that is paused stays paused, and pays the new lines once it is resumed', async () => {
    const setup = await ScheduleFixture.open(1000)
    const { id, start_at } = setup.create()
    setup.ask('PauseSchedule', id)
    assert.equal(setup.do(replacement(setup, id)).status, 200)
    setup.pass(DAY_MS)
    assert.deepEqual([read(setup, id).state, setup.balance], ['paused', 1000])
    const { body } = setup.ask('ResumeSchedule', id)
    assert.deepEqual([body.items, body.next_run_at], [NEW_LINES, at(Date.parse(start_at) + WEEK_MS)])
    setup.pass(WEEK_MS)
    assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('koffi')], [0, 7])
  })

  it('a replaced schedule is refused when it is cancelled, completed, unknown or of another merchant', async () => {
    const setup = await ScheduleFixture.open(1000)
    const cancelled = setup.create().id
    setup.ask('CancelSchedule', cancelled)
    const completed = setup.create({ recurrence: 'once' }).id
    setup.pass(DAY_MS)
    const answers = [cancelled, completed, '019aa0f8-1c00-7b01-8c4d-5e6f708192a3'].map((id) => setup.do(replacement(setup, id)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, (JSON.parse(body) as { code: string }).code]),
      [
        [409, 'schedule_not_active'],
        [409, 'schedule_not_active'],
        [404, 'not_found'],
      ],
    )
    const { id } = setup.create()
    assert.equal(setup.do({ ...replacement(setup, id), merchant: setup.merchant.live }).status, 404)
  })

  it('a replaced schedule whose occurrence is due pays the old lines or the new ones, whichever turn came first, and never both', async () => {
    for (const isFirst of [true, false]) {
      const setup = await ScheduleFixture.open(1000)
      const { id } = setup.create({ recurrence: 'once' })
      const command = replacement(setup, id, { recurrence: 'once' })
      if (isFirst) setup.fixture.send(command, { mailbox: setup.merchant.test })
      setup.pass(DAY_MS)
      const late = isFirst ? null : setup.do(command)
      assert.equal(setup.runs(id).length, 1)
      assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('koffi')], isFirst ? [0, 7] : [10, 0])
      assert.equal(late?.status, isFirst ? undefined : 409)
    }
  })

  it('a replaced schedule answers its key byte for byte after later replacements and restarts', async () => {
    const setup = await ScheduleFixture.open(1000)
    const { id } = setup.create()
    const { test: mailbox } = setup.merchant
    const fingerprint = 'the same request'
    const twice = replacement(setup, id, { lines: [...NEW_LINES, ...NEW_LINES] })
    const first = setup.fixture.do(twice, { mailbox, fingerprint, key: 'one' })
    assert.deepEqual((JSON.parse(first.body) as { warnings: object }).warnings, [{ index: 1, code: 'duplicate_line' }])
    const paused = setup.fixture.do({ type: 'PauseSchedule', merchant: mailbox, id }, { mailbox, fingerprint, key: 'two' })
    setup.fixture.do(replacement(setup, id, { reference: 'LAST' }), { mailbox, key: 'three' })
    await setup.fixture.startWithoutArchive()
    for (const [key, { body }] of [
      ['one', first],
      ['two', paused],
    ] as const) {
      const again = setup.fixture.do({ type: 'PauseSchedule', merchant: mailbox, id }, { mailbox, fingerprint, key })
      assert.deepEqual([again.replayed, again.body], [true, body])
    }
    assert.equal(read(setup, id).reference, 'LAST')
  })

  it('a replaced schedule runs each occurrence once, through restarts, by the recurrence that was valid', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 8 }), async (steps) => {
        const setup = await ScheduleFixture.open(100_000)
        const { id, start_at } = setup.create({ recurrence: 'weekly' })
        const model = new Model(Date.parse(start_at))
        for (const { days, to, restarts } of steps) {
          if (to !== null && model.replace(to)) assert.equal(setup.do(replacement(setup, id, { recurrence: to })).status, 200)
          if (restarts) await setup.fixture.start()
          setup.pass(days * DAY_MS)
          model.runUntil(setup.nowMs)
          const { nextMs, runs } = model
          assert.deepEqual([setup.runs(id).length, read(setup, id).next_run_at], [runs, nextMs === null ? null : at(nextMs)])
        }
      }),
      { numRuns: 60 },
    )
  })

  for (const isWritten of [false, true]) {
    it(`a replaced schedule is replaced once when the process is killed ${isWritten ? 'after' : 'before'} the write and the caller tries again`, async () => {
      const log: { current: DyingLog | null } = { current: null }
      const setup = await ScheduleFixture.open(1000, {
        log: (soon) => {
          log.current = new DyingLog({ soon })
          return log.current
        },
      })
      const { id } = setup.create()
      const { test: mailbox } = setup.merchant
      const command = replacement(setup, id)
      assert.ok(log.current !== null)
      log.current.dies = !isWritten
      setup.fixture.send(command, { mailbox, key: 'one' })
      setup.fixture.loop.turn()
      setup.fixture.disk.runAll()
      log.current.dies = false
      await setup.fixture.start()
      assert.deepEqual(read(setup, id).reference, isWritten ? 'NEW' : 'PAIE')
      const again = setup.fixture.do(command, { mailbox, key: 'one' })
      assert.deepEqual([again.kind, again.replayed, read(setup, id).items], ['ok', isWritten, NEW_LINES])
      setup.pass(DAY_MS)
      assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('koffi')], [0, 7])
    })
  }
})

const STEP = fc.record({
  days: fc.integer({ min: 0, max: 40 }),
  to: fc.constantFrom('once', 'weekly', 'monthly', null),
  restarts: fc.boolean(),
})

/** What a schedule does, by the calendar alone. */
class Model {
  runs = 0
  nextMs: number | null
  #recurrence: Recurrence = 'weekly'
  #anchorMs: number

  constructor(startMs: number) {
    this.nextMs = startMs
    this.#anchorMs = startMs
  }

  /** Returns whether it may be replaced. */
  replace(recurrence: Recurrence): boolean {
    if (this.nextMs === null) return false
    if (recurrence !== this.#recurrence) this.#anchorMs = this.nextMs
    this.#recurrence = recurrence
    return true
  }

  runUntil(nowMs: number): void {
    if (this.nextMs === null || this.nextMs > nowMs) return
    this.runs++
    this.nextMs = nextOccurrence(this.#anchorMs, this.#recurrence, nowMs)
  }
}

describe('warnings and failed runs', () => {
  it('a creation warns of lines that would fail now and of duplicates, in the order of the lines', async () => {
    const setup = await ScheduleFixture.open(1000)
    const line = (recipient: string) => ({ recipient, amount: 10, reference: '', note: '' })
    setup.fixture.do({ type: 'CreateTestWallet', tag: 'test_blocked' })
    const created = setup.create({ lines: [line('awa'), line('ghost'), line('test_blocked'), line('ghost'), line('+2250099999999')] })
    assert.deepEqual((created as Schedule & { readonly warnings?: object }).warnings, [
      { index: 1, code: 'recipient_not_found' },
      { index: 2, code: 'recipient_blocked' },
      { index: 3, code: 'recipient_not_found' },
      { index: 3, code: 'duplicate_line' },
      { index: 4, code: 'recipient_not_found' },
    ])
    assert.equal('warnings' in read(setup, created.id), false)
  })

  it('a run that is partial or failed is an event of its schedule, and a completed one is none', async () => {
    const setup = await ScheduleFixture.open(40)
    const { id } = setup.create({ reference: 'PAIE' })
    for (let runs = 0; runs < 3; runs++) setup.pass(runs === 0 ? DAY_MS : WEEK_MS)
    const runs = [...setup.runs(id)].reverse()
    assert.deepEqual(
      runs.map(({ state }) => state),
      ['completed', 'partial', 'failed'],
    )
    const told = setup.fixture.records.flatMap(({ events }) =>
      events.filter(({ type }) => type === 'merchant_event.recorded').map((event) => payloadOf<MerchantEvent>(event)),
    )
    assert.deepEqual(
      told.map(({ type, data }) => [type, data]),
      runs.slice(1).map((run) => ['schedule.run_failed', { ...run, reference: 'PAIE' }]),
    )
  })
})
