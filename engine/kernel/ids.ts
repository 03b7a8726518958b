// UUID version 7 (RFC 9562, section 5.7): ids sort by time, so keys of the archive ascend.
import type { TimeMs } from './time.ts'

/** Fills `target` with random bytes. The engine has no randomness of its own: the host or a simulator passes it in. */
export type RandomFill = (target: Uint8Array) => void

const POOL_BYTES = 4096
const BYTES_PER_ID = 8
const COUNTER_MAX = 0xfff
/** The counter of a millisecond begins below this number. */
const COUNTER_STARTS = 0x800
/** The two hexadecimal digits of each byte, as character codes. */
const DIGITS = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''), 'latin1')
/** Offset of each of the eight random bytes in the text. */
const RANDOM_AT = [19, 21, 24, 26, 28, 30, 32, 34] as const

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns the time of an id of version 7; null for every other text. */
export function timeOfId(id: string): TimeMs | null {
  return isUuid(id) && id.startsWith('7', 14) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null
}

/** Returns 48 random bits of an id of version 7, for what must be unpredictable and is no id itself. */
export function randomOf(id: string): number {
  return Number.parseInt(id.slice(-12), 16)
}

/** Returns how every id of version 7 begins that was made in this millisecond. */
export function idPrefix(timeMs: TimeMs): string {
  const hex = timeMs.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`
}

/**
 * Makes ids that strictly ascend within a process: 48 bits of time, a 12-bit counter, 62 random bits. The counter begins at a random
 * number in each millisecond: one that began at 0 would tell how many ids the service made before.
 */
export class IdSource {
  readonly #fill: RandomFill
  readonly #pool = new Uint8Array(POOL_BYTES)
  /** The text of the id that is being made: version 7 and the separators stay. */
  readonly #text = Buffer.from('00000000-0000-7000-8000-000000000000', 'latin1')
  #offset = POOL_BYTES
  #lastMs = -1
  #counter = 0

  constructor(fill: RandomFill) {
    this.#fill = fill
  }

  /** Reads the text from one buffer: 0.45 µs and 60 bytes an id. Joining hexadecimal pairs took 0.8 µs and 0.7 KB. */
  next(timeMs: TimeMs): string {
    if (timeMs > this.#lastMs) this.#startMillisecond(timeMs)
    else if (++this.#counter > COUNTER_MAX) this.#startMillisecond(this.#lastMs + 1)
    this.#refill()
    const text = this.#text
    const counter = this.#counter
    text[15] = DIGITS[(counter >>> 8) * 2 + 1] as number
    text[16] = DIGITS[(counter & 0xff) * 2] as number
    text[17] = DIGITS[(counter & 0xff) * 2 + 1] as number
    for (let index = 0; index < BYTES_PER_ID; index++) {
      const random = this.#pool[this.#offset + index] as number
      // The first byte carries the variant.
      const byte = index === 0 ? (random & 0x3f) | 0x80 : random
      const at = RANDOM_AT[index] as number
      text[at] = DIGITS[byte * 2] as number
      text[at + 1] = DIGITS[byte * 2 + 1] as number
    }
    this.#offset += BYTES_PER_ID
    return text.toString('latin1')
  }

  #startOfCounter(): number {
    this.#refill()
    const start = (((this.#pool[this.#offset] as number) << 8) | (this.#pool[this.#offset + 1] as number)) % COUNTER_STARTS
    this.#offset += BYTES_PER_ID
    return start
  }

  #refill(): void {
    if (this.#offset + BYTES_PER_ID <= POOL_BYTES) return
    this.#fill(this.#pool)
    this.#offset = 0
  }

  #startMillisecond(timeMs: TimeMs): void {
    this.#lastMs = timeMs
    this.#counter = this.#startOfCounter()
    const hex = timeMs.toString(16).padStart(12, '0')
    this.#text.write(`${hex.slice(0, 8)}-${hex.slice(8)}`, 0, 'latin1')
  }
}
