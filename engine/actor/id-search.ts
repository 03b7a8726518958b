// Finds records by the time in an id. A turn makes ids of version 7 in the millisecond of its record, so an id leads to
// the records of that millisecond, and the text of their log batches shows which one has it. Ids that this does not
// find have an index entry.
import { idPrefix } from '../kernel/ids.ts'
import type { TimeMs } from '../kernel/time.ts'

/** Records of one millisecond that a search reads. Ids of later ones have entries: a clock may stand still. */
export const SEARCHED_PER_MS_MAX = 256

/** Decides for each new record which of its ids need an entry. Depends on the log alone, so a rebuilt index is the same. */
export class IdTimes {
  readonly #firstOf: (timeMs: TimeMs, lastSequence: number) => number
  #timeMs: TimeMs | null = null
  #prefix = ''
  /** The first record of the millisecond. */
  #firstSequence = 0
  #isSearched = false

  /** `firstOf` finds the first record that is not before a time, among the records before the first new one. */
  constructor(firstOf: (timeMs: TimeMs, lastSequence: number) => number) {
    this.#firstOf = firstOf
  }

  begin(sequence: number, timeMs: TimeMs): void {
    if (timeMs !== this.#timeMs) {
      this.#firstSequence = this.#timeMs === null ? this.#firstOf(timeMs, sequence - 1) : sequence
      this.#timeMs = timeMs
      this.#prefix = idPrefix(timeMs)
    }
    this.#isSearched = sequence - this.#firstSequence < SEARCHED_PER_MS_MAX
  }

  needsEntry(id: string): boolean {
    return !this.#isSearched || !id.startsWith(this.#prefix)
  }

  /** As `needsEntry`, for the id whose text begins there. */
  needsEntryAt(bytes: Uint8Array, at: number): boolean {
    if (!this.#isSearched) return true
    const prefix = this.#prefix
    for (let index = 0; index < prefix.length; index++) if (bytes[at + index] !== prefix.charCodeAt(index)) return true
    return false
  }
}
