// Reads the index entries of a record from its bytes without decoding it. It must read exactly the format that record-codec.ts
// describes, and find the entries of `indexRecord`; a log is checked by its checksums before.
import { RUN_MIN } from '../domain/index-record.ts'
import type { IndexEntries } from '../domain/noun-module.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import { RECORD_INDEX_KEYS as KEYS } from '../domain/record-index-keys.ts'
import { type HashKey, hashIndexKey, type IndexKeyHash, IndexValue } from '../kernel/index-key.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { IdTimes } from './id-search.ts'
import type { IndexTail } from './index-tail.ts'
import { CURRENCY_LENGTH, RecordBytes } from './record-bytes.ts'

const NUMBERS_PER_POSTING = 5
const NUMBERS_PER_ENTRY = 3
const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const BRACE = 0x7b
const ZERO = 0x30
const NEWLINE = 0x0a
const UPPER_A = 0x41
const UPPER_Z = 0x5a
const TO_LOWER = 0x20
const ASCII_MAX = 0x7f

export class IndexScan implements IndexEntries {
  readonly #hashKey: HashKey
  readonly #registry: NounRegistry
  readonly #idTimes: IdTimes
  readonly #head = new RecordBytes()
  readonly #value = new IndexValue()
  /** Both halves of the hash and the event of each entry. The arrays are reused and never cut: counts say what is in use. */
  readonly #entries: number[] = []
  #entryNumbers = 0
  /** Event of each transaction, and where its postings begin in `#postings`. */
  readonly #transactionEvents: number[] = []
  readonly #postingsFrom: number[] = []
  #transactions = 0
  readonly #postings: number[] = []
  #postingNumbers = 0
  readonly #eventTypes: string[] = []
  /** Version and account of each event. */
  readonly #eventNumbers: number[] = []
  #events = 0

  constructor(hashKey: HashKey, registry: NounRegistry, idTimes: IdTimes) {
    this.#hashKey = hashKey
    this.#registry = registry
    this.#idTimes = idTimes
  }

  /** Begins with the record there and returns its time. */
  start(bytes: Buffer, from: number): TimeMs {
    return this.#head.start(bytes, from)
  }

  /** Adds the entries of the record to the tail. Returns false, without any effect, when the record must be decoded. */
  addTo(tail: IndexTail): boolean {
    if (!this.#read()) return false
    const entries = this.#entries
    for (let at = 0; at < this.#entryNumbers; at += NUMBERS_PER_ENTRY) {
      tail.addHash(entries[at] as number, entries[at + 1] as number, entries[at + 2] as number)
    }
    return true
  }

  /** Only indexers of events call it. */
  addEntry(kind: number, owner: number, value: string, eventIndex: number): void {
    this.#push(hashIndexKey(this.#hashKey, kind, owner, value), eventIndex)
  }

  addId(kind: number, id: string, eventIndex: number): void {
    if (this.#idTimes.needsEntry(id)) this.addEntry(kind, 0, id, eventIndex)
  }

  #addValue(kind: number, owner: number, eventIndex: number): void {
    this.#push(this.#value.hash(this.#hashKey, kind, owner), eventIndex)
  }

  #push({ high, low }: IndexKeyHash, eventIndex: number): void {
    const at = this.#entryNumbers
    this.#entries[at] = high
    this.#entries[at + 1] = low
    this.#entries[at + 2] = eventIndex
    this.#entryNumbers = at + NUMBERS_PER_ENTRY
  }

  /** `[time,command,test,[transactions],[events],[frames],spend,idempotency]` and a line for each event. */
  #read(): boolean {
    const head = this.#head
    this.#entryNumbers = 0
    if (!this.#readTransactions()) return false
    head.at++
    if (!this.#readEventTypes()) return false
    head.at++
    this.#readFrames()
    head.at++
    if (head.bytes[head.at] === BRACE) head.skipSpend()
    if (!this.#readIdempotency()) return false
    this.#readEvents()
    return true
  }

  /** `[[id,type,currency,reference,event index,[postings]],…]`. Returns false when they may be a run. */
  #readTransactions(): boolean {
    const head = this.#head
    this.#transactions = 0
    this.#postingNumbers = 0
    while (head.isInArray()) {
      if (this.#transactions + 1 >= RUN_MIN) return false
      head.at++
      const idAt = head.at
      head.skipId()
      const typeAt = ++head.at
      head.skipString()
      head.at += 1 + CURRENCY_LENGTH + 1
      const referenceAt = head.at
      head.skipString()
      head.at++
      const eventIndex = head.number()
      head.at++
      this.#transactionEvents[this.#transactions] = eventIndex
      this.#postingsFrom[this.#transactions++] = this.#postingNumbers
      while (head.isInArray()) this.#postings[this.#postingNumbers++] = head.number()
      head.at++
      if (!this.#addTransaction(idAt, typeAt, referenceAt, eventIndex)) return false
    }
    return true
  }

  #addTransaction(idAt: number, typeAt: number, referenceAt: number, eventIndex: number): boolean {
    const { bytes } = this.#head
    if (this.#idTimes.needsEntryAt(bytes, idAt + 1)) {
      if (!this.#take(idAt, false)) return false
      this.#addValue(KEYS.transaction, 0, eventIndex)
    }
    if (!this.#take(typeAt, false)) return false
    this.#addForSides(KEYS.transactionsByType, eventIndex)
    if (bytes[referenceAt + 1] === QUOTE) return true
    this.#value.add(COLON)
    if (!this.#append(referenceAt, true)) return false
    this.#addForSides(KEYS.transactionsByReference, eventIndex)
    return true
  }

  /** Adds the value for debit and credit account of each posting of the last transaction. */
  #addForSides(kind: number, eventIndex: number): void {
    const from = this.#postingsFrom[this.#transactions - 1] as number
    for (let at = from; at < this.#postingNumbers; at += NUMBERS_PER_POSTING) {
      this.#addValue(kind, this.#postings[at] as number, eventIndex)
      this.#addValue(kind, this.#postings[at + 1] as number, eventIndex)
    }
  }

  /** `[type,version,account,…]`. Returns false at an event that stands for others. */
  #readEventTypes(): boolean {
    const head = this.#head
    this.#events = 0
    while (head.isInArray()) {
      const from = head.at + 1
      head.skipString()
      const type = this.#typeOf(from, head.at - 1)
      head.at++
      const version = head.number()
      head.at++
      if (this.#registry.packed.get(type)?.[version] !== undefined) return false
      this.#eventTypes[this.#events] = type
      this.#eventNumbers[2 * this.#events] = version
      this.#eventNumbers[2 * this.#events++ + 1] = head.number()
    }
    return true
  }

  /** Returns the text, which is mostly that of the same event of the record before. */
  #typeOf(from: number, to: number): string {
    const { bytes } = this.#head
    const before = this.#eventTypes[this.#events]
    let at = from
    if (before?.length === to - from) while (at < to && bytes[at] === before.charCodeAt(at - from)) at++
    return at === to && before !== undefined ? before : bytes.toString('latin1', from, to)
  }

  /** `[account,id,type,event index,…]`: as `indexFrames`. */
  #readFrames(): void {
    const head = this.#head
    let before = -1
    for (let index = 0; head.isInArray(); index++) {
      const account = head.number()
      head.at++
      head.number()
      head.at++
      head.skipString()
      head.at++
      const eventIndex = head.number()
      if (account !== before && !this.#hasSide(account, eventIndex)) {
        this.#value.clear()
        this.#addValue(KEYS.frames, account, index)
      }
      before = account
    }
  }

  /** Whether the first transaction of the event has the account. */
  #hasSide(account: number, eventIndex: number): boolean {
    let index = 0
    while (index < this.#transactions && this.#transactionEvents[index] !== eventIndex) index++
    if (index === this.#transactions) return false
    const to = index + 1 < this.#transactions ? (this.#postingsFrom[index + 1] as number) : this.#postingNumbers
    for (let at = this.#postingsFrom[index] as number; at < to; at += NUMBERS_PER_POSTING)
      if (this.#postings[at] === account || this.#postings[at + 1] === account) return true
    return false
  }

  /** `[scope,key,…]` or 0. */
  #readIdempotency(): boolean {
    const head = this.#head
    if (head.bytes[head.at] === ZERO) return true
    head.at++
    if (!this.#take(head.at, false)) return false
    head.skipString()
    head.at++
    this.#value.add(COLON)
    if (!this.#append(head.at, false)) return false
    this.#addValue(KEYS.idempotency, 0, 0)
    return true
  }

  #readEvents(): void {
    const { bytes, at } = this.#head
    let from = bytes.indexOf(NEWLINE, at) + 1
    for (let index = 0; index < this.#events; index++) {
      const type = this.#eventTypes[index] as string
      const to = bytes.indexOf(NEWLINE, from)
      const indexer = this.#registry.indexers.get(type)
      if (indexer !== undefined) {
        const [version, account] = [this.#eventNumbers[2 * index] as number, this.#eventNumbers[2 * index + 1] as number]
        const text = bytes.toString('utf8', from, to)
        indexer(this.#registry.readable({ type, version, account, text, payload: null }), index, this)
      }
      from = to + 1
    }
  }

  /** Makes the string that begins there the value. Returns false where its text is not its bytes. */
  #take(at: number, isFolded: boolean): boolean {
    this.#value.clear()
    return this.#append(at, isFolded)
  }

  #append(at: number, isFolded: boolean): boolean {
    const { bytes } = this.#head
    for (let index = at + 1; bytes[index] !== QUOTE; index++) {
      const unit = bytes[index]
      if (unit === undefined || unit === BACKSLASH || unit > ASCII_MAX) return false
      this.#value.add(isFolded && unit >= UPPER_A && unit <= UPPER_Z ? unit + TO_LOWER : unit)
    }
    return true
  }
}
