// Lists of live state, CSV, masked names: what needs no server to be seen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PageQuery } from '../../../engine/contract/common.ts'
import { type StateRow, statePage } from '../../../engine/query/list-page.ts'
import { pageText } from '../../../http/lists/list-answers.ts'
import { maskedName } from '../../../http/text/masked-name.ts'

interface Page {
  readonly data: readonly StateRow[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

function row(number: number): StateRow {
  const id = `019aa0f8-1c00-7000-8000-${String(number).padStart(12, '0')}`
  return { id, created_at: new Date(Date.UTC(2026, 10, 20) + number * 1000).toISOString() }
}

function pageOf(rows: readonly StateRow[], query: PageQuery): Page {
  const page = statePage(query, { rows, render: (one) => one })
  assert.ok(page !== null)
  return JSON.parse(pageText(page)) as Page
}

test('walking the pages shows every row once, newest first, for any order and limit', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(Array.from({ length: 60 }, (_, index) => index)),
      fc.integer({ min: 1, max: 100 }),
      (numbers, limit) => {
        const rows = numbers.map(row)
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const page: Page = pageOf(rows, cursor === null ? { limit } : { limit, cursor })
          assert.ok(page.data.length <= limit)
          assert.equal(page.has_more, page.next_cursor !== null)
          seen.push(...page.data.map((one) => one.id))
          cursor = page.next_cursor
        } while (cursor !== null)
        const expected = [...numbers].sort((one, other) => other - one).map((number) => row(number).id)
        assert.deepEqual(seen, expected)
      },
    ),
  )
})

test('a row that appears between two pages does not shift them', () => {
  const rows = [0, 1, 2, 3].map(row)
  const first = pageOf(rows, { limit: 2 })
  const second = pageOf([...rows, row(9)], { limit: 2, cursor: first.next_cursor as string })
  assert.deepEqual(
    [...first.data, ...second.data].map((one) => one.id),
    [3, 2, 1, 0].map((number) => row(number).id),
  )
})

test('created_from is inclusive, created_to is not', () => {
  const rows = [0, 1, 2, 3].map(row)
  const page = pageOf(rows, { created_from: row(1).created_at, created_to: row(3).created_at })
  assert.deepEqual(page.data, [row(2), row(1)])
})

test('without a limit a page holds 20; an empty list is an empty page', () => {
  assert.equal(
    pageOf(
      Array.from({ length: 30 }, (_, index) => row(index)),
      {},
    ).data.length,
    20,
  )
  assert.deepEqual(pageOf([], {}), { data: [], has_more: false, next_cursor: null })
})

test('a cursor of another kind of list is refused', () => {
  const ofHistory = Buffer.from('p4096').toString('base64').replace(/=+$/, '')
  assert.equal(statePage({ cursor: ofHistory }, { rows: [row(1)], render: (one) => one }), null)
})

const NAMES: readonly (readonly [given: string, family: string, then: string])[] = [
  ['Awa', 'Diallo', 'Awa D.'],
  ['Awa Fatou', 'Diallo', 'Awa D.'],
  [' Awa ', ' diallo ', 'Awa D.'],
  ['Élodie', 'éboué', 'Élodie É.'],
  ['Koffi', 'e\u0301tienne', 'Koffi E\u0301.'],
  ['Awa', '', 'Awa'],
  ['', 'Diallo', 'D.'],
  ['', '', ''],
]

for (const [given_name, family_name, then] of NAMES) {
  test(`${JSON.stringify([given_name, family_name])} is masked as ${JSON.stringify(then)}`, () => {
    assert.equal(maskedName({ given_name, family_name }), then)
  })
}
