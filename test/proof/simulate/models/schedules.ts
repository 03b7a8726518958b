// Schedules of payouts in the model: when each runs next, by the language's own calendar, and that it runs once for each time.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { firstAfter, type Recurrence } from '../calendar.ts'
import { type Entry, eventsOf, Machine, type NounModel } from '../entry.ts'
import type { Moves } from '../moves.ts'
import { isValid } from './disbursement-rows.ts'
import type { DisbursementsModel } from './disbursements.ts'

type ScheduleState = 'active' | 'paused' | 'completed' | 'cancelled'

export interface ModelSchedule {
  readonly id: string
  readonly account: number
  recurrence: Recurrence
  anchorMs: number
  nextMs: number | null
  runs: number
  items: number
  /** The disbursement whose lines each run pays. */
  source: string | null
  state: ScheduleState
}

interface Status {
  readonly state: ScheduleState
  readonly next_run_at: string | null
  readonly runs_count: number
}

interface Created extends Status {
  readonly id: string
  readonly recurrence: Recurrence
  readonly start_at: string
  readonly items_count: number
  readonly disbursement_id?: string
}

interface Change {
  readonly schedule_id: string
  readonly status: Status
  readonly anchor_at: string
  readonly plan: { readonly recurrence: Recurrence; readonly items_count: number; readonly disbursement_id?: string }
  readonly run: {
    readonly scheduled_for: string
    readonly state: 'running' | 'completed' | 'failed' | 'partial'
    readonly disbursement_id?: string
    readonly paid_count: number
    readonly failed_count: number
  }
}

export class SchedulesModel implements NounModel {
  readonly schedules = new Map<string, ModelSchedule>()
  readonly #disbursements: DisbursementsModel
  readonly #machine: Machine<ScheduleState>

  constructor(disbursements: DisbursementsModel, seen: Moves) {
    this.#disbursements = disbursements
    const moves = {
      ran: ['active'],
      paused: ['active'],
      resumed: ['paused'],
      completed: ['paused'],
      cancelled: ['active', 'paused'],
      replaced: ['active', 'paused'],
    } as const
    this.#machine = new Machine('schedule', moves, seen)
  }

  audit(entry: Entry): void {
    for (const { event, payload } of eventsOf<Created>(entry, 'schedule.created')) {
      const { id, recurrence, start_at, next_run_at, items_count, disbursement_id } = payload
      assert.equal(next_run_at, start_at, 'a new schedule runs at its start')
      const anchorMs = Date.parse(start_at)
      assert.ok(anchorMs > entry.record.timeMs, 'a new schedule starts in the future')
      this.schedules.set(id, {
        id,
        account: event.account,
        recurrence,
        anchorMs,
        nextMs: anchorMs,
        runs: 0,
        items: items_count,
        source: disbursement_id ?? null,
        state: 'active',
      })
    }
    for (const move of ['ran', 'paused', 'resumed', 'completed', 'cancelled', 'replaced'] as const) {
      for (const { payload } of eventsOf<Change>(entry, `schedule.${move}`)) this.#move(entry, move, payload)
    }
  }

  compare({ schedules }: State): void {
    const live = [...this.schedules.values()].filter(({ state }) => state === 'active' || state === 'paused')
    assert.equal(schedules.live.size, live.length, 'schedules that are not over')
    for (const { id, nextMs, state } of live) {
      const { status } = schedules.live.get(id) ?? {}
      assert.deepEqual([status?.state, timeOf(status?.next_run_at)], [state, nextMs], `schedule ${id}`)
    }
  }

  /** Schedules whose time has come and gone. */
  overdue(nowMs: number): string[] {
    return [...this.schedules.values()].filter(({ nextMs }) => nextMs !== null && nextMs < nowMs).map(({ id }) => id)
  }

  get timers(): number {
    return [...this.schedules.values()].filter(({ nextMs }) => nextMs !== null).length
  }

  #move(entry: Entry, move: string, change: Change): void {
    const schedule = this.schedules.get(change.schedule_id)
    this.#machine.move(schedule?.state, move)
    if (schedule === undefined) return
    const { timeMs } = entry.record
    if (move === 'ran') this.#ran(entry, schedule, change)
    else if (move === 'replaced') this.#replaced(entry, schedule, change)
    else if (move === 'resumed' || move === 'completed') {
      schedule.nextMs = firstAfter(schedule.anchorMs, schedule.recurrence, timeMs)
      schedule.state = schedule.nextMs === null ? 'completed' : 'active'
    } else {
      schedule.nextMs = null
      schedule.state = move === 'paused' ? 'paused' : 'cancelled'
    }
    const { state, next_run_at, runs_count } = change.status
    assert.deepEqual([state, timeOf(next_run_at), runs_count], [schedule.state, schedule.nextMs, schedule.runs], `${move} ${schedule.id}`)
  }

  #ran(entry: Entry, schedule: ModelSchedule, { run }: Change): void {
    const { timeMs, idempotency } = entry.record
    const dueMs = Date.parse(run.scheduled_for)
    assert.equal(dueMs, schedule.nextMs, 'a schedule runs once for each of its times')
    assert.ok(idempotency !== null || entry.command !== null || timeMs >= dueMs, 'a timer is never early')
    if (schedule.source === null) this.#assertBatch(entry, schedule, run)
    else this.#assertDisbursement(schedule, schedule.source, run)
    schedule.runs++
    schedule.nextMs = firstAfter(schedule.anchorMs, schedule.recurrence, Math.max(dueMs, timeMs))
    schedule.state = schedule.nextMs === null ? 'completed' : 'active'
  }

  #assertBatch(entry: Entry, { account, items }: ModelSchedule, { state, paid_count, failed_count }: Change['run']): void {
    assert.equal(paid_count + failed_count, items, 'each line is one payout')
    assert.equal(state, failed_count === 0 ? 'completed' : paid_count === 0 ? 'failed' : 'partial')
    if (state !== 'completed') entry.outbox.push(`${account}:schedule.run_failed`)
  }

  /** A run is a disbursement of its own, of the very lines of the source. */
  #assertDisbursement(
    { id, items }: ModelSchedule,
    source: string,
    { state, disbursement_id, paid_count, failed_count }: Change['run'],
  ): void {
    const made = this.#disbursements.disbursements.get(disbursement_id ?? '')
    const lines = this.#disbursements.disbursements.get(source)?.lines ?? []
    assert.equal(made?.run?.schedule_id, id, 'the disbursement of a run')
    assert.ok(made?.id !== source && made?.lines.length === lines.length, 'a run pays the lines of the disbursement')
    assert.ok(
      made.lines.every((line, index) => line === lines[index]),
      'a run pays the lines of the disbursement in their order',
    )
    assert.deepEqual([made.lines.filter(isValid).length, made.onShort], [items, 'fail'])
    assert.deepEqual([state, paid_count, failed_count], ['running', 0, 0], 'a run that is a disbursement has paid nothing yet')
  }

  #replaced({ record: { timeMs }, command }: Entry, schedule: ModelSchedule, { plan, anchor_at, status }: Change): void {
    if (plan.recurrence !== schedule.recurrence) {
      schedule.anchorMs = schedule.nextMs ?? firstAfter(schedule.anchorMs, schedule.recurrence, timeMs) ?? schedule.anchorMs
    }
    const [anchorMs, nextMs] = [Date.parse(anchor_at), timeOf(status.next_run_at)]
    const startMs = command?.type === 'ReplaceSchedule' ? command.startMs : nextMs === schedule.nextMs ? undefined : anchorMs
    if (startMs !== undefined) {
      assert.ok(startMs > timeMs, 'the next time is in the future')
      schedule.anchorMs = startMs
      if (schedule.state === 'active') schedule.nextMs = startMs
    }
    // A paused schedule shows no next time, so without its command the anchor alone may differ.
    if (command === null && schedule.state === 'paused') schedule.anchorMs = anchorMs
    schedule.recurrence = plan.recurrence
    schedule.items = plan.items_count
    schedule.source = plan.disbursement_id ?? null
    assert.equal(Date.parse(anchor_at), schedule.anchorMs, `the anchor of the replaced schedule ${schedule.id}`)
  }
}

function timeOf(at: string | null | undefined): number | null {
  return at === null || at === undefined ? null : Date.parse(at)
}
