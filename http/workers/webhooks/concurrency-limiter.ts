// Per-endpoint AIMD concurrency limit. Each endpoint has a queue of deliveries, and its responses set the number of
// active calls. Failing endpoints share separate slots, so that they do not delay working ones. An owner gets at most
// a share of the slots over all its endpoints.
import {
  CONCURRENCY_MAX,
  CONCURRENCY_MIN,
  CONCURRENCY_START,
  FAILING_ENDPOINTS_MAX,
  FAILING_SLOTS_MAX,
  OWNER_SHARE,
  SLOTS_MAX,
} from './webhook-limits.ts'

export interface EndpointQueue {
  readonly key: string
  readonly owner: string
  /** Ids of due deliveries, from `next` on. */
  waiting: string[]
  next: number
  /** Ids of `waiting` that were dropped. */
  readonly dropped: Set<string>
  running: number
  limit: number
  /** True when its last response was bad. */
  failing: boolean
  /** True when it is in a ring or parked: it has work and may have one more active call. */
  listed: boolean
}

export interface Turn {
  readonly queue: EndpointQueue
  readonly id: string
  /** Pool of its slot. */
  readonly pool: Pool
}

/** Slots, and a ring of the queues that wait for one. */
interface Pool {
  readonly slotsMax: number
  readonly ownerMax: number
  readonly ring: EndpointQueue[]
  /** Owners with active calls. */
  readonly owners: Map<string, OwnerSlots>
  running: number
}

interface OwnerSlots {
  running: number
  /** Queues that wait for one of these calls to end. */
  readonly parked: EndpointQueue[]
}

/** Taken ids at the front of a queue before they are removed. */
const CUT_AT = 1024

export interface ConcurrencyLimits {
  readonly slotsMax: number
  readonly failingSlotsMax: number
  /** Fraction of the slots that one owner may use, from 0 to 1; all when absent. */
  readonly ownerShare?: number
}

const WEBHOOK_LIMITS: ConcurrencyLimits = { slotsMax: SLOTS_MAX, failingSlotsMax: FAILING_SLOTS_MAX, ownerShare: OWNER_SHARE }

export class ConcurrencyLimiter {
  readonly #queues = new Map<string, EndpointQueue>()
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
    return this.#queues.size
  }

  /** Queues a delivery. `owner` groups several queues for the owner's share; by default each queue is its own owner. */
  put(key: string, id: string, owner: string = key): void {
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = { key, owner, waiting: [], next: 0, dropped: new Set(), running: 0, limit: CONCURRENCY_START, failing: false, listed: false }
      this.#queues.set(key, queue)
    }
    // A dropped id that is queued again has its old place.
    if (!queue.dropped.delete(id)) queue.waiting.push(id)
    this.#list(queue)
  }

  /** Removes an id that waits in the queue of the key. */
  drop(key: string, id: string): void {
    const queue = this.#queues.get(key)
    if (queue === undefined) return
    queue.dropped.add(id)
    if (queue.dropped.size < CUT_AT || queue.dropped.size * 2 < queue.waiting.length - queue.next) return
    queue.waiting = queue.waiting.slice(queue.next).filter((one) => !queue.dropped.has(one))
    queue.next = 0
    queue.dropped.clear()
  }

  /** Takes a slot and the next delivery; null when every slot is taken or no delivery waits. */
  take(): Turn | null {
    return this.#takeFrom(this.#working) ?? this.#takeFrom(this.#failing)
  }

  /** Releases the slot. `good`: a fast, successful response. */
  done({ queue, pool }: Turn, good: boolean): void {
    pool.running--
    queue.running--
    this.#giveBack(pool, queue.owner)
    queue.failing = !good
    queue.limit = good ? Math.min(CONCURRENCY_MAX, queue.limit + 1) : Math.max(CONCURRENCY_MIN, Math.floor(queue.limit / 2))
    this.#list(queue)
    const isIdle = queue.running === 0 && countOf(queue) === 0
    if (isIdle && (good || this.#queues.size > FAILING_ENDPOINTS_MAX)) this.#queues.delete(queue.key)
  }

  #takeFrom(pool: Pool): Turn | null {
    if (pool.running >= pool.slotsMax) return null
    for (let queue = pool.ring.shift(); queue !== undefined; queue = pool.ring.shift()) {
      queue.listed = false
      skipDropped(queue)
      if (this.#poolOf(queue) !== pool || queue.running >= queue.limit || countOf(queue) === 0) {
        // Its responses have changed its pool or limit since it was listed.
        this.#list(queue)
        continue
      }
      const slots = pool.owners.get(queue.owner) ?? { running: 0, parked: [] }
      if (slots.running >= pool.ownerMax) {
        queue.listed = true
        slots.parked.push(queue)
        continue
      }
      slots.running++
      pool.owners.set(queue.owner, slots)
      const id = queue.waiting[queue.next++] as string
      if (queue.next >= CUT_AT || queue.next === queue.waiting.length) {
        queue.waiting.splice(0, queue.next)
        queue.next = 0
      }
      queue.running++
      pool.running++
      this.#list(queue)
      return { queue, id, pool }
    }
    return null
  }

  /** Releases the owner's slot; the owner's next parked queue returns to its ring. */
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

  #poolOf({ failing }: EndpointQueue): Pool {
    return failing ? this.#failing : this.#working
  }

  /** Appends the queue to its ring when it has work and may have one more active call. */
  #list(queue: EndpointQueue): void {
    if (queue.listed || countOf(queue) === 0 || queue.running >= queue.limit) return
    queue.listed = true
    this.#poolOf(queue).ring.push(queue)
  }
}

function newPool(slotsMax: number, ownerShare: number): Pool {
  return { slotsMax, ownerMax: Math.max(1, Math.floor(slotsMax * ownerShare)), ring: [], owners: new Map(), running: 0 }
}

function countOf({ waiting, next, dropped }: EndpointQueue): number {
  return waiting.length - next - dropped.size
}

function skipDropped(queue: EndpointQueue): void {
  while (queue.dropped.size > 0 && queue.dropped.delete(queue.waiting[queue.next] ?? '')) queue.next++
}
