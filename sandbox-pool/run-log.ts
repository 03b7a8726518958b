// Log of one run in its worker thread: a limited number of lines and characters, then a line that the rest is left out. Lines are
// sent in groups, because a message per line would let code with many lines load all processes.
import { LOG_LENGTH_MAX, LOG_LINE_LENGTH_MAX, LOG_LINES_MAX } from './limits.ts'

export const REST_OF_LOG = '(the rest of the log is left out)'

export class RunLog {
  #lines: string[] = []
  #count = 0
  #length = 0
  #isFull = false

  /** Whether there are lines to take. */
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

  /** Returns the lines since the last call. */
  take(): readonly string[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}

/** Replaces lone surrogates, which UTF-8 cannot encode, by U+FFFD. The length does not change. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}
