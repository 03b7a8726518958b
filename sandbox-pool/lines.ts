// Cuts a stream of text into lines, none longer than the limit.
import { LINE_LENGTH_MAX } from './limits.ts'

export class Lines {
  #parts: string[] = []
  #length = 0

  /** The lines that this piece completes. Throws when one is too long; the stream makes no sense after that. */
  take(piece: string): string[] {
    const [first = '', ...others] = piece.split('\n')
    this.#parts.push(first)
    this.#length += first.length
    if (this.#length > LINE_LENGTH_MAX || others.some(({ length }) => length > LINE_LENGTH_MAX)) {
      throw new RangeError(`a line of more than ${LINE_LENGTH_MAX} characters`)
    }
    const last = others.pop()
    if (last === undefined) return []
    const complete = [this.#parts.join(''), ...others]
    this.#parts = [last]
    this.#length = last.length
    return complete
  }
}
