// Whose code runs next: a queue per merchant account, served round-robin, with a concurrency limit per account that adapts
// (AIMD) to refusals of the sandbox. Pure: no clock, no timers. Holds ids of rows of live state and nothing else.
import type { AccountNumber } from '../../../engine/api.ts'
import { RETRY_MAX_MS, RETRY_MIN_MS, SLOW_REMEMBERED_MAX, type TurnLimits } from './fulfillment-limits.ts'

export interface Turn {
  readonly account: AccountNumber
  readonly id: string
}

interface Queue {
  readonly account: AccountNumber
  /** From `next` on. */
  ids: string[]
  next: number
  running: number
  /** Of turns under way. */
  limit: number
  /** Its last run was slow. */
  isSlow: boolean
  isPaused: boolean
  /** Of the next pause. */
  pauseMs: number
  /** It stands in the ring. */
  isListed: boolean
}

/** Ids that were taken are cut off at this many. */
const CUT_AT = 1024

export class FulfillmentTurns {
  readonly #limits: TurnLimits
  readonly #queues = new Map<AccountNumber, Queue>()
  /** Accounts with work that may have one more turn, in order. */
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

  /** Null when no account that has work may have one more turn. */
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

  /** The run is over. */
  done({ account }: Turn, { isSlow }: { readonly isSlow: boolean }): void {
    const queue = this.#release(account)
    queue.isSlow = isSlow
    queue.limit = Math.min(this.#limits.perAccountMax, queue.limit + 1)
    queue.pauseMs = RETRY_MIN_MS
    this.#list(queue)
    const isIdle = queue.running === 0 && countOf(queue) === 0 && !queue.isPaused
    if (isIdle && (!isSlow || this.#queues.size > SLOW_REMEMBERED_MAX)) this.#queues.delete(account)
  }

  /** The code was not begun: it goes back to the front. Answers after how many ms `resume` is to be called; null where that is planned. */
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

  /** At the end of the ring while it has work and may have one more turn. */
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
