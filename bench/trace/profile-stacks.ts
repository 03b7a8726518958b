// What the main thread did within a stall, from its CPU profile: a name for the work by the functions on the stack.
import { type CpuProfile, placeNames, type Window } from '../cpu-profile.ts'

/** Work by the name of a place, `name file`. The innermost place on the stack that has a name counts. */
const WORK: readonly (readonly [work: string, pattern: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)$/],
  ['snapshot: capture of changed rows', /^(?:captureSnapshot|capture) /],
  ['snapshot: slice of rows to JSON', /^(?:slice|snapshotRow|serializeSnapshot) engine\/actor\/snapshot\.ts/],
  ['snapshot: hand-over to the archive thread', /^(?:#sendRows|saveSnapshot|_sendRows\S*) /],
  ['index: hand-over of a segment', /^addSegment /],
  ['index: result of the archive thread', / wal\/archive\/lmdb-archive\.ts/],
  ['index: look-up', / wal\/archive\//],
  ['text of the metrics', / http\/app\/metrics/],
  ['commit of the log, main thread', / wal\/log\/| node_modules\/lmdb\//],
  ['answers after a commit', / engine\/actor\/durability-barrier\.ts/],
  ['hashes of the index', / engine\/kernel\/index-key\.ts/],
  ['turns', / engine\//],
  ['requests', / http\//],
  ['sleep', /^\(idle\)$/],
  ['native code', /^\(program\)$/],
]

function workOf(place: string): string | null {
  return WORK.find(([, pattern]) => pattern.test(place))?.[0] ?? null
}

export class ProfileStacks {
  readonly #timesUs: Float64Array
  readonly #samples: readonly number[]
  readonly #deltas: readonly number[]
  readonly #workOf = new Map<number, string>()
  readonly #stackOf: (id: number) => readonly string[]

  constructor(profile: CpuProfile) {
    const names = placeNames(profile)
    const parents = new Map<number, number>()
    for (const { id, children } of profile.nodes) for (const child of children ?? []) parents.set(child, id)
    this.#stackOf = (id) => {
      const stack: string[] = []
      for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) stack.push(names.get(at) ?? '')
      return stack
    }
    this.#samples = profile.samples
    this.#deltas = profile.timeDeltas
    this.#timesUs = new Float64Array(profile.samples.length)
    let timeUs = profile.startTime
    for (const [index, delta] of profile.timeDeltas.entries()) {
      timeUs += delta
      this.#timesUs[index] = timeUs
    }
  }

  /** Returns the work with the most sampled time in the window, and its share of the samples; null without a sample. */
  mainWork({ fromUs, toUs }: Window): { readonly work: string; readonly share: number } | null {
    const spent = new Map<string, number>()
    let total = 0
    for (let index = this.#firstFrom(fromUs); index < this.#samples.length; index++) {
      if ((this.#timesUs[index] as number) > toUs) break
      const work = this.#work(this.#samples[index] as number)
      const us = this.#deltas[index] ?? 0
      spent.set(work, (spent.get(work) ?? 0) + us)
      total += us
    }
    const [most] = [...spent].sort(([, one], [, other]) => other - one)
    return most === undefined || total === 0 ? null : { work: most[0], share: most[1] / total }
  }

  #work(id: number): string {
    let work = this.#workOf.get(id)
    if (work === undefined) {
      const stack = this.#stackOf(id)
      work = stack.map(workOf).find((found) => found !== null) ?? stack[0] ?? 'unknown'
      this.#workOf.set(id, work)
    }
    return work
  }

  /** Returns the index of the first sample at or after a time. Sample times ascend. */
  #firstFrom(timeUs: number): number {
    let from = 0
    let to = this.#timesUs.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#timesUs[middle] as number) < timeUs) from = middle + 1
      else to = middle
    }
    return from
  }
}
