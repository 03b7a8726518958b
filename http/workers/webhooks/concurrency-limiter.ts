// Per-endpoint AIMD concurrency limit. Each endpoint has a lane: its deliveries wait there in order, and the number of calls
// under way follows from its answers. Failing endpoints share slots of their own, so that hanging endpoints do not delay
// working ones. An owner gets at most a share of the slots, over all of its endpoints.
import { FAILING_LANES_MAX, FAILING_SLOTS_MAX, LANE_MAX, LANE_MIN, LANE_START, OWNER_SHARE, SLOTS_MAX } from './webhook-limits.ts'

export interface Lane {
  readonly key: string
  readonly owner: string
  /** Ids of due deliveries, from `next` on. */
  readonly waiting: string[]
  next: number
  running: number
  limit: number
  /** Its last answer was a bad one. */
  failing: boolean
  /** It stands in a ring, or is parked: it has work, and may have one more call under way. */
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
  readonly ownerMax: number
  readonly ring: Lane[]
  /** Of those who have a call under way. */
  readonly owners: Map<string, OwnerSlots>
  running: number
}

interface OwnerSlots {
  running: number
  /** Lanes that wait for one of these calls to end. */
  readonly parked: Lane[]
}

/** Ids at the front of a lane that were taken, before they are cut off. */
const CUT_AT = 1024

export interface ConcurrencyLimits {
  readonly slotsMax: number
  readonly failingSlotsMax: number
  /** How much of the slots one owner may have, from 0 to 1; all when absent. */
  readonly ownerShare?: number
}

const WEBHOOK_LIMITS: ConcurrencyLimits = { slotsMax: SLOTS_MAX, failingSlotsMax: FAILING_SLOTS_MAX, ownerShare: OWNER_SHARE }

export class ConcurrencyLimiter {
  readonly #lanes = new Map<string, Lane>()
  readonly #working: Pool
  readonly #failing: Pool

  constructor(limits: ConcurrencyLimits = WEBHOOK_LIMITS) {
    const { slotsMax, failingSlotsMax, ownerShare = 1 } = limits
    this.#working = newPool(slotsMax, ownerShare)
    this.#failing = newPool(failingSlotsMax, ownerShare)
  }

  get running(): number {
    return this.#working.running + this.#failing.running
  }

  get size(): number {
    return this.#lanes.size
  }

  /** `owner` answers for several lanes; a lane answers for itself where there is none. */
  put(key: string, id: string, owner: string = key): void {
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = { key, owner, waiting: [], next: 0, running: 0, limit: LANE_START, failing: false, listed: false }
      this.#lanes.set(key, lane)
    }
    lane.waiting.push(id)
    this.#list(lane)
  }

  /** The next one to call, its slot taken; null when every slot is taken or no delivery waits. */
  take(): Turn | null {
    return this.#takeFrom(this.#working) ?? this.#takeFrom(this.#failing)
  }

  /** Gives the slot back. `good`: it answered well, and soon. */
  done({ lane, pool }: Turn, good: boolean): void {
    pool.running--
    lane.running--
    this.#giveBack(pool, lane.owner)
    lane.failing = !good
    lane.limit = good ? Math.min(LANE_MAX, lane.limit + 1) : Math.max(LANE_MIN, Math.floor(lane.limit / 2))
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
      const slots = pool.owners.get(lane.owner) ?? { running: 0, parked: [] }
      if (slots.running >= pool.ownerMax) {
        lane.listed = true
        slots.parked.push(lane)
        continue
      }
      slots.running++
      pool.owners.set(lane.owner, slots)
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

  /** The next lane of the owner that was parked comes back to its ring. */
  #giveBack({ owners }: Pool, owner: string): void {
    const slots = owners.get(owner) as OwnerSlots
    slots.running--
    const next = slots.parked.shift()
    if (next !== undefined) {
      next.listed = false
      this.#list(next)
    }
    if (slots.running === 0 && slots.parked.length === 0) owners.delete(owner)
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

function newPool(slotsMax: number, ownerShare: number): Pool {
  return { slotsMax, ownerMax: Math.max(1, Math.floor(slotsMax * ownerShare)), ring: [], owners: new Map(), running: 0 }
}

function countOf({ waiting, next }: Lane): number {
  return waiting.length - next
}
