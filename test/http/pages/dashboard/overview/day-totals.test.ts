// Takings and payouts of each day: what is new is counted once, what is too much is counted over several views, and a day
// that is not whole says so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EngineApi, QueryAnswer, QueryInput } from '../../../../../engine/api.ts'
import { DAY_MS, type DayTotal, DayTotalsReader } from '../../../../../http/pages/dashboard/overview/day-totals.ts'
import { CHART_TRANSACTIONS_MAX } from '../../../../../http/pages/dashboard/shared/dashboard-limits.ts'

type Movement = QueryAnswer<'transactions.movements'>['movements'][number]

const ACCOUNT = 7
const NOON = 20_000 * DAY_MS + DAY_MS / 2

/** A history that holds one payout of 10 for each of these times, oldest first. */
class Payouts {
  readonly timesMs: number[] = []
  pagesRead = 0

  page({ below, fromMs, toMs, limit }: QueryInput<'transactions.movements'>): QueryAnswer<'transactions.movements'> {
    this.pagesRead++
    const movements: Movement[] = []
    let at = Math.min(below ?? Number.MAX_SAFE_INTEGER, this.timesMs.length) - 1
    while (at >= 0 && (this.timesMs[at] as number) >= toMs) at--
    for (; at >= 0 && movements.length < limit && (this.timesMs[at] as number) >= fromMs; at--)
      movements.push({ position: at, timeMs: this.timesMs[at] as number, type: 'payout', amount: -10 })
    const hasMore = at >= 0 && (this.timesMs[at] as number) >= fromMs
    return { movements, next: hasMore ? at + 1 : null }
  }

  add(count: number, timeMs: number): void {
    for (let one = 0; one < count; one++) this.timesMs.push(timeMs)
  }

  get engine(): Pick<EngineApi, 'query'> {
    return { query: (_name: string, input: QueryInput<'transactions.movements'>) => this.page(input) } as unknown as Pick<
      EngineApi,
      'query'
    >
  }
}

const today = (days: readonly DayTotal[]): readonly [number, boolean] => [days.at(-1)?.payoutsCount ?? -1, days.at(-1)?.sinceMs === null]

describe('the totals of a day', () => {
  test('the totals of a day begin with nothing and take up what comes, reading little again', async () => {
    const payouts = new Payouts()
    const reader = new DayTotalsReader()
    const read = (nowMs = NOON) => reader.read(payouts.engine, ACCOUNT, nowMs, 3)
    assert.deepEqual(today(await read()), [0, true])
    payouts.add(3, NOON)
    assert.deepEqual(today(await read()), [3, true])
    payouts.add(2000, NOON + 1)
    assert.deepEqual(today(await read()), [2003, true])
    payouts.pagesRead = 0
    payouts.add(1, NOON + 2)
    const days = await read()
    assert.deepEqual(today(days), [2004, true])
    assert.equal(days.at(-1)?.payouts, 20_040)
    assert.ok(payouts.pagesRead <= 2, `${payouts.pagesRead} pages`)
  })

  test('the totals of a day that ended without a view has all of it', async () => {
    const payouts = new Payouts()
    const reader = new DayTotalsReader()
    payouts.add(5, NOON)
    await reader.read(payouts.engine, ACCOUNT, NOON, 3)
    payouts.add(7, NOON + DAY_MS / 4)
    payouts.add(1, NOON + DAY_MS)
    const days = await reader.read(payouts.engine, ACCOUNT, NOON + DAY_MS, 3)
    assert.deepEqual(
      days.map(({ payoutsCount, sinceMs }) => [payoutsCount, sinceMs]),
      [
        [0, null],
        [12, null],
        [1, null],
      ],
    )
  })

  test('the totals of a day with too many is counted over several views, and says since when', async () => {
    const payouts = new Payouts()
    const reader = new DayTotalsReader()
    const read = () => reader.read(payouts.engine, ACCOUNT, NOON, 2)
    payouts.add(40, NOON - DAY_MS)
    payouts.add(CHART_TRANSACTIONS_MAX, NOON - 2)
    payouts.add(CHART_TRANSACTIONS_MAX, NOON - 1)
    const first = await read()
    assert.deepEqual(
      first.map(({ payoutsCount, sinceMs }) => [payoutsCount, sinceMs]),
      [
        [0, NOON - (NOON % DAY_MS)],
        [CHART_TRANSACTIONS_MAX, NOON - 1],
      ],
    )
    payouts.add(10, NOON)
    await read()
    assert.deepEqual(today(await read()), [2 * CHART_TRANSACTIONS_MAX + 10, true])
    assert.deepEqual(
      (await read()).map(({ payoutsCount, sinceMs }) => [payoutsCount, sinceMs]),
      [
        [40, null],
        [2 * CHART_TRANSACTIONS_MAX + 10, null],
      ],
    )
  })

  test('the totals of a day is right again after more came between two views than one can read', async () => {
    const payouts = new Payouts()
    const reader = new DayTotalsReader()
    const read = () => reader.read(payouts.engine, ACCOUNT, NOON, 1)
    payouts.add(500, NOON - 2)
    await read()
    payouts.add(CHART_TRANSACTIONS_MAX + 500, NOON - 1)
    assert.deepEqual(today(await read()), [CHART_TRANSACTIONS_MAX, false])
    assert.deepEqual(today(await read()), [CHART_TRANSACTIONS_MAX + 1000, true])
  })

  test('the totals of a day are walked once for all who ask at the same time', async () => {
    const payouts = new Payouts()
    const reader = new DayTotalsReader()
    payouts.add(1000, NOON)
    const read = () => reader.read(payouts.engine, ACCOUNT, NOON, 1)
    const answers = await Promise.all([read(), read(), read()])
    assert.deepEqual(answers.map(today), [
      [1000, true],
      [1000, true],
      [1000, true],
    ])
    assert.ok(payouts.pagesRead <= 11, `${payouts.pagesRead} pages`)
  })
})
