// Who may be called next. Each place that webhooks go to has a lane of its own: its work waits there in order, and how
// many calls it may have under way follows from how it answers. Places that fail share slots of their own, so that no
// number of hanging endpoints holds up one that works.
import { FAILING_LANES_MAX, FAILING_SLOTS_MAX, LANE_MAX, LANE_MIN, LANE_START, SLOTS_MAX } from './limits.ts'

export interface Lane {
  readonly key: string
  /** Ids of due deliveries, from `next` on. */
  readonly waiting: string[]
  next: number
  running: number
  limit: number
  /** Its last answer was a bad one. */
  failing: boolean
  /** It stands in a ring: it has work, and may have one more call under way. */
  listed: boolean
}

export interface Turn {
  readonly lane: Lane
  readonly id: string
  /** Whose slot it has taken. */
  readonly pool: Pool
}

/** Slots, and the lanes that wait for one, in turn. */
interface Pool {
  readonly slotsMax: number
  readonly ring: Lane[]
  running: number
}

/** Ids at the front of a lane that were taken, before they are cut off. */
const CUT_AT = 1024

/** How many calls of one lane may be under way. */
export interface LaneRange {
  readonly start: number
  readonly min: number
  readonly max: number
}

export interface LaneLimits {
  readonly slotsMax: number
  readonly failingSlotsMax: number
  readonly lane?: LaneRange
}

const WEBHOOK_LANE: LaneRange = { start: LANE_START, min: LANE_MIN, max: LANE_MAX }

export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #working: Pool
  readonly #failing: Pool
  readonly #range: LaneRange

  constructor(limits: LaneLimits = { slotsMax: SLOTS_MAX, failingSlotsMax: FAILING_SLOTS_MAX }) {
    const { slotsMax, failingSlotsMax, lane = WEBHOOK_LANE } = limits
    this.#range = lane
    this.#working = { slotsMax, ring: [], running: 0 }
    this.#failing = { slotsMax: failingSlotsMax, ring: [], running: 0 }
  }

  get running(): number {
    return this.#working.running + this.#failing.running
  }

  get size(): number {
    return this.#lanes.size
  }

  put(key: string, id: string): void {
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = { key, waiting: [], next: 0, running: 0, limit: this.#range.start, failing: false, listed: false }
      this.#lanes.set(key, lane)
    }
    lane.waiting.push(id)
    this.#list(lane)
  }

  /** The next one to call, its slot taken; null when every slot is taken or nobody waits. */
  take(): Turn | null {
    return this.#takeFrom(this.#working) ?? this.#takeFrom(this.#failing)
  }

  /** Gives the slot back. `good`: it answered well, and soon. */
  done({ lane, pool }: Turn, good: boolean): void {
    pool.running--
    lane.running--
    lane.failing = !good
    const { min, max } = this.#range
    lane.limit = good ? Math.min(max, lane.limit + 1) : Math.max(min, Math.floor(lane.limit / 2))
    this.#list(lane)
    const isIdle = lane.running === 0 && countOf(lane) === 0
    if (isIdle && (good || this.#lanes.size > FAILING_LANES_MAX)) this.#lanes.delete(lane.key)
  }

  #takeFrom(pool: Pool): Turn | null {
    if (pool.running >= pool.slotsMax) return null
    for (let lane = pool.ring.shift(); lane !== undefined; lane = pool.ring.shift()) {
      lane.listed = false
      if (this.#poolOf(lane) !== pool || lane.running >= lane.limit) {
        // Its answers have changed since it was listed.
        this.#list(lane)
        continue
      }
      const id = lane.waiting[lane.next++] as string
      if (lane.next >= CUT_AT || lane.next === lane.waiting.length) {
        lane.waiting.splice(0, lane.next)
        lane.next = 0
      }
      lane.running++
      pool.running++
      this.#list(lane)
      return { lane, id, pool }
    }
    return null
  }

  #poolOf({ failing }: Lane): Pool {
    return failing ? this.#failing : this.#working
  }

  /** At the back of its ring while it has work and may have one more call under way. */
  #list(lane: Lane): void {
    if (lane.listed || countOf(lane) === 0 || lane.running >= lane.limit) return
    lane.listed = true
    this.#poolOf(lane).ring.push(lane)
  }
}

function countOf({ waiting, next }: Lane): number {
  return waiting.length - next
}
