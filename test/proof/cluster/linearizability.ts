// Whether some order of operations, each at one moment between its request and its answer, explains every answer (Herlihy and Wing).
// The search is Wing and Gong's with Lowe's memory of configurations that were tried, as Porcupine has it. Bounded.

export interface Operation {
  /** Of the request. */
  readonly startMs: number
  /** Of the answer; infinite without one: the operation may have happened at any time, or not at all. */
  readonly endMs: number
}

export interface Model<Op extends Operation, State> {
  readonly initial: State
  /** Returns the state after the operation; null when its answer is not possible in this state. */
  step(state: State, operation: Op): State | null
  /** Equal texts mean equal states. */
  textOf(state: State): string
  /** Whether the operation never changes the state. Such an operation is placed as soon as its answer is possible. */
  isReading?(operation: Op): boolean
}

export type Verdict<Op> =
  | { readonly kind: 'linearizable' }
  /** `stuck`: the operation that no order of those before it explains, in the longest order found. */
  | { readonly kind: 'contradiction'; readonly stuck: Op }
  | { readonly kind: 'undecided' }

/** Maximum of configurations that one search looks at: some seconds. */
const CONFIGURATIONS_MAX = 300_000

/** A request or an answer in the list of those that are not in the order yet. */
interface Entry<Op> {
  /** By time of the request. */
  readonly index: number
  readonly operation: Op
  /** Of a request: its answer. Null for an answer. */
  readonly answer: Entry<Op> | null
  before: Entry<Op> | null
  after: Entry<Op> | null
}

export function checkHistory<Op extends Operation, State>(
  model: Model<Op, State>,
  operations: readonly Op[],
  configurationsMax = CONFIGURATIONS_MAX,
): Verdict<Op> {
  return new Search(model, operations, configurationsMax).run()
}

interface Placed<Op, State> {
  readonly entry: Entry<Op>
  /** Before the operation. */
  readonly state: State
  /** There was no reason to place it later. */
  readonly isForced: boolean
}

class Search<Op extends Operation, State> {
  readonly #model: Model<Op, State>
  readonly #configurationsMax: number
  readonly #head: Entry<Op>
  readonly #tried = new Set<string>()
  readonly #order: Placed<Op, State>[] = []
  readonly #placed = new PlacedOperations()
  #state: State

  constructor(model: Model<Op, State>, operations: readonly Op[], configurationsMax: number) {
    this.#model = model
    this.#configurationsMax = configurationsMax
    this.#head = listOf(operations)
    this.#state = model.initial
  }

  run(): Verdict<Op> {
    let longest = -1
    let stuck: Op | null = null
    this.#placeReadings()
    for (let entry = this.#head.after; entry !== null; ) {
      if (entry.answer !== null) {
        entry = this.#tryToPlace(entry) ? this.#head.after : entry.after
        if (this.#tried.size > this.#configurationsMax) return { kind: 'undecided' }
        continue
      }
      // The answer of an operation that is not in the order: it cannot come later, so the last choice was wrong.
      if (this.#order.length > longest) [longest, stuck] = [this.#order.length, entry.operation]
      const last = this.#takeBack()
      if (last === null) return { kind: 'contradiction', stuck: stuck ?? entry.operation }
      entry = last.after
    }
    return { kind: 'linearizable' }
  }

  #tryToPlace(entry: Entry<Op>): boolean {
    if (this.#isReading(entry)) return false
    const next = this.#model.step(this.#state, entry.operation)
    if (next === null || !isNew(this.#tried, this.#placed.textWith(entry.index) + this.#model.textOf(next))) return false
    this.#place(entry, next, false)
    this.#placeReadings()
    return true
  }

  /** Places all readings that are possible now. A reading that is placed later never explains more. */
  #placeReadings(): void {
    for (let before = this.#head; before.after !== null && before.after.answer !== null; ) {
      const entry = before.after
      if (this.#isReading(entry) && this.#model.step(this.#state, entry.operation) !== null) this.#place(entry, this.#state, true)
      else before = entry
    }
  }

  #place(entry: Entry<Op>, next: State, isForced: boolean): void {
    this.#order.push({ entry, state: this.#state, isForced })
    this.#placed.add(entry.index)
    this.#state = next
    takeOut(entry)
  }

  /** Takes back the last choice, and what was forced after it. Returns null when there was no choice. */
  #takeBack(): Entry<Op> | null {
    for (let last = this.#order.pop(); last !== undefined; last = this.#order.pop()) {
      this.#placed.remove(last.entry.index)
      this.#state = last.state
      putBack(last.entry)
      if (!last.isForced) return last.entry
    }
    return null
  }

  #isReading({ operation }: Entry<Op>): boolean {
    return this.#model.isReading?.(operation) === true
  }
}

function isNew(tried: Set<string>, text: string): boolean {
  const before = tried.size
  tried.add(text)
  return tried.size > before
}

/** Requests and answers by time, after an empty head. A request comes before an answer of the same moment. */
function listOf<Op extends Operation>(operations: readonly Op[]): Entry<Op> {
  const times: { readonly atMs: number; readonly isAnswer: boolean; readonly entry: Entry<Op> }[] = []
  for (const [index, operation] of operations.toSorted((one, other) => one.startMs - other.startMs).entries()) {
    const answer = { index, operation, answer: null, before: null, after: null }
    times.push({ atMs: operation.startMs, isAnswer: false, entry: { ...answer, answer } })
    times.push({ atMs: operation.endMs, isAnswer: true, entry: answer })
  }
  times.sort((one, other) => (one.atMs === other.atMs ? Number(one.isAnswer) - Number(other.isAnswer) : one.atMs < other.atMs ? -1 : 1))
  const head = { index: -1, operation: {} as Op, answer: null, before: null, after: null }
  let last: Entry<Op> = head
  for (const { entry } of times) {
    entry.before = last
    last.after = entry
    last = entry
  }
  return head
}

function takeOut<Op>(entry: Entry<Op>): void {
  for (const one of [entry, entry.answer]) {
    if (one?.before != null) one.before.after = one.after
    if (one?.after != null) one.after.before = one.before
  }
}

function putBack<Op>(entry: Entry<Op>): void {
  for (const one of [entry.answer, entry]) {
    if (one?.before != null) one.before.after = one
    if (one?.after != null) one.after.before = one
  }
}

/** The operations in the order so far: all below the first missing one, and some above it. */
class PlacedOperations {
  readonly #above = new Set<number>()
  #missing = 0

  add(index: number): void {
    this.#above.add(index)
    while (this.#above.delete(this.#missing)) this.#missing++
  }

  remove(index: number): void {
    if (index > this.#missing) {
      this.#above.delete(index)
      return
    }
    for (let at = index + 1; at < this.#missing; at++) this.#above.add(at)
    this.#missing = index
  }

  textWith(index: number): string {
    this.add(index)
    const text = `${this.#missing} ${[...this.#above].sort((one, other) => one - other)} `
    this.remove(index)
    return text
  }
}
