// Amounts that a comma splits in a file of commas: `500,001`, `12,50` of GHS. Their first digits must not be paid.
import { type AmountProblem, grouped, withoutCurrency } from './file-amount.ts'
import type { Column } from './file-columns.ts'
import { type FileCurrency, namesOf } from './file-currency.ts'
import type { FileRow } from './file-rows.ts'

type SplitAmount = Extract<AmountProblem, { readonly code: 'amount_two_readings' }>

/** The first digits of an amount whose thousands, or whose decimals, a comma may have split off; and what stands behind that comma. */
const THOUSANDS = [/^[1-9]\d{0,2}$/, /^\d{3}(?:\.\d+)?$/] as const
const DECIMALS = [/^(?:0|[1-9][\d \u00a0\u202f]*)$/, /^\d{1,2}$/] as const

/**
 * Returns the problem of an amount that a comma may have split: `500,001` or `1,000 F` without quotes in a file of commas is two cells.
 * Quoted cells stand for themselves.
 */
export function splitAmount({ cells, raw }: FileRow, order: readonly (Column | null)[], currency: FileCurrency): SplitAmount | null {
  const at = order.indexOf('amount')
  const [before = '', amount = '', behind = ''] = [cells[at - 1], cells[at], cells[at + 1]]
  const isSplit = (first: string, last: string, ways: Ways): boolean => {
    const [head, tail] = [withoutCurrency(first, currency), withoutCurrency(last, currency)]
    return raw.includes(`${first},${last}`) && ways.some(([heads, tails]) => heads.test(head) && tails.test(tail))
  }
  const ways = namesOf(currency).decimals === 0 ? [THOUSANDS] : [THOUSANDS, DECIMALS]
  const isHead = isSplit(amount, behind, ways)
  // A phone before an amount is no whole number before its decimals.
  if (!isHead && !isSplit(before, amount, order[at - 1] === 'recipient' ? [THOUSANDS] : ways)) return null
  const [first, last] = isHead ? [amount, behind] : [before, amount]
  const [head, tail] = [withoutCurrency(first, currency), withoutCurrency(last, currency)]
  const joined = DECIMALS[1].test(tail) ? `${grouped(head)},${tail}` : grouped(head + tail.slice(0, 3))
  return {
    code: 'amount_two_readings',
    typed: `${first.trim()},${last.trim()}`,
    readings: [joined, isHead ? grouped(head) : grouped(tail.slice(0, 3))],
  }
}

type Ways = readonly (readonly [heads: RegExp, tails: RegExp])[]
