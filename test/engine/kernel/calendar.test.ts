// Calendar arithmetic: rows for well-known days, properties for all the others, held against Date.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { daysIn, isLeapYear, nextOccurrence, type Recurrence, TIME_MAX } from '../../../engine/kernel/calendar.ts'
import { runs } from '../../support/property-runs.ts'

const ms = (text: string): number => Date.parse(text)

interface Row {
  readonly start: string
  readonly recurrence: Recurrence
  /** The occurrences that follow one another from the start on. */
  readonly then: readonly string[]
}

const ROWS: readonly Row[] = [
  { start: '2026-11-20T10:00:00.000Z', recurrence: 'once', then: [] },
  { start: '2026-12-25T23:59:59.999Z', recurrence: 'weekly', then: ['2027-01-01T23:59:59.999Z', '2027-01-08T23:59:59.999Z'] },
  { start: '2028-02-24T00:00:00.000Z', recurrence: 'weekly', then: ['2028-03-02T00:00:00.000Z', '2028-03-09T00:00:00.000Z'] },
  { start: '2027-02-24T00:00:00.000Z', recurrence: 'weekly', then: ['2027-03-03T00:00:00.000Z'] },
  {
    start: '2026-12-31T08:30:00.000Z',
    recurrence: 'monthly',
    then: [
      '2027-01-31T08:30:00.000Z',
      '2027-02-28T08:30:00.000Z',
      '2027-03-31T08:30:00.000Z',
      '2027-04-30T08:30:00.000Z',
      '2027-05-31T08:30:00.000Z',
    ],
  },
  { start: '2028-01-30T00:00:00.000Z', recurrence: 'monthly', then: ['2028-02-29T00:00:00.000Z', '2028-03-30T00:00:00.000Z'] },
  { start: '2028-01-29T00:00:00.000Z', recurrence: 'monthly', then: ['2028-02-29T00:00:00.000Z', '2028-03-29T00:00:00.000Z'] },
  { start: '2027-01-29T23:59:59.999Z', recurrence: 'monthly', then: ['2027-02-28T23:59:59.999Z', '2027-03-29T23:59:59.999Z'] },
  {
    start: '2027-11-28T12:00:00.000Z',
    recurrence: 'monthly',
    then: ['2027-12-28T12:00:00.000Z', '2028-01-28T12:00:00.000Z', '2028-02-28T12:00:00.000Z'],
  },
  {
    start: '2028-02-29T06:00:00.000Z',
    recurrence: 'yearly',
    then: ['2029-02-28T06:00:00.000Z', '2030-02-28T06:00:00.000Z', '2031-02-28T06:00:00.000Z', '2032-02-29T06:00:00.000Z'],
  },
  {
    start: '2096-02-29T00:00:00.000Z',
    recurrence: 'yearly',
    then: ['2097-02-28T00:00:00.000Z', '2098-02-28T00:00:00.000Z', '2099-02-28T00:00:00.000Z', '2100-02-28T00:00:00.000Z'],
  },
  { start: '1999-12-31T00:00:00.000Z', recurrence: 'yearly', then: ['2000-12-31T00:00:00.000Z', '2001-12-31T00:00:00.000Z'] },
  { start: '9999-11-30T00:00:00.000Z', recurrence: 'monthly', then: ['9999-12-30T00:00:00.000Z'] },
  { start: '9999-01-01T00:00:00.000Z', recurrence: 'yearly', then: [] },
]

for (const { start, recurrence, then } of ROWS) {
  test(`${recurrence} from ${start}`, () => {
    const seen: string[] = []
    for (let at: number | null = ms(start); seen.length < then.length; seen.push(new Date(at).toISOString())) {
      at = nextOccurrence(ms(start), recurrence, at)
      if (at === null) break
    }
    assert.deepEqual(seen, then)
    const last = then.at(-1) ?? start
    if (recurrence === 'once' || last.startsWith('9999')) assert.equal(nextOccurrence(ms(start), recurrence, ms(last)), null)
  })
}

/** What Date says occurrence `n` is. */
function byDate(startMs: number, recurrence: Recurrence, n: number): number {
  const start = new Date(startMs)
  if (recurrence === 'weekly') return startMs + n * 7 * 86_400_000
  const months = start.getUTCMonth() + n * (recurrence === 'monthly' ? 1 : 12)
  const year = start.getUTCFullYear()
  const last = new Date(0)
  last.setUTCFullYear(year, months + 1, 0)
  const day = new Date(0)
  day.setUTCFullYear(year, months, Math.min(start.getUTCDate(), last.getUTCDate()))
  return day.getTime() + (startMs - Math.floor(startMs / 86_400_000) * 86_400_000)
}

/** Any millisecond of the years 1970 to 2600, month ends and leap days more often than not. */
const START = fc
  .tuple(
    fc.integer({ min: 1970, max: 2600 }),
    fc.integer({ min: 0, max: 11 }),
    fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 28, max: 31 })),
    fc.integer({ min: 0, max: 86_399_999 }),
  )
  .map(([year, month, day, restMs]) => Date.UTC(year, month, Math.min(day, daysIn(year, month + 1))) + restMs)

const REPEATING = fc.constantFrom<Recurrence>('weekly', 'monthly', 'yearly')

test('occurrence n is what Date says, one after the other', () => {
  fc.assert(
    fc.property(START, REPEATING, fc.integer({ min: 1, max: 60 }), (startMs, recurrence, count) => {
      let at = startMs
      for (let n = 1; n <= count; n++) {
        const next = nextOccurrence(startMs, recurrence, at)
        assert.equal(next, byDate(startMs, recurrence, n))
        at = next as number
      }
    }),
    { numRuns: runs(500) },
  )
})

test('from any moment the next one is the first that comes after it: none is skipped, none comes again', () => {
  fc.assert(
    fc.property(
      START,
      REPEATING,
      fc.integer({ min: 0, max: 4000 }),
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: 0, max: 6 * 86_400_000 }),
      (startMs, recurrence, n, aroundMs, laterMs) => {
        const occurrence = n === 0 ? startMs : byDate(startMs, recurrence, n)
        fc.pre(occurrence + 8 * 86_400_000 < TIME_MAX)
        assert.equal(nextOccurrence(startMs, recurrence, occurrence - 1), occurrence)
        assert.equal(nextOccurrence(startMs, recurrence, occurrence), byDate(startMs, recurrence, n + 1))
        assert.equal(nextOccurrence(startMs, recurrence, occurrence + laterMs), byDate(startMs, recurrence, n + 1))
        const near = nextOccurrence(startMs, recurrence, occurrence + aroundMs) as number
        assert.ok(near > occurrence + aroundMs)
      },
    ),
    { numRuns: runs(2000) },
  )
})

test('before the start the start is next, once included', () => {
  fc.assert(
    fc.property(
      START,
      fc.constantFrom<Recurrence>('once', 'weekly', 'monthly', 'yearly'),
      fc.integer({ min: 1, max: 1e12 }),
      (startMs, recurrence, beforeMs) => {
        assert.equal(nextOccurrence(startMs, recurrence, startMs - beforeMs), startMs)
      },
    ),
  )
})

test('leap years and the lengths of months are right', () => {
  assert.deepEqual([1900, 2000, 2023, 2024, 2100, 2400].map(isLeapYear), [false, true, false, true, false, true])
  for (let year = 1996; year <= 2101; year++) {
    for (let month = 1; month <= 12; month++) assert.equal(daysIn(year, month), new Date(Date.UTC(year, month, 0)).getUTCDate())
  }
})
