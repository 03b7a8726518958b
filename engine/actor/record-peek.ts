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
  const packed = bytes.toString('utf8', headEnd + 1, bytes.indexOf(NEWLINE, headEnd + 1))
  let transaction: Transaction | null = null
  const event = first.form.unpackOne(packed, eventIndex, {
    account: first.account,
    environment: isTest ? 'test' : 'live',
    timeMs,
    transactionAt: (index) => {
      transaction = transactionAt(bytes, transactionsAt, index)
      return transaction
    },
  })
  return event === null ? null : { event: registry.readable(event), transaction, timeMs }
}

interface PackedFirst {
  readonly form: PackedForm
  readonly account: AccountNumber
}

/** Returns the form of the record's first event, and its account; null where it is not packed. */
function packedFirst(bytes: Buffer, from: number, headEnd: number, { packed }: NounRegistry): PackedFirst | null {
  for (const [type, forms] of packed) {
    // Ends the transactions and begins the events. Text of a merchant cannot match, because its quotes are escaped.
    const start = `],["${type}",`
    const at = bytes.subarray(from, headEnd).indexOf(start, 0, 'latin1')
    if (at < 0) continue
    head.at = from + at + start.length
    const form = forms[head.number()]
    head.at++
    if (form !== undefined) return { form, account: head.number() }
  }
  return null
}

/** Returns one of the transactions, whose list begins at `from`. */
function transactionAt(bytes: Buffer, from: number, wanted: number): Transaction {
  head.at = from
  for (let index = 0; head.isInArray(); index++) {
    const start = head.at
    head.skipTransaction()
    if (index === wanted) return decodeTransaction(JSON.parse(bytes.toString('utf8', start, head.at)) as Head[3][number])
  }
  assert(false, 'each paid line of a batch has its transaction')
}
