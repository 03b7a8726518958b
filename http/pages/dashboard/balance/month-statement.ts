// The sums of a month's statement, from its rows. Pure: the closing balance is the opening one and all movements.

import type { Transaction } from '../../../../engine/contract/transaction.ts'
import type { TimeMs } from '../../../../engine/kernel/time.ts'

/** What a statement keeps of a row. */
export interface StatementRow {
  /** `2026-11-22`, in the time zone of the merchant. */
  readonly day: string
  readonly amount: number
  readonly balanceAfter: number
  readonly isFee: boolean
}

export interface StatementSums {
  readonly opening: number
  readonly incoming: number
  readonly outgoing: number
  /** Negative: what fees took, less what refunds gave back. */
  readonly fees: number
  readonly closing: number
  readonly count: number
}

export interface StatementDay extends StatementSums {
  readonly day: string
}

export interface MonthStatement extends StatementSums {
  /** Days with movements, oldest first. */
  readonly days: readonly StatementDay[]
}

/** `aheadMs`: how far the merchant's time zone is ahead of UTC. */
export function statementRow({ created_at, amount, balance_after, type }: Transaction, aheadMs: TimeMs): StatementRow {
  const day = aheadMs === 0 ? created_at.slice(0, 10) : new Date(Date.parse(created_at) + aheadMs).toISOString().slice(0, 10)
  return { day, amount, balanceAfter: balance_after, isFee: type === 'fee' || type === 'fee_refund' }
}

/** `rows` are all of the month, newest first; `opening` is the balance before the oldest. */
export function monthStatement(rows: readonly StatementRow[], opening: number): MonthStatement {
  const days: StatementDay[] = []
  let balance = opening
  for (let end = rows.length; end > 0; ) {
    const { day } = rows[end - 1] as StatementRow
    let start = end - 1
    while (start > 0 && rows[start - 1]?.day === day) start--
    const sums = sumsOf(rows.slice(start, end), balance)
    days.push({ day, ...sums })
    balance = sums.closing
    end = start
  }
  return { ...sumsOf(rows, opening), days }
}

function sumsOf(rows: readonly StatementRow[], opening: number): StatementSums {
  const sums = { incoming: 0, outgoing: 0, fees: 0 }
  for (const { amount, isFee } of rows) sums[isFee ? 'fees' : amount < 0 ? 'outgoing' : 'incoming'] += amount
  return { opening, ...sums, closing: rows[0]?.balanceAfter ?? opening, count: rows.length }
}
