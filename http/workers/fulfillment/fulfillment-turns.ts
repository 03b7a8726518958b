// Decides which account's code runs next: a queue per merchant account, served round-robin, with an AIMD concurrency
// limit per account that follows the sandbox's rejections. Pure: no clock, no timers. It holds ids only.
import type { AccountNumber } from '../../../engine/api.ts'
import { RETRY_MAX_MS, RETRY_MIN_MS, SLOW_REMEMBERED_MAX, type TurnLimits } from './fulfillment-limits.ts'

export interface Turn {
  readonly account: AccountNumber
  readonly id: string
}

interface Queue {
  readonly account: AccountNumber
  /** Waiting ids, from index `next` on. */
  ids: string[]
  next: number
  running: number
  /** Maximum active turns. */
  limit: number
  /** True when its last run was slow. */
  isSlow: boolean
  isPaused: boolean
  /** Length of the next pause. */
  pauseMs: number
  /** True when it is in the ring. */
  isListed: boolean
}

/** Taken ids are removed from the array at this count. */
const CUT_AT = 1024

export class FulfillmentTurns {
  readonly #limits: TurnLimits
  readonly #queues = new Map<AccountNumber, Queue>()
  /** Queues that may take one more turn, in order. */
  #ring: Queue[] = []
  #running = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  put(account: AccountNumber, id: string): void {
    let queue = this.#queues.get(account)
    if (queue === undefined) {
      const limit = this.#limits.perAccountMax
      const idle = { running: 0, isSlow: false, isPaused: false, isListed: false }
      queue = { account, ids: [], next: 0, limit, pauseMs: RETRY_MIN_MS, ...idle }
      this.#queues.set(account, queue)
    }
    queue.ids.push(id)
    this.#list(queue)
  }

  /** Takes the next turn; null when no waiting account may have one. */
  take(): Turn | null {
    for (let index = 0; index < this.#ring.length; index++) {
      const queue = this.#ring[index] as Queue
      if (!this.#hasRoom(queue)) continue
      this.#ring.splice(index, 1)
      queue.isListed = false
      const id = queue.ids[queue.next++] as string
      if (queue.next >= CUT_AT || queue.next === queue.ids.length) {
        queue.ids = queue.ids.slice(queue.next)
        queue.next = 0
      }
      queue.running++
      this.#running++
      this.#list(queue)
      return { account: queue.account, id }
    }
    return null
  }

  /** Ends a turn after its run. */
  done({ account }: Turn, { isSlow }: { readonly isSlow: boolean }): void {
    const queue = this.#release(account)
    queue.isSlow = isSlow
    queue.limit = Math.min(this.#limits.perAccountMax, queue.limit + 1)
    queue.pauseMs = RETRY_MIN_MS
    this.#list(queue)
    const isIdle = queue.running === 0 && countOf(queue) === 0 && !queue.isPaused
    if (isIdle && (!isSlow || this.#queues.size > SLOW_REMEMBERED_MAX)) this.#queues.delete(account)
  }

  /**
   * Puts a turn back to the front because the code did not start. Returns the ms until `resume` must be called; null
   * when that is planned.
   */
  putBack({ account, id }: Turn): number | null {
    const queue = this.#release(account)
    if (queue.next > 0) queue.ids[--queue.next] = id
    else queue.ids.unshift(id)
    queue.limit = Math.max(1, queue.running)
    if (queue.isPaused) return null
    queue.isPaused = true
    this.#unlist(queue)
    const { pauseMs } = queue
    queue.pauseMs = Math.min(RETRY_MAX_MS, 2 * pauseMs)
    return pauseMs
  }

  resume(account: AccountNumber): void {
    const queue = this.#queues.get(account) as Queue
    queue.isPaused = false
    this.#list(queue)
  }

  #release(account: AccountNumber): Queue {
    const queue = this.#queues.get(account) as Queue
    queue.running--
    this.#running--
    return queue
  }

  #hasRoom({ running, isSlow }: Queue): boolean {
    const { turnsMax, reservedTurns, fewTurns } = this.#limits
    const isFavoured = !isSlow && running < fewTurns
    return this.#running < (isFavoured ? turnsMax : turnsMax - reservedTurns)
  }

  /** Appends the queue to the ring when it has work and may have one more turn. */
  #list(queue: Queue): void {
    if (queue.isListed || queue.isPaused || countOf(queue) === 0 || queue.running >= queue.limit) return
    queue.isListed = true
    this.#ring.push(queue)
  }

  #unlist(queue: Queue): void {
    if (!queue.isListed) return
    queue.isListed = false
    this.#ring = this.#ring.filter((listed) => listed !== queue)
  }
}

function countOf({ ids, next }: Queue): number {
  return ids.length - next
}
