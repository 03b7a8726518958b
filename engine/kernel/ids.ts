// UUID version 7 (RFC 9562, section 5.7): they sort by time, so archive keys ascend.
import type { TimeMs } from './time.ts'

/** Fills `target` with random bytes. The engine has no randomness of its own: the host or a simulator passes it in. */
export type RandomFill = (target: Uint8Array) => void

const POOL_BYTES = 4096
const BYTES_PER_ID = 8
const COUNTER_MAX = 0xfff
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Makes ids that strictly ascend within a process: 48 bits of time, a 12-bit counter, 62 random bits. */
export class IdSource {
  readonly #fill: RandomFill
  readonly #pool = new Uint8Array(POOL_BYTES)
  #offset = POOL_BYTES
  #lastMs = -1
  #counter = 0
  #prefix = ''

  constructor(fill: RandomFill) {
    this.#fill = fill
  }

  next(timeMs: TimeMs): string {
    if (timeMs > this.#lastMs) this.#startMillisecond(timeMs)
    else if (++this.#counter > COUNTER_MAX) this.#startMillisecond(this.#lastMs + 1)
    if (this.#offset + BYTES_PER_ID > POOL_BYTES) {
      this.#fill(this.#pool)
      this.#offset = 0
    }
    const pool = this.#pool
    const at = this.#offset
    this.#offset = at + BYTES_PER_ID
    const counter = this.#counter
    const variant = HEX[((pool[at] as number) & 0x3f) | 0x80]
    return `${this.#prefix}7${(counter >>> 8).toString(16)}${HEX[counter & 0xff]}-${variant}${hex(pool, at + 1)}-${hex(pool, at + 2)}${hex(pool, at + 3)}${hex(pool, at + 4)}${hex(pool, at + 5)}${hex(pool, at + 6)}${hex(pool, at + 7)}`
  }

  #startMillisecond(timeMs: TimeMs): void {
    this.#lastMs = timeMs
    this.#counter = 0
    const hex = timeMs.toString(16).padStart(12, '0')
    this.#prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-`
  }
}

function hex(bytes: Uint8Array, at: number): string {
  return HEX[bytes[at] as number] as string
}
