// Disbursements of the kill rounds: each starts by its creation and is paid over any number of kills, every line once.
import type { Disbursement } from '../../../engine/contract/disbursement.ts'
import { Patience } from '../../support/patience.ts'
import type { Prng } from '../../support/prng.ts'
import { pause } from '../cluster/pause.ts'
import type { Planner } from './kill-accounts.ts'
import { readJson } from './ledger-checks.ts'
import type { ServerSlot } from './server-slot.ts'

/** More than two turns. */
const LINES = 1200
const LOOK_MS = 20
const RUN_MAX_MS = 60_000
const PATH = '/v1/biz/disbursements'

export class Disbursements {
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

  /** Transactions of all lines. */
  get transactions(): number {
    return this.#made.size * LINES
  }

  /** Sum of all lines. */
  get amount(): number {
    return [...this.#made.values()].reduce((total, amount) => total + amount, 0)
  }

  /** Makes one, until its result is known. */
  add(): void {
    const items = Array.from({ length: LINES }, () => ({ recipient: this.#planner.recipient, amount: 1 + this.#prng.below(9) }))
    const amount = items.reduce((total, item) => total + item.amount, 0)
    this.#making.push(this.#make(`d-${this.#keys++}`, JSON.stringify({ items, start: 'auto' }), amount))
  }

  /** Waits for the end of each: all of its lines are paid. The ledger's checks count their transactions. */
  async check(): Promise<void> {
    await Promise.all(this.#making)
    for (const [id, amount] of this.#made) {
      const patience = new Patience(RUN_MAX_MS)
      let found = await this.#read(id)
      for (; found.state === 'running' && !patience.isOver; found = await this.#read(id)) await pause(LOOK_MS)
      const { state, paid_count, paid_amount, failed_count } = found
      if (state === 'completed' && paid_count === LINES && paid_amount === amount && failed_count === 0) continue
      this.faults.push(`the disbursement ${id} of ${LINES} lines and ${amount} is ${JSON.stringify(found)}`)
    }
  }

  async #make(key: string, body: string, amount: number): Promise<void> {
    for (;;) {
      const { wire } = await this.#slot.current()
      const told = await wire.send('POST', PATH, { ...this.#planner.headers, 'idempotency-key': key }, body).catch(() => null)
      if (told === null) continue
      if (told.status !== 201) this.faults.push(`the disbursement ${key}: ${told.status} ${told.text}`)
      else this.#made.set((JSON.parse(told.text) as Disbursement).id, amount)
      return
    }
  }

  async #read(id: string): Promise<Disbursement> {
    const { wire } = await this.#slot.current()
    return readJson<Disbursement>(wire, `${PATH}/${id}`, this.#planner.headers)
  }
}
