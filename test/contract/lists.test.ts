// Lists of live state, CSV, masked names: what needs no server to be seen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { History, Page as HistoryPage, Hit, PageRequest } from '../../engine/actor/history.ts'
import type { PageQuery } from '../../engine/contract/common.ts'
import type { Transaction } from '../../engine/contract/transaction.ts'
import { answerCsv, CSV_LINES_MAX, prefersCsv } from '../../http/lists/csv.ts'
import { rowsPage, type StateRow } from '../../http/lists/lists.ts'
import { CSV_HEADER, csvLine } from '../../http/lists/statement.ts'
import { maskedName } from '../../http/masked-name.ts'
import { STATEMENT_LINE } from '../../http/openapi/examples.ts'
import type { Call } from '../../http/route.ts'

interface Page {
  readonly data: readonly StateRow[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

function row(number: number): StateRow {
  const id = `019aa0f8-1c00-7000-8000-${String(number).padStart(12, '0')}`
  return { id, created_at: new Date(Date.UTC(2026, 10, 20) + number * 1000).toISOString() }
}

function pageOf(rows: readonly StateRow[], query: Parameters<typeof rowsPage>[1]): Page {
  return JSON.parse(rowsPage(rows, query, (one) => one) as string) as Page
}

test('walking the pages shows every row once, newest first, whatever their order and the limit', () => {
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
  assert.equal(
    rowsPage([row(1)], { cursor: ofHistory }, (one) => one),
    null,
  )
})

/** History of so many records, each one hit. */
function longHistory(count: number): History {
  const page = ({ limit, below = count }: PageRequest): HistoryPage => {
    const hits = Array.from({ length: Math.min(limit, below) }, (_, index) => ({ position: below - 1 - index }) as Hit)
    const last = below - hits.length
    return { hits, next: last > 0 ? last : null }
  }
  return { page } as unknown as History
}

/** The answer to a call for CSV with this query. */
function exported(
  count: number,
  query: PageQuery,
  queryText: string,
): Promise<{ readonly lines: string[]; readonly link: string | undefined }> {
  return new Promise((resolve) => {
    const answerAs: Call['answerAs'] = (_status, body, headers) => {
      resolve({ lines: String(body).split('\n').slice(1, -1), link: headers.find(([name]) => name === 'link')?.[1] })
    }
    const call = { query, queryText, accept: 'text/csv', answerAs } as unknown as Call<unknown, PageQuery>
    answerCsv(call, longHistory(count), {
      path: '/v1/biz/transactions',
      header: 'position\n',
      terms: [],
      keep: () => true,
      render: (hit) => `${hit.position}\n`,
    })
  })
}

test('an export of many slices has every line once, in order', async () => {
  const { lines, link } = await exported(1234, {}, '')
  assert.deepEqual(
    lines,
    Array.from({ length: 1234 }, (_, index) => String(1233 - index)),
  )
  assert.equal(link, undefined)
})

test('an export that is longer than an answer may be leads to its next part', async () => {
  const first = await exported(CSV_LINES_MAX + 1, {}, 'type=payout')
  assert.equal(first.lines.length, CSV_LINES_MAX)
  const next = /^<\/v1\/biz\/transactions\?type=payout&cursor=([^&>]+)>; rel="next"$/.exec(first.link ?? '')?.[1]
  const second = await exported(CSV_LINES_MAX + 1, { cursor: decodeURIComponent(next ?? '') }, '')
  assert.deepEqual(second, { lines: ['0'], link: undefined })
})

test('an export of exactly the largest length is complete', async () => {
  assert.equal((await exported(CSV_LINES_MAX, {}, '')).link, undefined)
  assert.deepEqual((await exported(250, { limit: 100 }, 'limit=100')).lines.length, 100)
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

const ACCEPTS: readonly (readonly [accept: string, csv: boolean])[] = [
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/csv', true],
  ['TEXT/CSV', true],
  ['text/csv;q=0', false],
  ['text/csv; q=0.5, application/json', false],
  ['application/json;q=0.5, text/csv;q=0.9', true],
  ['text/csv, */*;q=0.1', true],
  ['text/csv;q=nonsense', false],
  ['text/*', false],
  ['application/xml', false],
]

for (const [accept, csv] of ACCEPTS) {
  test(`Accept: ${accept} is answered with ${csv ? 'CSV' : 'JSON'}`, () => assert.equal(prefersCsv(accept), csv))
}

const FIELDS: readonly (readonly [name: string, line: Partial<Transaction>, then: string])[] = [
  ['a plain reference', { reference: 'PAIE-11' }, 'PAIE-11'],
  ['nothing', { reference: '' }, ''],
  ['a comma', { reference: 'a,b' }, '"a,b"'],
  ['quotes', { reference: 'a "b"' }, '"a ""b"""'],
  ['a space in front', { reference: ' a' }, '" a"'],
  ['a formula', { reference: '=1+1' }, "'=1+1"],
  ['a formula with quotes', { reference: '=HYPERLINK("x","y")' }, `"'=HYPERLINK(""x"",""y"")"`],
  ['a plus', { reference: '+225' }, "'+225"],
  ['an at sign', { reference: '@awa' }, "'@awa"],
]

for (const [name, line, then] of FIELDS) {
  test(`CSV: ${name}`, () => {
    const text = csvLine({ ...STATEMENT_LINE, ...line })
    assert.ok(text.includes(`,XOF,${then},awa_diallo,`), text)
    assert.ok(text.endsWith('\r\n'))
  })
}

test('CSV: numbers keep their sign, null is empty, the columns are the fields in their order', () => {
  assert.equal(CSV_HEADER, `${Object.keys(STATEMENT_LINE).join(',')}\r\n`)
  assert.equal(
    csvLine(STATEMENT_LINE),
    `${STATEMENT_LINE.id},payout,-5000,245000,XOF,PAIE-2026-11,awa_diallo,,${STATEMENT_LINE.payout_id},,2026-11-20T10:00:00.000Z\r\n`,
  )
})
