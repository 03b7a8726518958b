// The checker of histories: it accepts what some order explains, and names each kind of fault.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contradictions, type Payment, type Reading } from './balance-history.ts'

const paid = (startMs: number, endMs: number): Payment => ({ key: `${startMs}`, startMs, endMs, body: '' })
const read = (startMs: number, endMs: number, balance: number): Reading => ({ node: 'b', startMs, endMs, balance })

describe('a history of payouts and balances', () => {
  const rows: [title: string, payments: Payment[], readings: Reading[], fault: RegExp | null][] = [
    ['is explained when each reading shows what was acknowledged before it', [paid(0, 10)], [read(11, 12, 99)], null],
    ['is explained when a payout under way shows', [paid(0, 10)], [read(1, 2, 99), read(3, 4, 99)], null],
    ['is explained when a payout under way does not show yet', [paid(0, 10)], [read(1, 2, 100)], null],
    ['is refused when an acknowledged payout does not show', [paid(0, 10)], [read(11, 12, 100)], /0 payouts when 1 were acknowledged/],
    ['is refused when a payout shows that was not sent', [paid(20, 30)], [read(11, 12, 99)], /1 payouts when 0 were sent/],
    ['is refused when a payout counted twice', [paid(0, 10)], [read(11, 12, 98)], /2 payouts when 1 were sent/],
    ['is refused when a payout under way shows and is gone again', [paid(0, 10)], [read(1, 2, 99), read(3, 4, 100)], /0 payouts after 1/],
    ['leaves the order of overlapping readings open', [paid(0, 10)], [read(1, 4, 99), read(3, 5, 100)], null],
  ]
  for (const [title, payments, readings, fault] of rows) {
    it(title, () => {
      const found = contradictions(100, payments, readings)
      if (fault === null) assert.deepEqual(found, [])
      else assert.match(found.join('\n'), fault)
    })
  }
})
