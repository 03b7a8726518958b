// Totals of lists: what is counted within the bound of rows, and an exact total that views of some seconds add up, one after the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountNumber } from '../../../../../engine/api.ts'
import { TotalsReader } from '../../../../../http/pages/dashboard/lists/list-totals.ts'
import { EXACT_TOTALS_MS, TOTALS_ROWS_MAX } from '../../../../../http/pages/dashboard/shared/dashboard-limits.ts'

const ACCOUNT = 7 as AccountNumber
const PAGE_ROWS = 100
/** Pages that one view reads: the clock goes on by this part of its time with each. */
const PAGES_PER_VIEW = 20

/** A list of rows with the amounts 0, 1, 2 …, read by a clock of its own. */
function listOf(rowsCount: number) {
  let [nowMs, reads] = [0, 0]
  const page = (from: number) => {
    const count = Math.min(PAGE_ROWS, rowsCount - from)
    const next = from + count
    return { data: Array.from({ length: count }, (_, at) => from + at), next_cursor: next < rowsCount ? String(next) : null }
  }
  const reader = new TotalsReader(() => nowMs)
  const view = (exact: string | null, timeMs = 1000, account = ACCOUNT) =>
    reader.read(account, {
      ...{ first: page(0), exact, timeMs },
      next: (cursor) => {
        nowMs += EXACT_TOTALS_MS / PAGES_PER_VIEW
        reads++
        return Promise.resolve(page(Number(cursor)))
      },
      counted: (amount) => ({ group: amount % 2 === 0 ? 'even' : 'odd', amount }),
    })
  return { view, reads: () => reads }
}

test('a list is counted up to the bound of rows', async () => {
  const { view } = listOf(10 * TOTALS_ROWS_MAX)
  const { count, isCut, since } = await view(null)
  assert.deepEqual([count, isCut, since], [TOTALS_ROWS_MAX, true, null])
})

test('an exact total of any number of rows is reached by views that continue, and reads each page once', async () => {
  const rowsCount = 60_007
  const { view, reads } = listOf(rowsCount)
  let views = 1
  let totals = await view('state=paid', 5000)
  assert.deepEqual([totals.count, totals.since], [PAGE_ROWS * (1 + PAGES_PER_VIEW), null])
  for (; totals.isCut; views++) totals = await view('state=paid', 9000)
  assert.deepEqual([totals.count, totals.since, views], [rowsCount, 5000, Math.ceil(reads() / PAGES_PER_VIEW)])
  assert.equal(reads(), Math.ceil(rowsCount / PAGE_ROWS) - 1)
  const odd = Math.floor(rowsCount / 2)
  assert.deepEqual(totals.groups.get('odd'), { count: odd, amount: odd ** 2 })
  assert.equal((await view('state=paid')).count, PAGE_ROWS * (1 + PAGES_PER_VIEW))
})

test('an exact total is continued for its account and its filters alone', async () => {
  const { view } = listOf(60_000)
  const { count } = await view('state=paid')
  assert.equal((await view('state=paid', 1000, 8 as AccountNumber)).count, count)
  assert.equal((await view('state=failed')).count, count)
  assert.equal((await view('state=failed')).count, 2 * count - PAGE_ROWS)
})
