// Replays a record from its bytes without decoding it: postings and frames are read as numbers, texts are skipped. Only
// for records whose events change no state beyond their postings, as those of payouts. It must read exactly the format
// that record-codec.ts describes; a log is checked by its checksums before.
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { State } from '../domain/state.ts'
import { assert } from '../kernel/assert.ts'
import { EVENTS_PER_RECORD_MAX } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import { replayCount, replayFrame, replayPosting } from './turn.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = 0x5b
const CLOSE = 0x5d
const MINUS = 0x2d
const ZERO = 0x30
const ONE = 0x31

const NUMBERS_PER_POSTING = 5
const NUMBERS_PER_FRAME = 2

export class RecordScan {
  readonly #registry: NounRegistry
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #timeMs: TimeMs = 0
  #isTest = false
  #transactions = 0
  /** Debit, credit, amount and both balances of each posting; account and id of each frame. */
  readonly #postings: number[] = []
  readonly #frames: number[] = []

  constructor(registry: NounRegistry) {
    this.#registry = registry
  }

  /** Applies the record that begins at `from` and returns its time; null, without any effect, when it must be decoded. */
  replay(state: State, bytes: Buffer, from: number): TimeMs | null {
    if (!this.#read(bytes, from)) return null
    replayCount(state, this.#isTest ? 'test' : 'live', this.#transactions)
    const postings = this.#postings
    for (let at = 0; at < postings.length; at += NUMBERS_PER_POSTING) {
      const [debit, credit, amount] = [postings[at] as number, postings[at + 1] as number, postings[at + 2] as number]
      replayPosting(state, { debit, credit, amount }, postings[at + 3] as number, postings[at + 4] as number)
    }
    const frames = this.#frames
    assert(frames.length / NUMBERS_PER_FRAME <= EVENTS_PER_RECORD_MAX, 'every frame of a record has a position')
    for (let at = 0; at < frames.length; at += NUMBERS_PER_FRAME) replayFrame(state, frames[at] as number, frames[at + 1] as number)
    for (let at = 0; at < postings.length; at += NUMBERS_PER_POSTING) state.accounts.assertCovered(postings[at] as number)
    return this.#timeMs
  }

  /** Reads the head: `[time,command,test,[transactions],[events],[frames],…`. Returns false for a record that must be decoded. */
  #read(bytes: Buffer, from: number): boolean {
    this.#bytes = bytes
    this.#at = from + 1
    this.#postings.length = 0
    this.#frames.length = 0
    this.#timeMs = this.#number()
    this.#at++
    this.#skipString()
    this.#isTest = bytes[this.#at + 1] === ONE
    this.#at += 3
    this.#readTransactions()
    this.#at++
    if (!this.#readEvents()) return false
    this.#at++
    this.#readFrames()
    return true
  }

  /** `[[id,type,reference,event index,[postings]],…]` */
  #readTransactions(): void {
    this.#transactions = 0
    while (this.#isInArray()) {
      this.#transactions++
      this.#at++
      for (let texts = 0; texts < 3; texts++) {
        this.#skipString()
        this.#at++
      }
      this.#number()
      this.#at++
      while (this.#isInArray()) this.#postings.push(this.#number())
      this.#at++
    }
  }

  /** `[type,version,account,…]`. Returns false at an event that is applied. */
  #readEvents(): boolean {
    while (this.#isInArray()) {
      const from = this.#at + 1
      this.#skipString()
      const type = this.#bytes.toString('latin1', from, this.#at - 1)
      this.#at++
      if (!isInert(this.#registry, type, this.#number())) return false
      this.#at++
      this.#number()
    }
    return true
  }

  /** `[account,id,type,event index,…]` */
  #readFrames(): void {
    while (this.#isInArray()) {
      this.#frames.push(this.#number())
      this.#at++
      this.#frames.push(this.#number())
      this.#at++
      this.#skipString()
      this.#at++
      this.#number()
    }
  }

  /** Moves to the next item of the array, or behind its end. */
  #isInArray(): boolean {
    const unit = this.#bytes[this.#at++]
    if (unit === COMMA) return true
    if (unit === CLOSE) return false
    assert(unit === OPEN, 'a record has the form of its version')
    if (this.#bytes[this.#at] !== CLOSE) return true
    this.#at++
    return false
  }

  #number(): number {
    const bytes = this.#bytes
    let at = this.#at
    const isNegative = bytes[at] === MINUS
    if (isNegative) at++
    let value = 0
    for (let digit = (bytes[at] as number) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++at] as number) - ZERO)
      value = value * 10 + digit
    this.#at = at
    return isNegative ? -value : value
  }

  /** Moves behind the string that begins here. */
  #skipString(): void {
    const bytes = this.#bytes
    let at = this.#at + 1
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    this.#at = at + 1
  }
}

/** Whether the event, and those that it is packed for, change no state. */
function isInert({ appliers, packed }: NounRegistry, type: string, version: number): boolean {
  if (appliers.get(type)?.[version] !== null) return false
  const form = packed.get(type)?.[version]
  return form === undefined || form.types.every((inner) => appliers.get(inner)?.every((apply) => apply === null) === true)
}
