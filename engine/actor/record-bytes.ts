// Reads the head of a record from its bytes without making strings or objects: numbers are read, texts are skipped. It must read exactly
// the format that record-codec.ts describes; a log is checked by its checksums before.
import { assert } from '../kernel/assert.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = 0x5b
const CLOSE = 0x5d
const MINUS = 0x2d
const ZERO = 0x30
const ONE = 0x31

export class RecordBytes {
  bytes: Buffer = Buffer.alloc(0)
  /** Where the next value begins. */
  at = 0

  /** Reads `[time,command,test` and stops before the transactions. Returns the time; `isTest` says the rest. */
  start(bytes: Buffer, from: number): number {
    this.bytes = bytes
    this.at = from + 1
    const timeMs = this.number()
    this.at++
    this.skipString()
    this.isTest = bytes[this.at + 1] === ONE
    this.at += 3
    return timeMs
  }

  /** Whether the record that `start` has read belongs to the test environment. */
  isTest = false

  /** Moves to the next item of the array, or behind its end. */
  isInArray(): boolean {
    const unit = this.bytes[this.at++]
    if (unit === COMMA) return true
    if (unit === CLOSE) return false
    assert(unit === OPEN, 'a record has the form of its version')
    if (this.bytes[this.at] !== CLOSE) return true
    this.at++
    return false
  }

  number(): number {
    const { bytes } = this
    let { at } = this
    const isNegative = bytes[at] === MINUS
    if (isNegative) at++
    let value = 0
    for (let digit = (bytes[at] as number) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++at] as number) - ZERO)
      value = value * 10 + digit
    this.at = at
    return isNegative ? -value : value
  }

  /** Moves behind the string that begins here. */
  skipString(): void {
    const { bytes } = this
    let at = this.at + 1
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    this.at = at + 1
  }

  /** Whether the string that begins at `at` is this text. */
  isText(at: number, text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.bytes[at + 1 + index] !== text.charCodeAt(index)) return false
    return this.bytes[at + 1 + text.length] === QUOTE
  }

  /** Moves behind the id that begins here. */
  skipId(): void {
    const end = this.at + ID_LENGTH + 1
    if (this.bytes[end] === QUOTE) this.at = end + 1
    else this.skipString()
  }

  /** Moves behind `{key:amount},`, which begins here. */
  skipSpend(): void {
    this.at++
    this.skipId()
    this.at++
    this.number()
    this.at += 2
  }

  /**
   * Reads the event index of the transaction that begins here, and stops behind it:
   * `[id,type,currency,reference,event index,[postings]]`.
   */
  eventIndex(): number {
    this.at++
    this.skipId()
    this.at++
    this.skipString()
    this.at += 1 + CURRENCY_LENGTH + 1
    this.skipString()
    this.at++
    return this.number()
  }

  /** Moves behind the transaction that begins here. */
  skipTransaction(): void {
    this.eventIndex()
    const { bytes } = this
    let { at } = this
    while (bytes[at] !== CLOSE) at++
    this.at = at + 2
  }
}

/** Length of a currency between its quotes. */
export const CURRENCY_LENGTH = 5

/** Length of a UUID. */
const ID_LENGTH = 36
