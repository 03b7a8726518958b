// Work that keeps the event loop busy for longer than a payout does: large bodies, reports, lists, replays of streams. A little of it
// runs in each turn of the event loop, shared out over its owners by size, so that it delays no one else's payouts.
import type { AccountNumber } from '../../engine/api.ts'
import { type Costing, FairTurns } from '../../engine/kernel/fair-turns.ts'
import type { Call } from './route.ts'
import { FAIR_WORK_MS } from './server-limits.ts'

/** An account, or the address of a caller without one. */
export type WorkOwner = AccountNumber | string

interface Work extends Costing {
  readonly run: () => void
}

/** Bytes of a body or an answer that count as one unit: reading or writing them takes about 30 µs. */
const BYTES_PER_UNIT = 1024

export class FairWork {
  readonly #turns = new FairTurns<WorkOwner, Work>()
  #isPlanned = false

  /** Number of pieces that wait. Requests in flight bound it: each has one at most. */
  get waiting(): number {
    return this.#turns.count
  }

  /** Runs the piece in this turn of the event loop or a later one. `run` must not throw. */
  add(owner: WorkOwner, cost: number, run: () => void): void {
    this.#turns.put(owner, { cost, run })
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(this.#runSome)
  }

  /** Resolves when it is the owner's turn for a piece of this cost, which runs synchronously behind it. */
  turn(owner: WorkOwner, cost: number): Promise<void> {
    return new Promise((resolve) => this.add(owner, cost, resolve))
  }

  readonly #runSome = (): void => {
    const endMs = performance.now() + FAIR_WORK_MS
    do this.#turns.take()?.run()
    while (this.#turns.count > 0 && performance.now() < endMs)
    this.#isPlanned = this.#turns.count > 0
    if (this.#isPlanned) setImmediate(this.#runSome)
  }
}

/** Returns whose work a request is. */
export function ownerOf(call: Pick<Call, 'principal' | 'remoteAddress'>): WorkOwner {
  return 'account' in call.principal ? call.principal.account : call.remoteAddress
}

export function costOfBytes(sizeBytes: number): number {
  return 1 + Math.ceil(sizeBytes / BYTES_PER_UNIT)
}

/** One for the process, because it has one event loop. */
export const fairWork = new FairWork()
