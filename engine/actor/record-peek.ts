// Reads one event of a record without decoding the others: a payout batch of 500 takes 400 µs to decode, and a page
// of a list may need one payout from each of twenty. It must read exactly the format that record-codec.ts writes.
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { StoredEvent } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import { assert } from '../kernel/assert.ts'
import { itemsOf } from '../kernel/json.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { Transaction } from '../ledger/transaction.ts'
import { decodeTransaction, type Head, recordRange, recordText } from './record-codec.ts'

/** Matches the start of a head: time, command, the test flag, then the transactions. */
const START = /^\[([0-9]+),"[A-Za-z]+",([01]),\[/
/**
 * Matches type, version and account of a record's first event. Text of a merchant cannot match, because its quotes
 * are escaped.
 */
const FIRST_EVENT = /\],\["([a-z_.]+)",([0-9]+),([0-9]+)[,\]]/

/** Bytes at the start of a record that hold its time, command and test flag. */
const START_BYTES = 128

export function peekTime(bytes: Buffer, sequence: number): TimeMs {
  const { from, to } = recordRange(bytes, sequence)
  const [, time] = START.exec(bytes.toString('latin1', from, Math.min(to, from + START_BYTES))) ?? []
  assert(time !== undefined, 'a record begins with its time')
  return Number(time)
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
  const text = recordText(bytes, sequence)
  const headEnd = text.indexOf('\n')
  const head = text.slice(0, headEnd)
  const start = START.exec(head)
  const [, type, version, account] = FIRST_EVENT.exec(head) ?? []
  const form = type === undefined ? undefined : registry.packed.get(type)?.[Number(version)]
  if (start === null || form === undefined) return null
  const packed = text.slice(headEnd + 1, text.indexOf('\n', headEnd + 1))
  let transaction: Transaction | null = null
  const timeMs = Number(start[1])
  const event = form.unpackOne(packed, eventIndex, {
    account: Number(account),
    environment: start[2] === '1' ? 'test' : 'live',
    timeMs,
    transactionAt: (index) => {
      transaction = transactionAt(head, start[0].length, index)
      return transaction
    },
  })
  return event === null ? null : { event: registry.readable(event), transaction, timeMs }
}

function transactionAt(head: string, from: number, wanted: number): Transaction {
  let index = 0
  for (const { start, end } of itemsOf(head, from)) {
    if (index++ === wanted) return decodeTransaction(JSON.parse(head.slice(start, end)) as Head[3][number])
  }
  assert(false, 'each paid line of a batch has its transaction')
}
