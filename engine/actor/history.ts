// Everything that ever happened, for reading: the log's records, found by the archive's index and the tail of it
// that is still in memory. Whoever writes reads their own writes.
import type { Past, PlacedEvent } from '../domain/decision.ts'
import { bodyOf } from '../domain/documents.ts'
import { fileRecord } from '../domain/filing.ts'
import type { Filing } from '../domain/noun-module.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { IdempotencyEntry, LogRecord, StoredEvent } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import { idempotencyTerm } from '../domain/terms.ts'
import { assert } from '../kernel/assert.ts'
import { SEGMENT_AGE_MAX_MS, SEGMENTS_WAITING_MAX } from '../kernel/limits.ts'
import { eventIndexOf, POSITION_MAX, type Position, positionOf, sequenceOf } from '../kernel/position.ts'
import { hashTerm, type Term } from '../kernel/term.ts'
import type { TimeMs } from '../kernel/time.ts'
import { IndexTail } from './index-tail.ts'
import type { Archive, LocalLogReader } from './ports.ts'
import { decodeRecordAt, peekHeader } from './record-codec.ts'
import { peekEvent, peekTime } from './record-peek.ts'
import { RecordQueue } from './record-queue.ts'
import { CANDIDATES_PER_STEP, intersect, TermCursor, unite } from './term-cursor.ts'
import { TimeSearch } from './time-search.ts'

export interface Hit {
  readonly position: Position
  readonly record: LogRecord
  readonly event: StoredEvent
  readonly eventIndex: number
}

export interface PageRequest {
  readonly terms: readonly Term[]
  /** `all` when absent: filed under each of the terms; `any`: under one of them at least. */
  readonly match?: 'all' | 'any'
  readonly limit: number
  /** Only older than this position; absent for the newest page. */
  readonly below?: Position
  /** Inclusive. */
  readonly createdFromMs?: TimeMs
  /** Exclusive. */
  readonly createdToMs?: TimeMs
  /** Drops hash collisions: true when the hit really belongs to the terms. */
  readonly keep: (hit: Hit) => boolean
}

export interface Page {
  /** Newest first. */
  readonly hits: readonly Hit[]
  /** Where the next page starts, null at the end. */
  readonly next: Position | null
}

export interface StoredResult {
  readonly entry: IdempotencyEntry
  readonly body: string
  readonly sequence: number
}

const SCOPE_AND_KEY = '\n'
/** Of one record: as many as cost what decoding a batch does. */
const PEEKS_MAX = 5

export class History implements Filing, Past {
  readonly #log: LocalLogReader
  readonly #archive: Archive
  readonly #registry: NounRegistry
  readonly #tail = new IndexTail()
  readonly #times = new TimeSearch((sequence) => this.#timeOf(sequence))
  /** Records that the log does not have on disk yet. */
  readonly #undurable = new RecordQueue()
  readonly #fail: (error: Error) => void
  /** A page of a batch's payouts asks for the same record again and again: decoding one of 500 lines takes a millisecond. */
  #lastRead: LogRecord | null = null
  /** A record that so many events were read of alone. */
  #lastPeeked = 0
  #peeks = 0
  #storing = false
  #onRoom: (() => void) | null = null
  #lastSequence: number
  #filingMs: TimeMs = 0

  constructor(log: LocalLogReader, archive: Archive, fail: (error: Error) => void, registry: NounRegistry = REGISTRY) {
    this.#registry = registry
    this.#log = log
    this.#archive = archive
    this.#fail = fail
    this.#lastSequence = archive.indexedThrough
  }

  /** Sequences above this are not in the archive yet: replay adds them. */
  get indexedThrough(): number {
    return this.#archive.indexedThrough
  }

  /** Entries that wait in memory. */
  get tailEntries(): number {
    return this.#tail.entryCount
  }

  /** The archive lags so far behind that turns should wait. */
  get isFull(): boolean {
    return this.#tail.sealedCount >= SEGMENTS_WAITING_MAX
  }

  /** Files a new record; `durable` is false until the log has it. */
  add(record: LogRecord, durable: boolean): void {
    const { sequence, timeMs, idempotency } = record
    assert(sequence === this.#lastSequence + 1, 'records are filed in order')
    this.#lastSequence = sequence
    if (!durable) this.#undurable.add(record)
    if (idempotency !== null) this.#tail.addKey(idempotency.scope + SCOPE_AND_KEY + idempotency.key, sequence, timeMs)
    this.#filingMs = timeMs
    fileRecord(this.#registry, record, this)
    this.#tail.endRecord(sequence)
  }

  /** For `fileRecord` alone: an entry of the record that is being added. */
  file(kind: number, owner: number, value: string, eventIndex: number): void {
    this.#tail.add(kind, owner, value, positionOf(this.#lastSequence, eventIndex), this.#filingMs)
  }

  /** The log has everything up to `throughSequence`: those records are read from it, and their index may be stored. */
  durable(throughSequence: number): void {
    this.#undurable.dropThrough(throughSequence)
    this.#storeNext()
  }

  /** Hands a segment over that is old though not full. Called now and then. */
  sealOld(nowMs: TimeMs): void {
    const since = this.#tail.openSince()
    if (since !== null && nowMs - since >= SEGMENT_AGE_MAX_MS) this.#tail.seal()
    this.#storeNext()
  }

  /** Runs once the archive has caught up a little: replay is faster than it. */
  onceRoom(run: () => void): void {
    this.#onRoom = run
  }

  /** Hands everything over, for a stop. True when nothing is left to wait for. */
  sealAll(): boolean {
    this.#tail.seal()
    this.#storeNext()
    return this.#tail.sealedCount === 0
  }

  record(sequence: number): LogRecord {
    const waiting = this.#undurable.get(sequence)
    if (waiting !== undefined) return waiting
    if (this.#lastRead?.sequence === sequence) return this.#lastRead
    const batch = this.#log.batchAt(sequence)
    assert(batch !== null, `the log holds sequence ${sequence}`)
    this.#lastRead = decodeRecordAt(asBuffer(batch.bytes), sequence, this.#registry)
    return this.#lastRead
  }

  /** The result stored under the key, for ever. A new key costs a map look-up and a filter probe. */
  result(scope: string, key: string): StoredResult | null {
    const inTail = this.#tail.sequenceOfKey(scope + SCOPE_AND_KEY + key)
    if (inTail !== undefined) return this.#stored(this.record(inTail))
    const { kind, owner, value } = idempotencyTerm(scope, key)
    const { high, low } = hashTerm(kind, owner, value)
    if (!this.#archive.mayHave(high, low)) return null
    for (let below = POSITION_MAX; ; ) {
      const positions = this.#archive.find(high, low, below, CANDIDATES_PER_STEP)
      for (const position of positions) {
        const record = this.record(sequenceOf(position))
        if (record.idempotency?.scope === scope && record.idempotency.key === key) return this.#stored(record)
      }
      if (positions.length < CANDIDATES_PER_STEP) return null
      below = positions[positions.length - 1] as Position
    }
  }

  #stored(record: LogRecord): StoredResult {
    assert(record.idempotency !== null, 'the record carries a result')
    return { entry: record.idempotency, body: bodyOf(record, this, this.#registry), sequence: record.sequence }
  }

  /** The newest hit under one term that `keep` accepts. */
  first(term: Term, keep: (hit: Hit) => boolean): Hit | null {
    return this.page({ terms: [term], limit: 1, keep }).hits[0] ?? null
  }

  eventAt(position: Position): StoredEvent {
    const event = this.record(sequenceOf(position)).events[eventIndexOf(position)]
    assert(event !== undefined, 'the log holds the event')
    return event
  }

  latest(term: Term, isIt: (event: StoredEvent) => boolean): StoredEvent | null {
    return this.newest(term, isIt)?.event ?? null
  }

  newest(term: Term, isIt: (event: StoredEvent) => boolean): PlacedEvent | null {
    return this.first(term, ({ event }) => isIt(event))
  }

  /** One page of the records that are filed under all terms, newest first. */
  page(request: PageRequest): Page {
    const { limit, keep, createdFromMs, createdToMs } = request
    let below = request.below ?? POSITION_MAX
    if (createdToMs !== undefined) below = Math.min(below, positionOf(this.#times.first(createdToMs, this.#lastSequence), 0))
    const floor = createdFromMs === undefined ? 0 : positionOf(this.#times.first(createdFromMs, this.#lastSequence), 0)
    const cursors = request.terms.map((term) => new TermCursor(this.#tail, this.#archive, term))
    const next = request.match === 'any' ? unite : intersect
    const hits: Hit[] = []
    for (let position = next(cursors, below); position >= floor && position >= 0; position = next(cursors, position)) {
      const hit = this.#hit(position)
      if (!keep(hit)) continue
      if (hits.length === limit) return { hits, next: (hits[limit - 1] as Hit).position }
      hits.push(hit)
    }
    return { hits, next: null }
  }

  /** The first few events of a record that nobody has read yet are read alone; with one more the whole record is decoded. */
  #hit(position: Position): Hit {
    const sequence = sequenceOf(position)
    const eventIndex = eventIndexOf(position)
    const isKnown = this.#undurable.get(sequence) !== undefined || this.#lastRead?.sequence === sequence
    if (this.#lastPeeked !== sequence) {
      this.#lastPeeked = sequence
      this.#peeks = 0
    }
    if (!isKnown && this.#peeks++ < PEEKS_MAX) {
      const batch = this.#log.batchAt(sequence)
      assert(batch !== null, `the log holds sequence ${sequence}`)
      const peeked = peekEvent(asBuffer(batch.bytes), sequence, eventIndex, this.#registry)
      if (peeked !== null) return new PeekedHit(position, peeked, (wanted) => this.record(wanted))
    }
    const record = this.record(sequence)
    const event = record.events[eventIndex] ?? NO_EVENT
    return { position, record, event, eventIndex }
  }

  #timeOf(sequence: number): TimeMs {
    const waiting = this.#undurable.get(sequence)
    if (waiting !== undefined) return waiting.timeMs
    const batch = this.#log.batchAt(sequence)
    assert(batch !== null, `the log holds sequence ${sequence}`)
    const bytes = asBuffer(batch.bytes)
    return sequence === batch.firstSequence ? peekHeader(bytes).timeMs : peekTime(bytes, sequence)
  }

  /** One segment at a time, and never ahead of the log: positions must lead to records that are there for good. */
  #storeNext(): void {
    const segment = this.#tail.oldestSealed()
    if (this.#storing || segment === null || segment.throughSequence > this.#log.durableSequence) return
    this.#storing = true
    this.#archive.addSegment(segment, (error) => {
      this.#storing = false
      if (error !== null) return this.#fail(error)
      this.#tail.drop(segment)
      this.#storeNext()
      const onRoom = this.#onRoom
      this.#onRoom = null
      onRoom?.()
    })
  }
}

/** Its record is decoded when somebody asks for it. */
class PeekedHit implements Hit {
  readonly position: Position
  readonly event: StoredEvent
  readonly eventIndex: number
  readonly #recordAt: (sequence: number) => LogRecord

  constructor(position: Position, event: StoredEvent, recordAt: (sequence: number) => LogRecord) {
    this.position = position
    this.event = event
    this.eventIndex = eventIndexOf(position)
    this.#recordAt = recordAt
  }

  get record(): LogRecord {
    return this.#recordAt(sequenceOf(this.position))
  }
}

const NO_EVENT: StoredEvent = { type: '', version: 0, account: -1, text: '{}', payload: null }

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
