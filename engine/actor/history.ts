// Reads of the whole log: records, found by the archive's index and by its newest part in memory. A writer reads its
// own writes.
import type { Past, PlacedEvent } from '../domain/decision.ts'
import { bodyOf } from '../domain/documents.ts'
import { indexRecord, type RecordEntries } from '../domain/index-record.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { LogRecord, StoredEvent } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import { assert } from '../kernel/assert.ts'
import { timeOfId } from '../kernel/ids.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import { SEGMENT_AGE_MAX_MS, SEGMENTS_WAITING_MAX } from '../kernel/limits.ts'
import { eventIndexOf, POSITION_MAX, type Position, positionOf, sequenceOf } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import { DecodedRecords } from './decoded-records.ts'
import type { Page, PageRequest, StoredResult } from './history-page.ts'
import { IdTimes, SEARCHED_PER_MS_MAX } from './id-search.ts'
import { CANDIDATES_PER_STEP, cursorOf, intersect } from './index-cursor.ts'
import { type Hit, hitById, hitIn, PeekedHit } from './index-hit.ts'
import { IndexScan } from './index-scan.ts'
import { IndexTail } from './index-tail.ts'
import { KeyHash } from './key-hash.ts'
import { bytesWith } from './log-bytes.ts'
import type { Archive, LocalLogReader } from './ports.ts'
import { RecentPayoutReads } from './recent-payout-reads.ts'
import { type BatchHeader, decodeRecordAt, peekHeader, recordRange } from './record-codec.ts'
import { peekEvent, peekTime, sequenceWithText } from './record-peek.ts'
import { RecordQueue } from './record-queue.ts'
import { TimeSearch } from './time-search.ts'

export type { Page, PageRequest, StoredResult }

/** Maximum of events read singly from one record. More cost as much as decoding the log batch. */
const PEEKS_MAX = 5
/** Records from which on the archive's thread indexes them. A record may be a batch of 500 payouts. */
const INDEXED_IN_ARCHIVE_MIN = 256

export class History implements RecordEntries, Past {
  readonly #log: LocalLogReader
  readonly #archive: Archive
  readonly #registry: NounRegistry
  readonly #tail: IndexTail
  readonly #keyHash: KeyHash
  readonly #times = new TimeSearch((sequence) => this.#timeOf(sequence))
  readonly #idTimes = new IdTimes((timeMs, lastSequence) => this.#times.first(timeMs, lastSequence))
  /** Records that are not durable yet. */
  readonly #undurable = new RecordQueue()
  readonly #fail: (error: Error) => void
  readonly #decoded = new DecodedRecords()
  /** Sequence of the record whose events were read singly last. */
  #lastPeeked = 0
  #peeks = 0
  #storing = false
  #onRoom: (() => void) | null = null
  #lastSequence: number
  readonly #scan: IndexScan
  readonly recentPayouts = new RecentPayoutReads((request) => this.page(request))

  constructor(log: LocalLogReader, archive: Archive, fail: (error: Error) => void, registry: NounRegistry = REGISTRY) {
    this.#registry = registry
    this.#log = log
    this.#archive = archive
    this.#tail = new IndexTail(archive.hashKey)
    this.#keyHash = new KeyHash(archive.hashKey)
    this.#scan = new IndexScan(archive.hashKey, registry, this.#idTimes)
    this.#fail = fail
    this.#lastSequence = archive.indexedThrough
  }

  /** The last sequence in the archive. Replay indexes the records after it. */
  get indexedThrough(): number {
    return this.#archive.indexedThrough
  }

  /** Number of index entries in memory. */
  get tailEntries(): number {
    return this.#tail.entryCount
  }

  /** True when the archive lags so far behind that turns must wait. */
  get isFull(): boolean {
    return this.#tail.sealedCount >= SEGMENTS_WAITING_MAX
  }

  /** Indexes a new record. `durable` is false until the log has the record on disk. */
  add(record: LogRecord, durable: boolean): void {
    const { sequence, timeMs } = record
    this.#begin(sequence, timeMs)
    if (!durable) this.#undurable.add(record)
    indexRecord(this.#registry, record, this)
    this.#tail.endRecord()
    if (record.transactions.length > 0) this.recentPayouts.add(record)
  }

  /** As `add`, for a durable record of the log. Decodes it only where its bytes do not show its entries. */
  addStored(bytes: Buffer, sequence: number, header: BatchHeader): void {
    this.#begin(sequence, this.#scan.start(bytes, recordRange(bytes, sequence, header).from))
    const isScanned = this.#scan.addTo(this.#tail)
    if (!isScanned) indexRecord(this.#registry, decodeRecordAt(bytes, sequence, this.#registry, header), this)
    this.#tail.endRecord()
  }

  #begin(sequence: number, timeMs: TimeMs): void {
    assert(sequence === this.#lastSequence + 1, 'records are filed in order')
    this.#lastSequence = sequence
    this.#tail.begin(sequence, timeMs)
    this.#idTimes.begin(sequence, timeMs)
  }

  /** Adds one index entry of the current record. Only `indexRecord` calls it. */
  addEntry(kind: number, owner: number, value: string, eventIndex: number): void {
    this.#tail.add(kind, owner, value, eventIndex)
  }

  addId(kind: number, id: string, eventIndex: number): void {
    if (this.#idTimes.needsEntry(id)) this.addEntry(kind, 0, id, eventIndex)
  }

  addIdempotencyKey(scope: string, key: string): void {
    const { high, low } = this.#keyHash.of(scope, key)
    this.#tail.addHash(high, low, 0)
  }

  /** Marks the records up to `throughSequence` as durable: they are read from the log, and their index may be stored. */
  durable(throughSequence: number): void {
    this.#undurable.dropThrough(throughSequence)
    this.#storeNext()
  }

  /** Stores the open segment when it is old, though not full. Called at each heartbeat. */
  sealOld(nowMs: TimeMs): void {
    const since = this.#tail.openSince()
    if (since !== null && nowMs - since >= SEGMENT_AGE_MAX_MS) this.#tail.seal()
    this.#storeNext()
  }

  /** Lets the archive's thread index the records through `lastSequence`, before any is added. False: the caller adds each record. */
  indexInArchive(lastSequence: number, done: (error: Error | null) => void): boolean {
    const { indexLog, indexedThrough, snapshotPoint } = this.#archive
    const isWorth = lastSequence - indexedThrough >= INDEXED_IN_ARCHIVE_MIN && lastSequence === this.#log.durableSequence
    if (indexLog === undefined || !isWorth) return false
    indexLog({ through: lastSequence, checkThrough: snapshotPoint?.sequence ?? 0 }, (error, unstored) => {
      // Not `indexedThrough`: records without index entries at the end of the log do not raise it.
      if (error === null) this.#lastSequence = lastSequence
      this.#tail.adopt(unstored)
      this.#storeNext()
      done(error)
    })
    return true
  }

  /** Runs once the archive has room again, because replay is faster than the archive. */
  onceRoom(run: () => void): void {
    this.#onRoom = run
  }

  /** Stores every segment, for a shutdown. Returns true when all are stored. */
  sealAll(): boolean {
    this.#tail.seal()
    this.#storeNext()
    return this.#tail.sealedCount === 0
  }

  record(sequence: number): LogRecord {
    const waiting = this.#undurable.get(sequence)
    if (waiting !== undefined) return waiting
    return this.#decoded.get(sequence) ?? this.#decoded.add(decodeRecordAt(bytesWith(this.#log, sequence), sequence, this.#registry))
  }

  /** Returns the result stored under the key; it never expires. A new key costs a chain of the tail and a filter probe. */
  result(scope: string, key: string): StoredResult | null {
    const { high, low } = this.#keyHash.of(scope, key)
    const inTail = this.#tail.has(high, low) ? this.#resultIn(this.#tail, scope, key) : null
    return inTail !== null || !this.#archive.mayHave(high, low) ? inTail : this.#resultIn(this.#archive, scope, key)
  }

  /** Reads the candidates step by step: other keys may have the same hash. */
  #resultIn(index: Pick<Archive, 'find'>, scope: string, key: string): StoredResult | null {
    const { high, low } = this.#keyHash.of(scope, key)
    for (let below = POSITION_MAX; ; ) {
      const positions = index.find(high, low, below, CANDIDATES_PER_STEP)
      const stored = this.#resultAt(positions, scope, key)
      if (stored !== null || positions.length < CANDIDATES_PER_STEP) return stored
      below = positions[positions.length - 1] as Position
    }
  }

  #resultAt(positions: readonly Position[], scope: string, key: string): StoredResult | null {
    for (const position of positions) {
      const record = this.record(sequenceOf(position))
      const { idempotency: entry, sequence } = record
      if (entry?.scope === scope && entry.key === key) return { entry, body: bodyOf(record, this, this.#registry), sequence }
    }
    return null
  }

  /** Returns the newest hit under one index key that `keep` accepts. */
  first(indexKey: IndexKey, keep: (hit: Hit) => boolean): Hit | null {
    return this.page({ indexKeys: [indexKey], limit: 1, keep }).hits[0] ?? null
  }

  /** Returns the hit that `keep` accepts of the record whose turn made the id, which is the value of the index key. */
  byId(indexKey: IndexKey, keep: (hit: Hit) => boolean): Hit | null {
    const { value: id } = indexKey
    const timeMs = timeOfId(id)
    if (timeMs !== null) {
      const from = this.#times.first(timeMs, this.#lastSequence)
      const to = Math.min(this.#lastSequence, from + SEARCHED_PER_MS_MAX - 1)
      for (let sequence = from; sequence <= to && this.#timeOf(sequence) === timeMs; ) {
        const { record, next } = this.#nextWith(id, sequence, to)
        const hit = record === null ? null : hitById(record, id, keep)
        if (hit !== null) return hit
        sequence = next
      }
    }
    return this.first(indexKey, keep)
  }

  /** Returns the first record from `sequence` on in the same log batch whose text has the id, and where to go on. */
  #nextWith(id: string, sequence: number, to: number): { readonly record: LogRecord | null; readonly next: number } {
    const waiting = this.#undurable.get(sequence)
    if (waiting !== undefined) return { record: waiting, next: sequence + 1 }
    const bytes = bytesWith(this.#log, sequence)
    const { firstSequence, recordCount } = peekHeader(bytes)
    const last = Math.min(to, firstSequence + recordCount - 1)
    const found = sequenceWithText(bytes, id, sequence, last)
    return found === null ? { record: null, next: last + 1 } : { record: this.record(found), next: found + 1 }
  }

  eventAt(position: Position): StoredEvent {
    const event = this.record(sequenceOf(position)).events[eventIndexOf(position)]
    assert(event !== undefined, 'the log holds the event')
    return event
  }

  latest(indexKey: IndexKey, isIt: (event: StoredEvent) => boolean): StoredEvent | null {
    return this.newest(indexKey, isIt)?.event ?? null
  }
  newest(indexKey: IndexKey, isIt: (event: StoredEvent) => boolean): PlacedEvent | null {
    return this.first(indexKey, ({ event }) => isIt(event))
  }

  /** Returns one page of the records that have the index keys, newest first. */
  page(request: PageRequest): Page {
    const { limit, keep, createdFromMs, createdToMs } = request
    let below = request.below ?? POSITION_MAX
    if (createdToMs !== undefined) below = Math.min(below, positionOf(this.#times.first(createdToMs, this.#lastSequence), 0))
    const floor = createdFromMs === undefined ? (request.from ?? 0) : positionOf(this.#times.first(createdFromMs, this.#lastSequence), 0)
    const cursors = request.indexKeys.map((list) => cursorOf(this.#tail, this.#archive, list))
    const hits: Hit[] = []
    for (let position = intersect(cursors, below); position >= floor && position >= 0; position = intersect(cursors, position)) {
      const hit = this.hitAt(position)
      if (!keep(hit)) continue
      if (hits.length === limit) return { hits, next: (hits[limit - 1] as Hit).position }
      hits.push(hit)
    }
    return { hits, next: null }
  }

  /** Reads one event. The first few reads of an undecoded record decode one event each; the next read decodes the whole record. */
  hitAt(position: Position): Hit {
    const sequence = sequenceOf(position)
    const eventIndex = eventIndexOf(position)
    const isKnown = this.#undurable.get(sequence) !== undefined || this.#decoded.get(sequence) !== undefined
    if (this.#lastPeeked !== sequence) {
      this.#lastPeeked = sequence
      this.#peeks = 0
    }
    if (!isKnown && this.#peeks++ < PEEKS_MAX) {
      const peeked = peekEvent(bytesWith(this.#log, sequence), sequence, eventIndex, this.#registry)
      if (peeked !== null) return new PeekedHit(position, peeked, (wanted) => this.record(wanted))
    }
    return hitIn(this.record(sequence), eventIndex)
  }

  #timeOf(sequence: number): TimeMs {
    const waiting = this.#undurable.get(sequence)
    if (waiting !== undefined) return waiting.timeMs
    return peekTime(bytesWith(this.#log, sequence), sequence)
  }

  /** Stores one segment at a time. Waits for the log, because stored positions must lead to durable records. */
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
