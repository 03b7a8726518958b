// Schedules of the kill rounds: each is due once, a moment after it was made, and its run must happen once, over any number of kills.
import type { BatchReport } from '../../../engine/contract/batch.ts'
import type { Schedule, ScheduleRun } from '../../../engine/contract/schedule.ts'
import { Patience } from '../../support/patience.ts'
import type { Prng } from '../../support/prng.ts'
import { pause } from '../cluster/pause.ts'
import type { Planner } from './kill-accounts.ts'
import type { Running, ServerSlot } from './server-slot.ts'
import type { Told } from './wire.ts'

const DUE_IN_MS = { min: 100, range: 900 } as const
const LINES = 3
const LOOK_MS = 20
const RUN_MAX_MS = 60_000

export class Schedules {
  readonly #slot: ServerSlot
  readonly #planner: Planner
  readonly #prng: Prng
  /** Ids with the sum of their lines. */
  readonly #made = new Map<string, number>()
  readonly #making: Promise<void>[] = []
  readonly faults: string[] = []
  #keys = 0

  constructor(slot: ServerSlot, planner: Planner, prng: Prng) {
    this.#slot = slot
    this.#planner = planner
    this.#prng = prng
  }

  get runs(): number {
    return this.#made.size
  }

  /** Transactions of all runs. */
  get transactions(): number {
    return this.#made.size * LINES
  }

  /** Makes one, until its result is known. */
  add(): void {
    const key = `s-${this.#keys++}`
    const items = Array.from({ length: LINES }, () => ({ recipient: this.#planner.recipient, amount: 1 + this.#prng.below(90) }))
    const start_at = new Date(Date.now() + DUE_IN_MS.min + this.#prng.below(DUE_IN_MS.range)).toISOString()
    this.#making.push(this.#make(key, JSON.stringify({ recurrence: 'once', start_at, items, reference: key }), sumOf(items)))
  }

  /** Waits for every run, and compares runs and balance with what was planned. `paid`: what else left the balance. */
  async check(paid: number): Promise<void> {
    await Promise.all(this.#making)
    for (const id of this.#made.keys()) await this.#checkRun(id)
    const { available } = await this.#get<{ available: number }>('/v1/biz/balance')
    const expected = this.#planner.deposited - paid - [...this.#made.values()].reduce((total, amount) => total + amount, 0)
    if (available !== expected) this.faults.push(`schedules left the balance ${available}, not ${expected}`)
  }

  async #make(key: string, body: string, amount: number): Promise<void> {
    for (;;) {
      const { wire } = await this.#slot.current()
      const headers = { ...this.#planner.headers, 'idempotency-key': key }
      const told = await wire.send('POST', '/v1/biz/payout-schedules', headers, body).catch(() => null)
      if (told === null) continue
      // No request with the key was executed before the schedule was due.
      if (told.status === 400 && told.text.includes('invalid_start_at')) return
      if (told.status !== 201) this.faults.push(`the schedule ${key}: ${told.status} ${told.text}`)
      else this.#made.set((JSON.parse(told.text) as Schedule).id, amount)
      return
    }
  }

  async #checkRun(id: string): Promise<void> {
    const path = `/v1/biz/payout-schedules/${id}`
    const patience = new Patience(RUN_MAX_MS)
    while ((await this.#get<Schedule>(path)).state === 'active' && !patience.isOver) await pause(LOOK_MS)
    const { data } = await this.#get<{ data: ScheduleRun[] }>(`${path}/runs`)
    const [run] = data
    if (run === undefined || data.length !== 1 || run.paid_count !== LINES) {
      this.faults.push(`the schedule ${id} has the runs ${JSON.stringify(data)}`)
      return
    }
    const report = await this.#get<BatchReport>(`/v1/biz/payouts/batch/${run.batch_id}`)
    const transactions = new Set(report.items.map(({ transaction_id }) => transaction_id))
    if (transactions.size !== LINES) this.faults.push(`the run of the schedule ${id} has ${transactions.size} transactions`)
  }

  async #get<Body>(path: string): Promise<Body> {
    const running: Running = await this.#slot.current()
    const told: Told = await running.wire.send('GET', path, this.#planner.headers)
    if (told.status !== 200) throw new Error(`${path}: ${told.status} ${told.text}`)
    return JSON.parse(told.text) as Body
  }
}

function sumOf(items: readonly { readonly amount: number }[]): number {
  return items.reduce((total, { amount }) => total + amount, 0)
}
