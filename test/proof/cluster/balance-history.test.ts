// The checker of balances accepts what some order explains, and refuses each kind of history that none explains.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Prng } from '../../support/prng.ts'
import { type BalanceOperation, balanceContradiction } from './balance-history.ts'

const change = (startMs: number, endMs: number, amount = -1, balanceAfter: number | null = null): BalanceOperation => {
  return { kind: 'change', startMs, endMs, amount, balanceAfter }
}
const read = (startMs: number, endMs: number, balance: number): BalanceOperation => ({
  kind: 'reading',
  node: 'b',
  startMs,
  endMs,
  balance,
})
const NEVER = Number.POSITIVE_INFINITY

describe('a history of changes and readings of one balance', () => {
  const rows: [title: string, operations: BalanceOperation[], contradiction: RegExp | null][] = [
    ['is explained when each reading shows what was acknowledged before it', [change(0, 10), read(11, 12, 99)], null],
    ['is explained when a change under way shows', [change(0, 10), read(1, 2, 99), read(3, 4, 99)], null],
    ['is explained when a change under way does not show yet', [change(0, 10), read(1, 2, 100)], null],
    ['is explained when an unanswered change shows late', [change(0, NEVER), read(1, 2, 100), read(50, 51, 99)], null],
    ['is explained when an unanswered change never shows', [change(0, NEVER), read(50, 51, 100)], null],
    ['is explained when one of two changes under way shows', [change(0, 10, -5), change(0, 10, 3), read(1, 2, 103), read(3, 4, 98)], null],
    ['is explained when two changes at once left balances in one order', [change(0, 10, -1, 98), change(0, 10, -1, 99)], null],
    ['leaves the order of overlapping readings open', [change(0, 10), read(1, 4, 99), read(3, 5, 100)], null],
    ['is refused when an acknowledged change does not show', [change(0, 10), read(11, 12, 100)], /balance 100 read at b/],
    ['is refused when a change shows that was not sent', [change(20, 30), read(11, 12, 99)], /balance 99 read at b/],
    ['is refused when a change counted twice', [change(0, 10), read(11, 12, 98)], /balance 98 read at b/],
    ['is refused when a change under way shows and is gone again', [change(0, 10), read(1, 2, 99), read(3, 4, 100)], /no order/],
    ['is refused when two changes left the same balance', [change(0, 10, -1, 99), change(0, 10, -1, 99)], /no order/],
    ['is refused when two readings show two changes in different orders', different(), /no order/],
  ]
  for (const [title, operations, contradiction] of rows) {
    it(title, () => {
      const found = balanceContradiction(100, operations)
      if (contradiction === null) assert.equal(found, null)
      else assert.match(found ?? 'no contradiction', contradiction)
    })
  }

  it('is explained when it was recorded from a balance that changes at one moment, and refused with one wrong reading', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { operations, wrong } = recorded(new Prng(seed), 400)
      assert.equal(balanceContradiction(100, operations), null)
      assert.notEqual(balanceContradiction(100, [...operations, wrong]), null)
    }
  })
})

/** One reading shows the first change alone, a later one the second alone, while both are under way. */
function different(): BalanceOperation[] {
  return [change(0, 50, -5), change(0, 50, 3), read(1, 2, 95), read(3, 4, 103)]
}

/** A history of clients of a real counter: each operation happens at a moment within its time. */
function recorded(prng: Prng, count: number): { readonly operations: BalanceOperation[]; readonly wrong: BalanceOperation } {
  const moments = Array.from({ length: count }, (_, index) => ({ atMs: index * 10, beforeMs: prng.below(60), afterMs: prng.below(60) }))
  let balance = 100
  const operations = moments.map(({ atMs, beforeMs, afterMs }): BalanceOperation => {
    const [startMs, endMs] = [atMs - beforeMs, atMs + afterMs]
    if (prng.chance(0.5)) return read(startMs, endMs, balance)
    const amount = prng.below(9) - 4
    balance += amount
    return change(startMs, endMs, amount, prng.chance(0.3) ? balance : null)
  })
  const end = count * 10 + 100
  return { operations, wrong: read(end, end + 1, balance + 1) }
}
