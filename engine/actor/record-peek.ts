// Reads one event of a record without decoding the others: a payout batch of 500 takes 400 µs to decode, and a page
// of a list may need one payout from each of twenty. It must read exactly the format that record-codec.ts writes.
import type { PackedForm } from '../domain/noun-module.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { StoredEvent } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import { assert } from '../kernel/assert.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber, Transaction } from '../ledger/transaction.ts'
import { RecordBytes } from './record-bytes.ts'
import { decodeTransaction, type Head, recordRange } from './record-codec.ts'

const NEWLINE = 0x0a
const COMMA = 0x2c

/** The position of one reader is of no use to the next one. */
const head = new RecordBytes()

export function peekTime(bytes: Buffer, sequence: number): TimeMs {
  return head.start(bytes, recordRange(bytes, sequence).from)
}

/** Returns the first sequence from `first` to `last` whose record has the text; null when none has. All are in the batch. */
export function sequenceWithText(bytes: Buffer, text: string, first: number, last: number): number | null {
  const at = bytes.subarray(0, recordRange(bytes, last).to).indexOf(text, recordRange(bytes, first).from, 'latin1')
  if (at < 0) return null
  let from = first
  let to = last
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (at < recordRange(bytes, middle).to) to = middle
    else from = middle + 1
  }
  return from
}

/** An event, its transaction if it has one, and the time of its record. */
export interface Peeked {
  readonly event: StoredEvent
  readonly transaction: Transaction | null
  readonly timeMs: TimeMs
}

/** Returns one of the events that the packed first event of a record holds; null for every other record and event. */
export function peekEvent(bytes: Buffer, sequence: number, eventIndex: number, registry: NounRegistry = REGISTRY): Peeked | null {
  const { from } = recordRange(bytes, sequence)
  const timeMs = head.start(bytes, from)
  const { at: transactionsAt, isTest } = head
  const headEnd = bytes.indexOf(NEWLINE, transactionsAt)
  const first = packedFirst(bytes, transactionsAt, headEnd, registry)
  if (first === null) return null
  const packed = bytes.subarray(headEnd + 1, bytes.indexOf(NEWLINE, headEnd + 1))
  let transaction: Transaction | null = null
  const event = first.form.unpackOne(packed, eventIndex, {
    account: first.account,
    environment: isTest ? 'test' : 'live',
    timeMs,
    transactionOf: (index) => {
      transaction = transactionOf(bytes, transactionsAt + 1, first.at, index)
      return transaction
    },
  })
  return event === null ? null : { event: registry.readable(event), transaction, timeMs }
}

interface PackedFirst {
  readonly form: PackedForm
  readonly account: AccountNumber
  /** Where the list of transactions ends. */
  readonly at: number
}

/** Returns the form of the record's first event, and its account; null where it is not packed. */
function packedFirst(bytes: Buffer, from: number, headEnd: number, { packed }: NounRegistry): PackedFirst | null {
  for (const [type, forms] of packed) {
    // Ends the transactions and begins the events. Text of a merchant cannot match, because its quotes are escaped.
    const start = `],["${type}",`
    const at = indexByDot(bytes.subarray(from, headEnd), start)
    if (at < 0) continue
    head.at = from + at + start.length
    const form = forms[head.number()]
    head.at++
    if (form !== undefined) return { form, account: head.number(), at: from + at }
  }
  return null
}

/**
 * Returns where the text is, -1 where it is nowhere. Searches its dot, which is rare among transactions, where brackets and quotes are
 * not: 2 µs for 500 transactions instead of 10.
 */
function indexByDot(bytes: Buffer, text: string): number {
  const before = text.indexOf('.')
  assert(before >= 0, 'the type of a packed event has a dot')
  const end = text.slice(before)
  for (let at = bytes.indexOf(end, before, 'latin1'); at >= 0; at = bytes.indexOf(end, at + 1, 'latin1')) {
    if (bytes.toString('latin1', at - before, at) === text.slice(0, before)) return at - before
  }
  return -1
}

/**
 * Returns the transaction of the event; null where none has it. They stand from `from` to `to` in the order of their events, so
 * halving the bytes between finds one of 500 in about 9 steps.
 */
function transactionOf(bytes: Buffer, from: number, to: number, eventIndex: number): Transaction | null {
  if (from === to) return null
  if (eventIndexAt(from) === eventIndex) return readTransaction(bytes, from)
  let low = from + 1
  let high = to
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const start = nextTransaction(bytes, middle)
    const index = start < high ? eventIndexAt(start) : Number.POSITIVE_INFINITY
    if (index === eventIndex) return readTransaction(bytes, start)
    if (index < eventIndex) low = start + 1
    else high = middle
  }
  return null
}

/** Between two transactions, and behind the last one. */
const NEXT_TRANSACTION = Buffer.from(']],["')
const BEFORE_START = ']],'.length

/** Returns where the first transaction from `from` on begins, not the one at the beginning of the list; behind the list where none does. */
function nextTransaction(bytes: Buffer, from: number): number {
  let at = from - BEFORE_START - 1
  do {
    at = bytes.indexOf(NEXT_TRANSACTION, at + 1)
    assert(at >= 0, 'a list of transactions has its end')
    // Where a comma follows, the quote ends a string, such as a reference "]],[", instead of beginning an id.
  } while (bytes[at + NEXT_TRANSACTION.length] === COMMA)
  return at + BEFORE_START
}

/** `head` has these bytes. */
function eventIndexAt(start: number): number {
  head.at = start
  return head.eventIndex()
}

function readTransaction(bytes: Buffer, start: number): Transaction {
  head.at = start
  head.skipTransaction()
  return decodeTransaction(JSON.parse(bytes.toString('utf8', start, head.at)) as Head[3][number])
}
