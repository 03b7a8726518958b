// Deficit round-robin (Shreedhar and Varghese, 1995) over keys with a quantum of one, kept as a calendar: an item of cost n waits n
// rounds, and each round passes every key once. A key's items stay in their order. Taking and adding cost the same for any number of keys.

/** Highest cost that counts; the calendar has one place for each round up to it. */
export const TURN_COST_MAX = 1023
const ROUNDS = TURN_COST_MAX + 1
/** Taken items at the front of a key's array before they are removed. */
const CUT_AT = 4096

export interface Costing {
  /** At least one. */
  readonly cost: number
}

/**
 * Empty queues that stay with their keys. A key that comes and goes with each item left 0.2 KB of garbage an item: the map grew and
 * shrank.
 */
const IDLE_QUEUES_MAX = 1024

class Queue<Key, Item> {
  readonly key: Key
  /** Null after an item was taken: a reference would keep its memory until the array is cut. */
  readonly items: (Item | null)[]
  next = 0
  /** The queue behind it in the same round. */
  after: Queue<Key, Item> | null = null

  constructor(key: Key, first: Item) {
    this.key = key
    // Most queues have one item. The first push to an empty array reserves seventeen places.
    this.items = [first]
  }

  add(item: Item): void {
    if (this.count > 0) {
      this.items.push(item)
      return
    }
    this.items.length = 1
    this.items[0] = item
    this.next = 0
  }

  get count(): number {
    return this.items.length - this.next
  }

  get first(): Item {
    return this.items[this.next] as Item
  }

  take(): Item {
    const item = this.first
    this.items[this.next++] = null
    if (this.next >= CUT_AT) {
      this.items.splice(0, this.next)
      this.next = 0
    }
    return item
  }
}

export class FairTurns<Key, Item extends Costing> {
  readonly #queues = new Map<Key, Queue<Key, Item>>()
  /** First and last queue of each round, by the round modulo ROUNDS. */
  readonly #firsts: (Queue<Key, Item> | null)[] = new Array(ROUNDS).fill(null)
  readonly #lasts: (Queue<Key, Item> | null)[] = new Array(ROUNDS).fill(null)
  /** Queues without an item. */
  #idle = 0
  #round = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  countOf(key: Key): number {
    return this.#queues.get(key)?.count ?? 0
  }

  /** Keys with items, and some that had items. */
  keys(): Iterable<Key> {
    return this.#queues.keys()
  }

  put(key: Key, item: Item): void {
    this.#count++
    const known = this.#queues.get(key)
    if (known === undefined) {
      const queue = new Queue<Key, Item>(key, item)
      this.#queues.set(key, queue)
      this.#plan(queue)
      return
    }
    const wasIdle = known.count === 0
    known.add(item)
    if (!wasIdle) return
    this.#idle--
    this.#plan(known)
  }

  /** Returns the next item; null when there is none, and when its cost is above `costMax`: it stays next until a cheaper key comes. */
  take(costMax = Number.POSITIVE_INFINITY): Item | null {
    if (this.#count === 0) return null
    let place = this.#round % ROUNDS
    let passed = 0
    while (this.#firsts[place] === null) {
      place = (place + 1) % ROUNDS
      passed++
    }
    const queue = this.#firsts[place] as Queue<Key, Item>
    if (queue.first.cost > costMax) return null
    this.#round += passed
    this.#firsts[place] = queue.after
    if (queue.after === null) this.#lasts[place] = null
    queue.after = null
    this.#count--
    const item = queue.take()
    if (queue.count > 0) this.#plan(queue)
    else if (this.#idle < IDLE_QUEUES_MAX) this.#idle++
    else this.#queues.delete(queue.key)
    return item
  }

  /** Puts the queue behind those of the round in which its first item has waited long enough. */
  #plan(queue: Queue<Key, Item>): void {
    const place = (this.#round + Math.max(1, Math.min(queue.first.cost, TURN_COST_MAX))) % ROUNDS
    const last = this.#lasts[place] ?? null
    if (last === null) this.#firsts[place] = queue
    else last.after = queue
    this.#lasts[place] = queue
  }
}
