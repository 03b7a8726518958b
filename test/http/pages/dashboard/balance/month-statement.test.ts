// The sums of a statement: each day closes where the next opens, and fees stand apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Transaction } from '../../../../../engine/contract/transaction.ts'
import { monthStatement, type StatementRow, statementRow } from '../../../../../http/pages/dashboard/balance/month-statement.ts'

/** Rows of days with amounts, oldest first. */
function rowsOf(opening: number, movements: readonly (readonly [day: string, amount: number, isFee?: boolean])[]): StatementRow[] {
  let balance = opening
  const rows = movements.map(([day, amount, isFee = false]) => {
    balance += amount
    return { day, amount, balanceAfter: balance, isFee }
  })
  return rows.reverse()
}

test('a month has its fees apart, and a day without movements is not in it', () => {
  const rows = rowsOf(1000, [
    ['2026-11-02', 5000],
    ['2026-11-02', -50, true],
    ['2026-11-04', -2000],
    ['2026-11-04', 20, true],
  ])
  const { days, ...month } = monthStatement(rows, 1000)
  assert.deepEqual(month, { opening: 1000, incoming: 5000, outgoing: -2000, fees: -30, closing: 3970, count: 4 })
  assert.deepEqual(days, [
    { day: '2026-11-02', opening: 1000, incoming: 5000, outgoing: 0, fees: -50, closing: 5950, count: 2 },
    { day: '2026-11-04', opening: 5950, incoming: 0, outgoing: -2000, fees: 20, closing: 3970, count: 2 },
  ])
  assert.deepEqual(monthStatement([], 70), { opening: 70, incoming: 0, outgoing: 0, fees: 0, closing: 70, count: 0, days: [] })
})

test('the closing balance is the opening one and all movements, of the month and of each day', () => {
  const movement = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -1000, max: 1000 }), fc.boolean())
  fc.assert(
    fc.property(fc.nat(10_000), fc.array(movement, { maxLength: 40 }), (opening, movements) => {
      const ordered = movements.toSorted(([one], [other]) => one - other)
      const rows = rowsOf(
        opening,
        ordered.map(([day, amount, isFee]) => [`2026-11-0${day}`, amount, isFee]),
      )
      const month = monthStatement(rows, opening)
      for (const sums of [month, ...month.days]) assert.equal(sums.opening + sums.incoming + sums.outgoing + sums.fees, sums.closing)
      assert.deepEqual(
        month.days.slice(1).map((day) => day.opening),
        month.days.slice(0, -1).map((day) => day.closing),
      )
    }),
  )
})

test('a movement just before midnight in UTC belongs to the next day of a merchant that is an hour ahead', () => {
  const transaction = { created_at: '2026-11-30T23:30:00.000Z', amount: 5, balance_after: 5, type: 'charge' } as Transaction
  assert.equal(statementRow(transaction, 0).day, '2026-11-30')
  assert.equal(statementRow(transaction, 3_600_000).day, '2026-12-01')
  assert.equal(statementRow({ ...transaction, created_at: '2026-12-01T00:30:00.000Z' }, -3_600_000).day, '2026-11-30')
})
