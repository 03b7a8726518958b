// Documents as CSV: one column for each field, objects flattened, everything once over slices that end early.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCursor } from '../../../engine/contract/cursor.ts'
import { Type } from '../../../engine/contract/schema.ts'
import { CsvColumns, pageOf } from '../../../http/lists/document-csv.ts'
import { CSV_CANDIDATES_MAX } from '../../../http/lists/list-limits.ts'

test('fields are columns, those of an inner object too, and a map is JSON text', () => {
  const schema = Type.Object({
    id: Type.String(),
    to: Type.Object({ kind: Type.String(), name: Type.String() }),
    metadata: Type.Record(Type.String(), Type.String()),
    amount: Type.Integer(),
    paid_at: Type.Union([Type.String(), Type.Null()]),
    open: Type.Optional(Type.Boolean()),
  })
  const columns = new CsvColumns(schema)
  assert.equal(columns.header, 'id,to.kind,to.name,metadata,amount,paid_at,open\r\n')
  const record = { id: 'a', to: { kind: 'bank', name: '=1+1' }, metadata: { a: 'b' }, amount: -5, paid_at: null, open: true }
  assert.equal(columns.line(record), `a,bank,'=1+1,"{""a"":""b""}",-5,,true\r\n`)
})

test('a page ends early rather than look at more than it may, and none of its rows is lost', () => {
  const LAST = CSV_CANDIDATES_MAX * 3
  let asked = 0
  /** Every tenth candidate is in the list. */
  const ask = ({ limit = 0, cursor }: { readonly limit?: number; readonly cursor?: string }) => {
    asked++
    const from = cursor === undefined ? LAST : Number(atob(cursor).slice(1))
    const candidates = Array.from({ length: Math.min(16, from) }, (_, index) => from - 1 - index)
    const positions = candidates.filter((position) => position % 10 === 0).slice(0, limit)
    const end = from - candidates.length
    return {
      rows: positions.map(String),
      positions,
      candidates: candidates.length,
      nextCursor: end > 0 ? encodeCursor({ position: end }) : null,
    }
  }
  const rows: string[] = []
  let pages = 0
  for (
    let cursor: string | undefined, page = pageOf(ask, { limit: 20 });
    page !== null;
    page = pageOf(ask, { limit: 20, ...(cursor === undefined ? {} : { cursor }) })
  ) {
    pages++
    rows.push(...page.rows)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  assert.deepEqual(
    rows,
    Array.from({ length: Math.ceil(LAST / 10) }, (_, index) => String((Math.ceil(LAST / 10) - 1 - index) * 10)),
  )
  assert.ok(pages > 2 && asked <= LAST / 16 + pages)
})
