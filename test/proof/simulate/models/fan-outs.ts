// Fan-outs in the model: the deliveries of large batches are opened by turns of their own, each once.
import assert from 'node:assert/strict'
import { type LogRecord, payloadOf } from '../../../../engine/domain/record.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { sequenceOf } from '../../../../engine/kernel/position.ts'
import { type Entry, eventsOf, sameRows } from '../entry.ts'

/** Endpoints, and the deliveries that are open. */
interface Outboxes {
  readonly endpoints: ReadonlyMap<
    string,
    { readonly id: string; readonly account: number; readonly status: string; readonly events: readonly string[] }
  >
  open(): readonly { readonly endpointId: string | null; readonly attempts: number }[]
}

interface FanOut {
  readonly id: string
  readonly account: number
  readonly next: number
  readonly end: number
  /** Null behind an older one of the account. */
  readonly dueMs: number | null
}

/** More deliveries than these are opened by turns of their own: what the engine's limit is meant to be, written down a second time. */
const AT_ONCE = 64
/** Between two of their turns, of any account; also a second time. */
const PAUSE_MS = 20
/** With so many deliveries without an attempt at each endpoint a fan-out waits, until one has half of them. */
const AHEAD = 256
const WAIT_MS = 5000

export class FanOutsModel {
  readonly #outboxes: Outboxes
  /** By sequence of their record. */
  readonly open = new Map<string, FanOut>()

  constructor(outboxes: Outboxes) {
    this.#outboxes = outboxes
  }

  get timers(): number {
    return this.#accounts.size
  }

  get #accounts(): Set<number> {
    return new Set([...this.open.values()].map(({ account }) => account))
  }

  overdue(nowMs: number): string[] {
    return [...this.open.values()].filter(({ dueMs }) => dueMs !== null && dueMs < nowMs).map(({ id }) => `fan-out ${id}`)
  }

  /** Whether a turn will open the deliveries of the event. */
  waits({ position }: { readonly position: number }): boolean {
    const fanOut = this.open.get(String(sequenceOf(position)))
    return fanOut !== undefined && position >= fanOut.next && position < fanOut.end
  }

  /** Whether the record plans a fan-out, which it must where it has too many deliveries. */
  isPlanned(record: LogRecord, askingFor: (account: number, type: string) => number): boolean {
    const counts = record.events.flatMap((event) =>
      event.type === 'merchant_event.recorded' ? askingFor(event.account, payloadOf<{ readonly type: string }>(event).type) : [],
    )
    const count = counts.reduce((sum, one) => sum + one, 0)
    const planned = record.events.filter(({ type }) => type === 'fan_out.planned')
    assert.equal(planned.length, count > AT_ONCE ? 1 : 0, `fan-outs of ${record.command} at ${record.sequence}`)
    for (const event of planned) {
      const { first, end } = payloadOf<{ readonly first: number; readonly end: number }>(event)
      const asked = counts.filter((one) => one > 0).length
      assert.equal(end - first, asked, 'a fan-out has each event of its record that a payout or batch left')
      const id = String(record.sequence)
      const dueMs = this.#accounts.has(event.account) ? null : record.timeMs
      this.open.set(id, { id, account: event.account, next: first, end, dueMs })
    }
    return planned.length > 0
  }

  /** `auditOpened` looks at the deliveries of the event at a position that a turn has passed. */
  auditAdvanced(entry: Entry, auditOpened: (position: number) => void): void {
    for (const { payload } of eventsOf<{ readonly id: string; readonly next: number }>(entry, 'fan_out.advanced')) {
      const { id, next } = payload
      const fanOut = this.open.get(id)
      assert.ok(fanOut !== undefined && next > fanOut.next && next <= fanOut.end, 'a fan-out goes on to its end')
      for (let position = fanOut.next; position < next; position++) auditOpened(position)
      if (next === fanOut.end) this.open.delete(id)
      // The model's map has them in the order in which they were planned.
      const goesOn = next === fanOut.end ? [...this.open.values()].find(({ account }) => account === fanOut.account) : { ...fanOut, next }
      const waitMs = this.#wantsMore(fanOut.account) ? PAUSE_MS * this.#accounts.size : WAIT_MS
      if (goesOn !== undefined) this.open.set(goesOn.id, { ...goesOn, dueMs: entry.record.timeMs + waitMs })
    }
  }

  /** The first attempt of a delivery to the endpoint was recorded. */
  tried(endpointId: string, account: number, timeMs: number): void {
    const due = [...this.open.values()].find((one) => one.account === account && one.dueMs !== null)
    const dueMs = timeMs + PAUSE_MS * this.#accounts.size
    if (due === undefined || (due.dueMs ?? 0) <= dueMs || this.#untried(endpointId) !== AHEAD / 2) return
    this.open.set(due.id, { ...due, dueMs })
  }

  #wantsMore(account: number): boolean {
    const targets = [...this.#outboxes.endpoints.values()].filter(
      (one) => one.account === account && one.status === 'enabled' && one.events.some((type) => type.startsWith('payout.')),
    )
    return targets.length === 0 || targets.some(({ id }) => this.#untried(id) < AHEAD)
  }

  #untried(endpoint: string): number {
    return this.#outboxes.open().filter(({ endpointId, attempts }) => endpointId === endpoint && attempts === 0).length
  }

  compare({ fanOuts }: State['webhooks']): void {
    const row = ({ id, next, end, dueMs }: Pick<FanOut, 'id' | 'next' | 'end' | 'dueMs'>): string => `${id} ${next} ${end} ${dueMs}`
    sameRows([...fanOuts.values()].map(row), [...this.open.values()].map(row), 'fan-outs that go on')
  }
}
