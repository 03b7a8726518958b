// Iteration of a list: each page once, wherever the caller began. The service is an array.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_ROWS_MAX } from '../../../http/client/src/client-limits.ts'
import { type List, listOf } from '../../../http/client/src/list.ts'

const ROWS = Array.from({ length: 7 }, (_, row) => row)
/** A list that asks for the same page again would never end. */
const REQUESTS_MAX = 20

interface Wish {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

function listFrom(sent: Wish & { readonly state?: string }): { readonly list: List<number>; readonly asked: Wish[] } {
  const asked: Wish[] = []
  const list = listOf(sent, async (query: Wish & { readonly state?: string }) => {
    const { limit = 0, cursor, state } = query
    asked.push({ limit, ...(cursor === undefined ? {} : { cursor }) })
    assert.ok(asked.length <= REQUESTS_MAX, 'the list ends')
    assert.equal(state, sent.state, 'a filter is sent with each page')
    const from = cursor === undefined ? 0 : Number(cursor)
    const isLast = from + limit >= ROWS.length
    return { data: ROWS.slice(from, from + limit), has_more: !isLast, next_cursor: isLast ? null : String(from + limit) }
  })
  return { list, asked }
}

async function rowsOf(list: AsyncIterable<number>): Promise<number[]> {
  const rows: number[] = []
  for await (const row of list) rows.push(row)
  return rows
}

for (const limit of [1, 2, 3, 6, 7, 8]) {
  for (const from of [0, 1, 4, 6]) {
    test(`a list of pages of ${limit} begun at row ${from} gives each further row once`, async () => {
      const { list } = listFrom({ limit, state: 'paid', ...(from === 0 ? {} : { cursor: String(from) }) })
      assert.deepEqual(await rowsOf(list), ROWS.slice(from))
    })
  }
}

test("a list begun at the caller's cursor asks for each page once, and can be iterated again", async () => {
  const { list, asked } = listFrom({ limit: 2, cursor: '2' })
  const once = [
    { limit: 2, cursor: '2' },
    { limit: 2, cursor: '4' },
    { limit: 2, cursor: '6' },
  ]
  assert.deepEqual(await rowsOf(list), [2, 3, 4, 5, 6])
  assert.deepEqual(asked, once)
  assert.deepEqual(await list.toArray(10), [2, 3, 4, 5, 6])
  assert.deepEqual(asked, [...once, ...once])
})

test('a list without a limit asks for the largest pages, and its first page for none', async () => {
  const { list, asked } = listFrom({})
  await rowsOf(list)
  await list.page()
  assert.deepEqual(asked, [{ limit: PAGE_ROWS_MAX }, { limit: 0 }])
})
