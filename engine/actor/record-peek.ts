// Reads a little of a record without decoding all of it: a batch of 500 payouts takes 400 µs to decode, and a page of a
// list may need one payout each out of twenty of them. It must read what record-codec.ts writes, and nothing else.
import { unpackOne } from '../domain/packed.ts'
import type { StoredEvent } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import { itemsOf } from '../kernel/json.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { Transaction } from '../ledger/transaction.ts'
import { decodeTransaction, type Head, recordText } from './record-codec.ts'

/** How a head begins: time, command, whether it is of the test environment, and then the transactions. */
const START = /^\[([0-9]+),"[A-Za-z]+",([01]),\[/
/** The types of the events, where the first one of a record is a batch. No merchant's text can hold it: its quotes would be escaped. */
const BATCH_FIRST = /\],\["batch\.completed",1,([0-9]+)[,\]]/

export function peekTime(bytes: Buffer, sequence: number): TimeMs {
  const [, time] = START.exec(recordText(bytes, sequence)) ?? []
  assert(time !== undefined, 'a record begins with its time')
  return Number(time)
}

/** The event of a record that begins with a batch; null for every other record, and for events behind the batch's payouts. */
export function peekEvent(bytes: Buffer, sequence: number, eventIndex: number): StoredEvent | null {
  const text = recordText(bytes, sequence)
  const headEnd = text.indexOf('\n')
  const head = text.slice(0, headEnd)
  const start = START.exec(head)
  const account = BATCH_FIRST.exec(head)?.[1]
  if (start === null || account === undefined) return null
  const packed = text.slice(headEnd + 1, text.indexOf('\n', headEnd + 1))
  return unpackOne(packed, eventIndex, {
    account: Number(account),
    environment: start[2] === '1' ? 'test' : 'live',
    timeMs: Number(start[1]),
    transactionAt: (index) => transactionAt(head, start[0].length, index),
  })
}

function transactionAt(head: string, from: number, wanted: number): Transaction {
  let index = 0
  for (const { start, end } of itemsOf(head, from)) {
    if (index++ === wanted) return decodeTransaction(JSON.parse(head.slice(start, end)) as Head[3][number])
  }
  assert(false, 'each paid line of a batch has its transaction')
}
