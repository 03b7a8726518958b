// The bytes of a batch in the log, both ways. Pure: bytes in, records out. A released version never changes; add the next.
//
//   offset  size  field
//        0     4  magic "CRIB"
//        4     2  format version
//        6     2  zero
//        8     8  sequence of the first record (float64)
//       16     8  time of the first record, Unix ms (float64)
//       24     4  record count
//       28     4  payload size in bytes
//       32    32  SHA-256 of the batch before (zeros for the first): the chain
//       64     4  CRC-32 of all bytes but these four
//       68  4×n   offset of each record within the payload
//       …         payload: per record a head line, a line for each event (its text, or its packed form: see PackedForm),
//                  and the answer where it is no event's text
//
// Lines are JSON, so none holds a newline of its own; a person can read a log with a hex viewer.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { OutcomeKind } from '../contract/outcome-kind.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { IdempotencyEntry, KeySpend, LogRecord, StoredEvent } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import type { Frame, FrameType } from '../domain/stream/stream-state.ts'
import { assert } from '../kernel/assert.ts'
import type { Currency } from '../kernel/currency.ts'
import type { AccountNumber, AppliedPosting, Transaction, TransactionType } from '../ledger/transaction.ts'
import { LogFormatError } from './log-format-error.ts'
import { OWN_LINE } from './record-writer.ts'

export const FORMAT_VERSION = 2
/** The last commit whose programs read format version 1. */
const LAST_READER_OF_1 = 'fe8dd834'
export const GENESIS_HASH = '0'.repeat(64)

export const MAGIC = 0x42495243
export const HEADER_BYTES = 68
export const CRC_OFFSET = 64

export interface BatchHeader {
  readonly firstSequence: number
  readonly timeMs: number
  readonly recordCount: number
  readonly previousHash: string
}

/**
 * [time, command, 1 when test, transactions, type, version and account of each event in turn, frames likewise, idempotency or 0]. Where an
 * API key paid, `{key: amount}` stands before the last one.
 */
export type Head = [
  number,
  string,
  0 | 1,
  [id: string, type: TransactionType, currency: Currency, reference: string, eventIndex: number, postings: number[]][],
  (string | number)[],
  (string | number)[],
  ...([IdempotencyHead] | [Readonly<Record<string, number>>, IdempotencyHead]),
]

type IdempotencyHead = [scope: string, key: string, fingerprint: string, kind: OutcomeKind, eventIndex: number] | 0

const NUMBERS_PER_POSTING = 5
const VALUES_PER_EVENT = 3
const VALUES_PER_FRAME = 4

export function hashBatch(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/** Returns the header after checking magic, version, sizes and checksum. Throws LogFormatError. */
export function readHeader(bytes: Buffer): BatchHeader {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) throw damaged('it is not a batch')
  const version = bytes.readUInt16LE(4)
  if (version === 1) {
    throw new LogFormatError(
      'format_too_old',
      `The log has format version ${version}, which no program after commit ${LAST_READER_OF_1} reads.`,
    )
  }
  if (version > FORMAT_VERSION) {
    throw new LogFormatError(
      'format_too_new',
      `The log has format version ${version}, this program reads up to ${FORMAT_VERSION}: start the newer release that wrote it.`,
    )
  }
  const header = peekHeader(bytes)
  if (bytes.length !== HEADER_BYTES + header.recordCount * 4 + bytes.readUInt32LE(28)) throw damaged('its size is wrong')
  if (bytes.readUInt32LE(CRC_OFFSET) !== checksum(bytes))
    throw damaged(`the checksum of the batch at sequence ${header.firstSequence} is wrong`)
  return header
}

/** Returns the header of a batch that was checked before. */
export function peekHeader(bytes: Buffer): BatchHeader {
  return {
    firstSequence: bytes.readDoubleLE(8),
    timeMs: bytes.readDoubleLE(16),
    recordCount: bytes.readUInt32LE(24),
    previousHash: bytes.toString('hex', 32, 64),
  }
}

/** Returns all records of a batch, in order. The caller has checked the header by `readHeader`. */
export function decodeBatch(bytes: Buffer, registry: NounRegistry = REGISTRY): LogRecord[] {
  return [...recordsOf(bytes, registry)]
}

/**
 * Yields the records one by one. A caller that drops each record before the next one spares the garbage collector the
 * copy.
 */
export function* recordsOf(bytes: Buffer, registry: NounRegistry = REGISTRY): Generator<LogRecord> {
  const header = peekHeader(bytes)
  for (let at = 0; at < header.recordCount; at++) yield decodeRecordAt(bytes, header.firstSequence + at, registry, header)
}

/** Returns one record of a batch, without decoding the others. */
export function decodeRecordAt(
  bytes: Buffer,
  sequence: number,
  registry: NounRegistry = REGISTRY,
  header: Counted = peekCount(bytes),
): LogRecord {
  const lines = recordText(bytes, sequence, header).split('\n')
  return decodeRecord(registry, sequence, JSON.parse(lines[0] as string) as Head, lines)
}

/** Returns the head line and the lines behind it, as they are in the batch. */
export function recordText(bytes: Buffer, sequence: number, header: Counted = peekCount(bytes)): string {
  const { from, to } = recordRange(bytes, sequence, header)
  return bytes.toString('utf8', from, to)
}

type Counted = Pick<BatchHeader, 'firstSequence' | 'recordCount'>

/** Returns where the record begins and ends in the batch. */
export function recordRange(
  bytes: Buffer,
  sequence: number,
  header: Counted = peekCount(bytes),
): { readonly from: number; readonly to: number } {
  const { firstSequence, recordCount } = header
  const index = sequence - firstSequence
  assert(index >= 0 && index < recordCount, 'the batch holds the sequence')
  const payloadStart = HEADER_BYTES + recordCount * 4
  const offsetAt = HEADER_BYTES + index * 4
  const to = index + 1 < recordCount ? payloadStart + bytes.readUInt32LE(offsetAt + 4) : bytes.length
  return { from: payloadStart + bytes.readUInt32LE(offsetAt), to }
}

function peekCount(bytes: Buffer): Counted {
  return { firstSequence: bytes.readDoubleLE(8), recordCount: bytes.readUInt32LE(24) }
}

function decodeRecord(registry: NounRegistry, sequence: number, head: Head, lines: string[]): LogRecord {
  const [timeMs, command, test, plainTransactions, types, frames] = head
  const [spend, idempotency] = head.length === 8 ? [head[6], head[7]] : [null, head[6]]
  const environment = test === 1 ? 'test' : 'live'
  const transactions: Transaction[] = []
  for (const plain of plainTransactions) transactions.push(decodeTransaction(plain))
  const events: StoredEvent[] = []
  let line = 1
  for (let at = 0; at < types.length; at += VALUES_PER_EVENT) {
    const type = types[at] as string
    const version = types[at + 1] as number
    const account = types[at + 2] as AccountNumber
    const text = lines[line++] as string
    const packed = registry.packed.get(type)?.[version]
    if (packed === undefined) events.push(registry.readable({ type, version, account, text, payload: null }))
    else for (const event of packed.unpack(text, { account, environment, timeMs, transactions })) events.push(registry.readable(event))
  }
  return {
    sequence,
    timeMs,
    command,
    environment,
    transactions,
    events,
    frames: decodeFrames(frames),
    idempotency: idempotency === 0 ? null : decodeIdempotency(idempotency, lines[line]),
    spend: decodeSpend(spend),
  }
}

function decodeSpend(spend: Readonly<Record<string, number>> | null): KeySpend | null {
  for (const [keyId, amount] of Object.entries(spend ?? {})) return { keyId, amount }
  return null
}

function decodeFrames(values: (string | number)[]): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at < values.length; at += VALUES_PER_FRAME) {
    frames.push({
      account: values[at] as AccountNumber,
      id: values[at + 1] as number,
      type: values[at + 2] as FrameType,
      eventIndex: values[at + 3] as number,
    })
  }
  return frames
}

export function decodeTransaction(head: Head[3][number]): Transaction {
  const [id, type, currency, reference, eventIndex, numbers] = head
  const postings: AppliedPosting[] = []
  for (let at = 0; at < numbers.length; at += NUMBERS_PER_POSTING) {
    postings.push({
      debit: numbers[at] as AccountNumber,
      credit: numbers[at + 1] as AccountNumber,
      amount: numbers[at + 2] as number,
      debitBalance: numbers[at + 3] as number,
      creditBalance: numbers[at + 4] as number,
    })
  }
  return { id, type, currency, reference, eventIndex, postings }
}

function decodeIdempotency(head: Exclude<IdempotencyHead, 0>, ownLine: string | undefined): IdempotencyEntry {
  const [scope, key, fingerprint, kind, eventIndex] = head
  return { scope, key, fingerprint, kind, body: eventIndex === OWN_LINE ? (ownLine as string) : eventIndex }
}

/** Returns the CRC-32 of all bytes but its own four. */
export function checksum(bytes: Buffer): number {
  return crc32(bytes.subarray(CRC_OFFSET + 4), crc32(bytes.subarray(0, CRC_OFFSET)))
}

function damaged(what: string): LogFormatError {
  const message = `The log is damaged: ${what}. Restore the data folder from a backup (npm run restore -- --help).`
  return new LogFormatError('batch_damaged', what, message)
}
