// Writes a record into a batch of the log; record-codec.ts says what its bytes hold and reads them.
import { type IdempotencyEntry, isWritten, type LogRecord, type StoredEvent } from '../domain/record.ts'
import type { Frame } from '../domain/stream/stream-state.ts'
import type { ByteWriter } from '../kernel/byte-writer.ts'
import type { Environment } from '../kernel/environment.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AppliedPosting, Transaction } from '../ledger/transaction.ts'

/** Takes the place of an event's index when the body has its own line. */
export const OWN_LINE = -1

const NEWLINE = 0x0a
const COMMA = 0x2c

/** Writes the bytes as they are in the log: a text of the record took 2.7 KB of the heap a payout. */
export function writeRecord(out: ByteWriter, record: LogRecord): void {
  const { timeMs, command, environment, transactions, events, frames, idempotency, spend } = record
  out.text(beginning(timeMs, command, environment))
  for (let index = 0; index < transactions.length; index++) {
    if (index > 0) out.unit(COMMA)
    writeTransaction(out, transactions[index] as Transaction)
  }
  out.text('],[')
  writeEventHeads(out, events)
  out.text('],[')
  writeFrames(out, frames)
  out.text('],')
  if (spend !== null && spend !== undefined) {
    out.text('{"')
    out.text(spend.keyId)
    out.text('":')
    out.number(spend.amount)
    out.text('},')
  }
  if (idempotency === null) out.text('0')
  else writeIdempotency(out, idempotency)
  out.text(']\n')
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    if (event.packed === '') continue
    if (isWritten(event)) event.writeText(out)
    else out.text(event.packed ?? event.text)
    out.unit(NEWLINE)
  }
  if (typeof idempotency?.body === 'string') {
    out.text(idempotency.body)
    out.unit(NEWLINE)
  }
}

let lastTimeMs = Number.NaN
let lastCommand = ''
let lastEnvironment: Environment = 'live'
let lastBeginning = ''

/** Caches the last one: the records of a burst have one time, and most have one command. */
function beginning(timeMs: TimeMs, command: string, environment: Environment): string {
  if (timeMs !== lastTimeMs || command !== lastCommand || environment !== lastEnvironment) {
    lastBeginning = `[${timeMs},"${command}",${environment === 'test' ? 1 : 0},[`
    lastTimeMs = timeMs
    lastCommand = command
    lastEnvironment = environment
  }
  return lastBeginning
}

function writeTransaction(out: ByteWriter, { id, type, currency, reference, eventIndex, postings }: Transaction): void {
  out.text('["')
  out.text(id)
  out.text('","')
  out.text(type)
  out.text('","')
  out.text(currency)
  out.text('",')
  out.jsonText(reference)
  out.unit(COMMA)
  out.number(eventIndex)
  out.text(',[')
  for (let index = 0; index < postings.length; index++) {
    const { debit, credit, amount, debitBalance, creditBalance } = postings[index] as AppliedPosting
    if (index > 0) out.unit(COMMA)
    out.number(debit)
    out.unit(COMMA)
    out.number(credit)
    out.unit(COMMA)
    out.number(amount)
    out.unit(COMMA)
    out.number(debitBalance)
    out.unit(COMMA)
    out.number(creditBalance)
  }
  out.text(']]')
}

/** Type, version and account of each event that has a line. */
function writeEventHeads(out: ByteWriter, events: readonly StoredEvent[]): void {
  let separator = '"'
  for (let index = 0; index < events.length; index++) {
    const { packed, type, version, account } = events[index] as StoredEvent
    if (packed === '') continue
    out.text(separator)
    out.text(type)
    out.text('",')
    out.number(version)
    out.unit(COMMA)
    out.number(account)
    separator = ',"'
  }
}

function writeFrames(out: ByteWriter, frames: readonly Frame[]): void {
  for (let index = 0; index < frames.length; index++) {
    const { account, id, type, eventIndex } = frames[index] as Frame
    if (index > 0) out.unit(COMMA)
    out.number(account)
    out.unit(COMMA)
    out.number(id)
    out.text(',"')
    out.text(type)
    out.text('",')
    out.number(eventIndex)
  }
}

function writeIdempotency(out: ByteWriter, { scope, key, fingerprint, kind, body }: IdempotencyEntry): void {
  out.text('[')
  out.jsonText(scope)
  out.unit(COMMA)
  out.jsonText(key)
  out.unit(COMMA)
  out.jsonText(fingerprint)
  out.text(',"')
  out.text(kind)
  out.text('",')
  out.number(typeof body === 'string' ? OWN_LINE : body)
  out.text(']')
}
