// Work that keeps the event loop busy for longer than a payout does: large bodies, reports, lists, replays of streams. A little of it
// runs in each turn of the event loop, shared out over its owners by size. While short requests come too, it uses a part of the loop's time
// alone, and what it leads to counts: the turns of a batch, its flush and its answer. So it delays no one else's payouts.
import type { AccountNumber } from '../../engine/api.ts'
import { type Costing, FairTurns } from '../../engine/kernel/fair-turns.ts'
import type { Call } from './route.ts'
import { FAIR_STEPS_MS, FAIR_WORK_MS, type Pace, SHORT_WORK_KEPT_MS, WEBHOOK_PACE, WORK_PACE } from './server-limits.ts'

/** An account, or the address of a caller without one. */
export type WorkOwner = AccountNumber | string

interface Work extends Costing {
  readonly run: () => void
  /** True when the piece runs behind `run`, before the event loop goes on: no other runs in its turn. */
  readonly isAlone: boolean
}

/** Monotonic times of the event loop in milliseconds. */
export interface LoopTimes {
  now(): number
  /** Time so far in which the loop waited for something to do. */
  idle(): number
}

const NOTHING = (): void => {}

const LOOP: LoopTimes = {
  now: () => performance.now(),
  idle: () => performance.eventLoopUtilization().idle,
}
/** Interval at which a pause looks whether it is over. */
const PAUSE_STEP_MS = 1

/** Bytes of a body or an answer that count as one unit: reading or writing them takes about 30 µs. */
const BYTES_PER_UNIT = 1024

/** Requests that take no turn, of all the process. */
export class ShortRequests {
  count = 0
}

export class FairWork {
  readonly shorts: ShortRequests
  readonly #turns = new FairTurns<WorkOwner, Work>()
  readonly #times: LoopTimes
  readonly #pace: Pace
  /** End of the last run of each owner that has one. */
  readonly #ends = new Map<WorkOwner, Promise<void>>()
  #isPlanned = false
  /** Short requests until the last look, and when the newest was seen. */
  #shortsSeen: number
  #shortMs = Number.NEGATIVE_INFINITY
  /** When the newest slice began, and the idle time of the loop before it. */
  #sliceMs = Number.NEGATIVE_INFINITY
  #sliceIdleMs = 0

  constructor(times: LoopTimes = LOOP, pace: Pace = WORK_PACE, shorts: ShortRequests = new ShortRequests()) {
    this.#times = times
    this.#pace = pace
    this.shorts = shorts
    this.#shortsSeen = shorts.count
  }

  /** Number of pieces that wait. Requests in flight bound it: each has one at most. */
  get waiting(): number {
    return this.#turns.count
  }

  /** A request that takes no turn has come. */
  sawShort(): void {
    this.shorts.count++
  }

  /** Runs the piece in this turn of the event loop or a later one. `run` must not throw. */
  add(owner: WorkOwner, cost: number, run: () => void): void {
    this.#put(owner, { cost, run, isAlone: false })
  }

  /** Resolves when it is the owner's turn for a piece of this cost, which runs synchronously behind it. */
  turn(owner: WorkOwner, cost: number): Promise<void> {
    return new Promise((run) => this.#put(owner, { cost, run, isAlone: true }))
  }

  /** Runs the steps, some milliseconds of them in each turn of the owner for a piece of this cost. An owner's runs follow each other: each may hold memory. */
  async run<Result>(owner: WorkOwner, cost: number, steps: Iterator<unknown, Result>): Promise<Result> {
    const result = (this.#ends.get(owner) ?? Promise.resolve()).then(() => this.#runSteps(owner, cost, steps))
    const end = result.then(NOTHING, NOTHING)
    this.#ends.set(owner, end)
    try {
      return await result
    } finally {
      if (this.#ends.get(owner) === end) this.#ends.delete(owner)
    }
  }

  async #runSteps<Result>(owner: WorkOwner, cost: number, steps: Iterator<unknown, Result>): Promise<Result> {
    for (;;) {
      await this.turn(owner, cost)
      for (const startMs = this.#times.now(); ; ) {
        const step = steps.next()
        if (step.done === true) return step.value
        if (this.#times.now() - startMs >= FAIR_STEPS_MS) break
      }
    }
  }

  #put(owner: WorkOwner, work: Work): void {
    this.#turns.put(owner, work)
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(this.#runSome)
  }

  readonly #runSome = (): void => {
    const startMs = this.#times.now()
    if (this.#pauses(startMs)) {
      setTimeout(this.#runSome, PAUSE_STEP_MS)
      return
    }
    this.#sliceMs = startMs
    this.#sliceIdleMs = this.#times.idle()
    for (let work = this.#turns.take(); work !== null; work = this.#turns.take()) {
      work.run()
      if (work.isAlone || this.#times.now() - startMs >= FAIR_WORK_MS) break
    }
    this.#isPlanned = this.#turns.count > 0
    if (this.#isPlanned) setImmediate(this.#runSome)
  }

  /** Whether short requests come, and the loop was not yet idle for long enough since the last slice. */
  #pauses(nowMs: number): boolean {
    const { count } = this.shorts
    if (count !== this.#shortsSeen) {
      this.#shortsSeen = count
      this.#shortMs = nowMs
    }
    const elapsedMs = nowMs - this.#sliceMs
    if (nowMs - this.#shortMs > SHORT_WORK_KEPT_MS || elapsedMs >= this.#pace.pauseMaxMs) return false
    const idleMs = this.#times.idle() - this.#sliceIdleMs
    return idleMs < (elapsedMs - idleMs) * this.#pace.idlePerBusy
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

/** Attempts of webhooks: receivers wait for them, so they have a larger part of the loop. */
export const webhookWork = new FairWork(LOOP, WEBHOOK_PACE, fairWork.shorts)
