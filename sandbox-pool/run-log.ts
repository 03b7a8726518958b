// What one run logs, in its worker thread: at most so many lines and characters, then a line that says that the rest is left
// out. Lines cross in batches, because a message for each line lets loud code keep every process on its way busy.
import { LOG_LENGTH_MAX, LOG_LINE_LENGTH_MAX, LOG_LINES_MAX } from './limits.ts'

export const REST_OF_LOG = '(the rest of the log is left out)'

export class RunLog {
  #lines: string[] = []
  #count = 0
  #length = 0
  #isFull = false

  /** Whether lines wait to be taken. */
  get hasLines(): boolean {
    return this.#lines.length > 0
  }

  add(line: string): void {
    if (this.#isFull) return
    const kept = wellFormed(line.slice(0, LOG_LINE_LENGTH_MAX))
    this.#count += 1
    this.#length += kept.length
    this.#isFull = this.#count > LOG_LINES_MAX || this.#length > LOG_LENGTH_MAX
    this.#lines.push(this.#isFull ? REST_OF_LOG : kept)
  }

  /** The lines since the last call. */
  take(): readonly string[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}

/** Lone surrogates, which UTF-8 cannot carry, become U+FFFD; the length stays. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}
