// A growing buffer that texts and numbers are written into as UTF-8, without a text of the whole: nothing is left for the garbage collector.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const ZERO = 0x30
/** Up to this length a loop over the characters is faster than a call of the native encoder. */
const SHORT = 96
/** Bytes of a UTF-16 unit in UTF-8 at most. */
const UNIT_BYTES_MAX = 3
/** Digits of the largest safe integer, and its sign. */
const NUMBER_BYTES_MAX = 17
const LOW_DIGITS = 9
const LOW_RANGE = 1e9
const INT_MAX = 0x7fffffff
/** Sizes up to which a view of each is made once: at most 1 MB. */
const VIEW_BYTES_MAX = 4096

export class ByteWriter {
  #bytes: Buffer
  #size = 0
  #restarts = 0
  /** Views of the buffer's beginning by their sizes. */
  readonly #views = new Map<number, Buffer>()

  constructor(firstBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(firstBytes)
  }

  /** The buffer. It is replaced when it grows, and only its first `size` bytes are written. */
  get bytes(): Buffer {
    return this.#bytes
  }

  get size(): number {
    return this.#size
  }

  /** How often it began anew. What was written since stays where it was. */
  get restarts(): number {
    return this.#restarts
  }

  /** Forgets what was written and keeps the buffer. */
  clear(): void {
    this.#size = 0
    this.#restarts++
  }

  /** Returns what was written as one text and forgets it. */
  takeText(): string {
    const text = this.#bytes.toString('utf8', 0, this.#size)
    this.clear()
    return text
  }

  /** As `takeText`, in place: the bytes are valid until the next one is written. */
  takeBytes(): Buffer {
    const size = this.#size
    this.clear()
    const known = this.#views.get(size)
    if (known !== undefined) return known
    const view = this.#bytes.subarray(0, size)
    if (size <= VIEW_BYTES_MAX) this.#views.set(size, view)
    return view
  }

  /** One character below U+0080. */
  unit(unit: number): void {
    this.#reserve(1)
    this.#bytes[this.#size++] = unit
  }

  /** Bytes as Latin-1. */
  latin1(bytes: Uint8Array): void {
    this.#reserve(bytes.length * 2)
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte < 0x80) this.#bytes[this.#size++] = byte
      else {
        this.#bytes[this.#size++] = 0xc0 | (byte >> 6)
        this.#bytes[this.#size++] = 0x80 | (byte & 0x3f)
      }
    }
  }

  /** What another one has written there. */
  copy(from: ByteWriter, start: number, end: number): void {
    this.#reserve(end - start)
    this.#size += from.#bytes.copy(this.#bytes, this.#size, start, end)
  }

  text(text: string): void {
    const { length } = text
    this.#reserve(length * UNIT_BYTES_MAX)
    const bytes = this.#bytes
    let size = this.#size
    if (length <= SHORT) {
      let at = 0
      for (; at < length; at++) {
        const unit = text.charCodeAt(at)
        if (unit >= 0x80) break
        bytes[size++] = unit
      }
      if (at === length) {
        this.#size = size
        return
      }
    }
    this.#size += bytes.write(text, this.#size, 'utf8')
  }

  /** The same as `JSON.stringify(text)`. */
  jsonText(text: string): void {
    const { length } = text
    if (length > SHORT) return this.text(JSON.stringify(text))
    this.#reserve(length + 2)
    const bytes = this.#bytes
    let size = this.#size
    bytes[size++] = QUOTE
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at)
      if (unit < 0x20 || unit >= 0x80 || unit === QUOTE || unit === BACKSLASH) return this.text(JSON.stringify(text))
      bytes[size++] = unit
    }
    bytes[size++] = QUOTE
    this.#size = size
  }

  /** The same as `String(value)`. */
  number(value: number): void {
    if (!Number.isSafeInteger(value)) return this.text(String(value))
    this.#reserve(NUMBER_BYTES_MAX)
    let rest = value
    if (rest < 0) {
      this.#bytes[this.#size++] = MINUS
      rest = -rest
    }
    if (rest <= INT_MAX) return this.#digits(rest, digitsOf(rest))
    const high = Math.floor(rest / LOW_RANGE)
    this.#digits(high, digitsOf(high))
    this.#digits(rest - high * LOW_RANGE, LOW_DIGITS)
  }

  /** Writes so many digits of a number of 31 bits, zeros in front. */
  #digits(value: number, count: number): void {
    const bytes = this.#bytes
    const start = this.#size
    let rest = value | 0
    for (let at = start + count - 1; at >= start; at--) {
      const next = (rest / 10) | 0
      bytes[at] = ZERO + rest - next * 10
      rest = next
    }
    this.#size = start + count
  }

  #reserve(moreBytes: number): void {
    const wanted = this.#size + moreBytes
    if (wanted <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#size)
    this.#bytes = larger
    this.#views.clear()
  }
}

function digitsOf(value: number): number {
  let count = 1
  for (let bound = 10; value >= bound; bound *= 10) count++
  return count
}
