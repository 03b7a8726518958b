// Schedules that pay the lines of a disbursement: each run is a disbursement of its own, once, across restarts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Disbursement } from '../../../../engine/domain/disbursement/disbursement-state.ts'
import type { Schedule, ScheduleRun } from '../../../../engine/domain/schedule/schedule-state.ts'
import { readBatchLines } from '../../../support/batch-lines.ts'
import { DisbursementSteps } from '../../../support/disbursement-steps.ts'
import { DAY_MS, ScheduleFixture } from '../../../support/schedule-engine.ts'

const WEEK_MS = 7 * DAY_MS

const many = (count: number) => readBatchLines(Array.from({ length: count }, () => ({ recipient: 'awa', amount: 1 })))

async function open(amount: number) {
  const setup = await ScheduleFixture.open(amount)
  const { fixture, merchant } = setup
  const account = merchant.test
  const steps = new DisbursementSteps(fixture, account)
  const runsOf = (id: string): ScheduleRun[] =>
    (fixture.engine.query('schedules.runs', { account, id, query: { limit: 50 } })?.rows ?? []).map((row) => JSON.parse(row) as ScheduleRun)
  const disbursement = (id: string | undefined) =>
    JSON.parse(fixture.engine.query('disbursements.get', { account, id: id ?? '' }) ?? '{}') as Disbursement
  const payouts = (query: object): Readonly<Record<string, unknown>>[] =>
    (fixture.engine.query('payouts.list', { account, query: { limit: 100, ...query } })?.rows ?? []).map((row) => JSON.parse(row))
  const eventsOf = (type: string) => fixture.records.flatMap(({ events }) => events.filter((event) => event.type === type))
  /** Until no turn is left. */
  const passAll = (ms: number): void => {
    setup.pass(ms)
    for (let turns = 0; turns < 40; turns++) setup.pass(25)
  }
  const failures = () => eventsOf('event.created').filter(({ text }) => text.includes('schedule.run_failed'))
  return { setup, fixture, account, steps, runsOf, disbursement, payouts, eventsOf, passAll, failures }
}

describe('a schedule that names a disbursement', () => {
  it('pays its valid lines at each run as a disbursement of its own, whatever became of the first one', async () => {
    const { setup, steps, runsOf, disbursement, payouts, passAll } = await open(5000)
    const lines = [
      ...many(1100),
      ...readBatchLines([
        { recipient: 'ghost', amount: 7 },
        { recipient: 'moussa', amount: 2, reference: 'M' },
      ]),
    ]
    const source = steps.create({ lines })
    const schedule = setup.create({ lines: [], disbursementId: source.id, by: steps.maker }) as Schedule & { warnings: unknown }
    assert.deepEqual(
      [schedule.items, schedule.items_count, schedule.total_amount, schedule.disbursement_id, schedule.warnings],
      [[], 1101, 1102, source.id, []],
    )
    steps.move(source.id, 'cancel')
    passAll(DAY_MS)
    passAll(WEEK_MS)
    const [second, first] = runsOf(schedule.id)
    for (const run of [first, second]) {
      assert.deepEqual([run?.state, run?.batch_id, run?.paid_count, run?.failed_count], ['completed', null, 1101, 0])
      const made = disbursement(run?.disbursement_id)
      assert.deepEqual(
        [made.state, made.paid_amount, made.invalid_count, made.reference, made.on_insufficient_balance, made.created_by, made.approval],
        ['completed', 1102, 1, 'PAIE', 'fail', steps.maker, null],
      )
    }
    assert.notEqual(first?.disbursement_id, second?.disbursement_id)
    assert.deepEqual([setup.balanceOf('awa'), setup.balanceOf('moussa'), setup.balance], [2200, 4, 5000 - 2204])
    const [last] = payouts({ schedule_id: schedule.id, limit: 1 })
    assert.deepEqual([last?.disbursement_id, last?.reference, last?.batch_id], [second?.disbursement_id, 'M', null])
    assert.equal(payouts({ disbursement_id: first?.disbursement_id, limit: 2 })[1]?.reference, 'PAIE')
  })

  it('each run is paid once when the engine starts anew between its turns', async () => {
    const { setup, fixture, steps, runsOf } = await open(5000)
    const source = steps.create({ lines: many(1700) })
    const { id } = setup.create({ lines: [], disbursementId: source.id, recurrence: 'once' })
    setup.pass(DAY_MS)
    assert.equal(runsOf(id)[0]?.state, 'running')
    for (let turns = 0; turns < 10; turns++) {
      await fixture.start()
      setup.pass(1)
    }
    assert.deepEqual([runsOf(id).length, runsOf(id)[0]?.state, runsOf(id)[0]?.paid_count], [1, 'completed', 1700])
    assert.equal(setup.balanceOf('awa'), 1700)
  })

  it('a run that does not pay all is an event when its disbursement has ended, and none before', async () => {
    const { setup, fixture, steps, runsOf, passAll, eventsOf } = await open(6)
    const endpoint = { url: 'https://a.example/hook', events: ['schedule.run_failed'], sealedSecret: 'sealed' }
    fixture.do({ type: 'CreateEndpoint', merchant: setup.merchant.test, ...endpoint } as never)
    const source = steps.create({
      lines: readBatchLines([
        { recipient: 'awa', amount: 5 },
        { recipient: 'moussa', amount: 5 },
        { recipient: 'koffi', amount: 1 },
      ]),
    })
    const { id } = setup.create({ lines: [], disbursementId: source.id })
    passAll(DAY_MS)
    const [run] = runsOf(id)
    // As lines of a schedule do: the line that is short fails, and the next one is tried.
    assert.deepEqual([run?.state, run?.paid_count, run?.failed_count], ['partial', 2, 1])
    const ended = eventsOf('schedule.run_ended').map(({ text }) => JSON.parse(text) as { run: ScheduleRun })
    assert.deepEqual(
      ended.map(({ run: one }) => one),
      [run],
    )
    passAll(WEEK_MS)
    assert.deepEqual([runsOf(id)[0]?.state, runsOf(id)[0]?.failed_count], ['failed', 3])
  })

  it('a run can be cancelled while it is under way, and the schedule goes on', async () => {
    const { setup, steps, runsOf, passAll, fixture } = await open(5000)
    const source = steps.create({ lines: many(1100) })
    const { id } = setup.create({ lines: [], disbursementId: source.id })
    const ran = setup.do({ type: 'RunSchedule', merchant: setup.merchant.test, id, dueMs: null })
    const { disbursement_id } = JSON.parse(ran.body) as ScheduleRun
    assert.equal(runsOf(id)[0]?.state, 'running')
    steps.move(disbursement_id ?? '', 'cancel')
    const cancelled = runsOf(id)[0]
    assert.ok(cancelled?.state === 'partial' || cancelled?.state === 'failed')
    const paid = setup.balanceOf('awa')
    assert.equal(cancelled.paid_count, paid)
    passAll(WEEK_MS + DAY_MS)
    assert.deepEqual([runsOf(id).length, runsOf(id)[0]?.state, setup.balanceOf('awa')], [2, 'completed', paid + 1100])
    assert.equal(fixture.state.disbursements.live.size, 1)
  })

  it('the lines can be replaced by a disbursement and back, and a run pays what stands when it begins', async () => {
    const { setup, steps, runsOf, passAll } = await open(5000)
    const source = steps.create({ lines: many(3) })
    const { id } = setup.create()
    const merchant = setup.merchant.test
    const plan = { type: 'ReplaceSchedule', merchant, id, recurrence: 'weekly', reference: 'NEUF' } as const
    const replaced = JSON.parse(setup.do({ ...plan, lines: [], disbursementId: source.id }).body) as Schedule
    assert.deepEqual([replaced.items, replaced.items_count, replaced.disbursement_id, replaced.reference], [[], 3, source.id, 'NEUF'])
    passAll(DAY_MS)
    assert.deepEqual([runsOf(id)[0]?.batch_id, runsOf(id)[0]?.paid_count], [null, 3])
    const lines = [{ recipient: 'moussa', amount: 4, reference: '', note: '' }]
    assert.equal((JSON.parse(setup.do({ ...plan, lines }).body) as Schedule).disbursement_id, undefined)
    passAll(WEEK_MS)
    assert.deepEqual([runsOf(id)[0]?.disbursement_id, runsOf(id)[0]?.paid_count, setup.balanceOf('moussa')], [undefined, 1, 4])
  })

  it('is refused without a valid line, above the payout policy, and for a disbursement of another account', async () => {
    const { setup, fixture, steps } = await open(5000)
    const { merchant } = setup
    const ask = (disbursementId: string, account = merchant.test): unknown => {
      const { status, body } = setup.do({
        ...{ type: 'CreateSchedule', merchant: account, recurrence: 'once', startMs: setup.nowMs + DAY_MS, reference: '' },
        ...{ lines: [], disbursementId, by: steps.maker },
      })
      const { code, param } = JSON.parse(body) as { code?: string; param?: string }
      return [status, code, param]
    }
    const source = steps.create({ lines: many(5) })
    const none = steps.create({ lines: readBatchLines([{ recipient: 'ghost', amount: 7 }]) })
    assert.deepEqual(ask('none'), [404, 'not_found', 'disbursement_id'])
    assert.deepEqual(ask(source.id, merchant.live), [404, 'not_found', 'disbursement_id'])
    assert.deepEqual(ask(none.id), [400, 'items_required', 'disbursement_id'])
    fixture.do({ type: 'SetPayoutPolicy', merchant: merchant.test, approvalAbove: 4 })
    assert.deepEqual(ask(source.id), [403, 'approval_required', 'disbursement_id'])
    fixture.do({ type: 'SetPayoutPolicy', merchant: merchant.test, approvalAbove: 5 })
    assert.deepEqual(ask(source.id), [201, undefined, undefined])
  })

  it('a run beyond the share of open disbursements is cancelled from its beginning and pays nothing', async () => {
    const { setup, fixture, steps, runsOf, disbursement, passAll } = await open(5000)
    const source = steps.create({ lines: many(2) })
    const { id } = setup.create({ lines: [], disbursementId: source.id })
    const [chunk] = steps.judged(many(1))
    for (let count = 1; count < 1000; count++) {
      const about = { reference: '', start: 'manual', startAtMs: null, onInsufficientBalance: 'pause', by: steps.maker } as const
      fixture.do({ type: 'CreateDisbursement', merchant: setup.merchant.test, ...about, chunks: chunk === undefined ? [] : [chunk] })
    }
    passAll(DAY_MS)
    const [run] = runsOf(id)
    assert.deepEqual([run?.state, run?.paid_count, disbursement(run?.disbursement_id).state], ['failed', 0, 'cancelled'])
    assert.equal(setup.balanceOf('awa'), 0)
    steps.move(source.id, 'cancel')
    passAll(WEEK_MS)
    assert.equal(runsOf(id)[0]?.state, 'completed')
  })

  it('a policy that came later lets its runs pass, and the limits of its key hold at each line', async () => {
    const { setup, fixture, steps, runsOf, passAll } = await open(5000)
    const about = {
      merchantId: setup.merchant.id,
      environment: 'test',
      scopes: ['disbursements.write'],
      label: 'Paie',
      by: 'dashboard',
    } as const
    const secret = { publicKey: 'pk_test_1', secretHash: 'ab'.repeat(32), sealedSecret: 'sealed:v1:key' }
    const key = fixture.do({ type: 'CreateApiKey', ...about, ...secret, madeBy: null, limits: { payout_max: null, day_max: 3 } } as never)
    const { id: keyId } = JSON.parse(key.body) as { id: string }
    const source = steps.create({ lines: many(5) })
    const by = { kind: 'key', id: keyId, name: 'Paie' } as const
    const { id } = setup.create({ lines: [], disbursementId: source.id, by })
    fixture.do({ type: 'SetPayoutPolicy', merchant: setup.merchant.test, approvalAbove: 1 })
    passAll(DAY_MS)
    assert.deepEqual([runsOf(id)[0]?.state, runsOf(id)[0]?.paid_count, runsOf(id)[0]?.failed_count], ['partial', 3, 2])
  })
})
