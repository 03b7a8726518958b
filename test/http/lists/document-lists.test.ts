// Lists of documents as CSV over HTTP: the rows and the fields of the same list as JSON.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openCharge } from '../../support/charge-callers.ts'
import { csvRows } from '../../support/csv-rows.ts'
import { type Merchant, newKey, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'
import { ok } from '../../support/wallet-callers.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.fundedMerchant(100_000)
})

type Row = Readonly<Record<string, unknown>>

/** The row of the CSV for a record: a field of an inner object is one column, a list or a map is JSON text. */
function cellsOf(record: Row): Record<string, string> {
  const cells = Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    INNER.has(name) ? Object.entries(value as Row).map(([inner, of]): [string, unknown] => [`${name}.${inner}`, of]) : [[name, value]],
  )
  return Object.fromEntries(cells.map(([name, value]) => [name, textOf(value)]))
}

/** Objects with named fields. */
const INNER: ReadonlySet<string> = new Set(['destination', 'fulfillment', 'created_by'])

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' || typeof value === 'boolean' ? JSON.stringify(value) : String(value)
  // A spreadsheet would take such a text for a formula.
  return /^[=+@-]/.test(text) ? `'${text}` : text
}

/** Compares every cell that the JSON has; the CSV has a column for each field of the schema. */
async function compare(path: string, query: string, count: number): Promise<void> {
  const { body } = await ok(merchant.test.get<{ data: Row[] }>(`${path}?${query}`))
  const csv = await ok(merchant.test.get(`${path}?${query}`, { headers: { accept: 'text/csv' } }))
  assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
  assert.match(csv.headers['content-disposition'] ?? '', /filename="[a-z-]+\.csv"/)
  const rows = csvRows(csv.text)
  assert.deepEqual([body.data.length, rows.length], [count, count])
  for (const [index, record] of body.data.entries()) {
    const row = rows[index] ?? {}
    for (const [name, text] of Object.entries(cellsOf(record))) assert.equal(row[name], text, `${path} ${name}`)
  }
}

describe('a list of documents as CSV', () => {
  it('a list of charges has the rows and fields of the JSON, by every filter', async () => {
    await openCharge(merchant, { reference: 'A;"é"', metadata: { order: '=1+1' } })
    await openCharge(merchant, { reference: 'B' })
    const { token } = await openCharge(merchant, { reference: 'B' })
    await ok(merchant.test.post(`/v1/biz/charges/${token}/cancel`, undefined, newKey()))
    await compare('/v1/biz/charges', '', 3)
    await compare('/v1/biz/charges', 'state=cancelled', 1)
    await compare('/v1/biz/charges', 'reference=B&limit=1', 1)
  })

  it('a list of batches has the rows and fields of the JSON', async () => {
    const tag = await server.wallet(merchant)
    const items = [
      { recipient: tag, amount: 5, note: 'Août; "x"' },
      { recipient: 'nobody_here', amount: 6 },
    ]
    await ok(merchant.test.post('/v1/biz/payouts/batch', { reference: 'PAIE', items }, newKey()))
    await ok(merchant.test.post('/v1/biz/payouts/batch', { items }, newKey()))
    await compare('/v1/biz/payouts/batch', '', 2)
  })

  it('lists of top-ups and withdrawals have the rows and fields of the JSON', async () => {
    for (const reference of ['un', 'deux']) await ok(merchant.test.post('/v1/biz/top-ups', { amount: 500, reference }, newKey()))
    const destination = { kind: 'mobile_money', name: 'Awa', account: '+221771234567' }
    const { body } = await ok(merchant.test.post<{ id: string }>('/v1/biz/withdrawals', { amount: 100, destination }, newKey()))
    await ok(merchant.test.post('/v1/biz/withdrawals', { amount: 200, destination }, newKey()))
    await ok(merchant.test.post(`/v1/biz/withdrawals/${body.id}/cancel`, undefined, newKey()))
    await compare('/v1/biz/top-ups', '', 2)
    await compare('/v1/biz/withdrawals', '', 2)
    await compare('/v1/biz/withdrawals', 'state=cancelled', 1)
  })
})
