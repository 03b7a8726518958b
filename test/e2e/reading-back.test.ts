// Reading back over HTTP: a transaction with its postings, lists as CSV of any size, and readers who take nothing.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { before, test } from 'node:test'
import type { TransactionDetail } from '../../engine/contract/transaction.ts'
import { openPayer } from '../support/charge-callers.ts'
import type { Client } from '../support/client.ts'
import { approvedMandate, charge } from '../support/mandate-callers.ts'
import { eventually } from '../support/raw-client.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const CSV = { headers: { accept: 'text/csv' } }

async function newest(client: Client, path: string): Promise<TransactionDetail> {
  const { body } = await client.get<{ data: readonly { id: string }[] }>(`${path}?limit=1`)
  const answer = await client.get<TransactionDetail>(`${path}/${body.data[0]?.id}`)
  assert.equal(answer.status, 200, answer.text)
  const { postings: _postings, mandate_id: _mandateId, fee: _fee, ...line } = answer.body
  assert.deepEqual(line, body.data[0], 'the detail begins as the line of the list')
  return answer.body
}

test('a transaction shows both sides, as each party sees it', async () => {
  const merchant = await server.merchant('Boutique')
  const payer = await openPayer(server, merchant, 1000)
  const side = (account_type: string, account_name: string | null, direction: string, amount: number) => ({
    ...{ account_type, account_name, direction, amount, currency: 'XOF' },
  })
  const deposit = await newest(payer.app, '/v1/me/transactions')
  assert.deepEqual(deposit.postings, [side('settlement', null, 'debit', 1000), side('wallet', payer.tag, 'credit', 1000)])

  const pair = { merchant, payer }
  const { id } = await approvedMandate(pair, { interval: 'on_demand', amount: 300, start_at: undefined })
  assert.deepEqual(await charge(merchant.test, id, {}), [201, 'paid'])
  for (const [client, path, amount] of [
    [merchant.test, '/v1/biz/transactions', 300],
    [payer.app, '/v1/me/transactions', -300],
  ] as const) {
    const seen = await newest(client, path)
    assert.deepEqual([seen.type, seen.amount, seen.mandate_id], ['mandate', amount, id])
    assert.deepEqual(seen.postings, [side('wallet', payer.tag, 'debit', 300), side('merchant', 'Boutique', 'credit', 300)])
  }

  const paid = await merchant.test.post<{ transaction_id: string }>('/v1/biz/payouts', { recipient: payer.tag, amount: 7 }, newKey())
  const payout = await newest(merchant.test, '/v1/biz/transactions')
  assert.equal(payout.id, paid.body.transaction_id)
  assert.deepEqual(payout.postings, [side('merchant', 'Boutique', 'debit', 7), side('wallet', payer.tag, 'credit', 7)])
})

test('a transaction is not found by other merchants', async () => {
  const merchant = await server.fundedMerchant(100)
  const payer = await openPayer(server, merchant, 0)
  const { body } = await merchant.test.post<{ transaction_id: string }>('/v1/biz/payouts', { recipient: payer.tag, amount: 7 }, newKey())
  const other = await server.merchant()
  const stranger = await openPayer(server, merchant, 0)
  assert.equal((await payer.app.get(`/v1/me/transactions/${body.transaction_id}`)).status, 200)
  assert.equal((await merchant.test.get(`/v1/biz/transactions/${body.transaction_id.toUpperCase()}`)).status, 200)
  for (const client of [other.test, merchant.live]) {
    assert.equal((await client.get(`/v1/biz/transactions/${body.transaction_id}`)).status, 404)
  }
  assert.equal((await stranger.app.get(`/v1/me/transactions/${body.transaction_id}`)).status, 404)
  assert.equal((await merchant.test.get('/v1/biz/transactions/nothing')).status, 404)
})

test('each line of a batch is a transaction of its own', async () => {
  const merchant = await server.fundedMerchant(100)
  const tag = await server.wallet(merchant)
  const items = [1, 2, 3].map((amount) => ({ recipient: tag, amount }))
  const { body } = await merchant.test.post<{ items: { transaction_id: string }[] }>('/v1/biz/payouts/batch', { items }, newKey())
  for (const [index, { transaction_id }] of body.items.entries()) {
    const { amount, postings } = (await merchant.test.get<TransactionDetail>(`/v1/biz/transactions/${transaction_id}`)).body
    assert.deepEqual([amount, postings.map((posting) => posting.amount)], [-1 - index, [index + 1, index + 1]])
  }
})

const rowsOf = (text: string): string[][] =>
  text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','))

test('payouts as CSV are exported under the same filters, of a batch and of a key', async () => {
  const merchant = await server.fundedMerchant(100)
  const tag = await server.wallet(merchant)
  const items = [...[1, 2, 3].map((amount) => ({ recipient: tag, amount, reference: 'PAIE' })), { recipient: newTag(), amount: 4 }]
  const batch = (await merchant.test.post<{ id: string }>('/v1/biz/payouts/batch', { items }, newKey())).body
  const key = newKey()
  await merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 9, note: '=SUM(A1)' }, key)
  const csv = async (query: string): Promise<unknown[]> => {
    const answer = await merchant.test.get(`/v1/biz/payouts?${query}`, CSV)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers['content-disposition'] ?? '', /filename="payouts\.csv"/)
    assert.match(
      answer.text,
      /^id,recipient,amount,currency,fee,reference,state,failure_code,transaction_id,note,environment,batch_id,schedule_id,disbursement_id,created_at\r\n/,
    )
    return rowsOf(answer.text).map(([, , amount, , , , state, failure]) => [amount, failure || state])
  }
  const failed = ['4', 'recipient_not_found']
  const paid = (amount: number): string[] => [String(amount), 'paid']
  assert.deepEqual(await csv(''), [paid(9), failed, paid(3), paid(2), paid(1)])
  assert.deepEqual(await csv('state=failed'), [failed])
  assert.deepEqual(await csv('reference=PAIE'), [paid(3), paid(2), paid(1)])
  assert.deepEqual(await csv(`batch_id=${batch.id}`), [failed, paid(3), paid(2), paid(1)])
  assert.deepEqual(await csv(`batch_id=${batch.id}&limit=2`), [failed, paid(3)])
  assert.deepEqual(await csv(`idempotency_key=${key['idempotency-key']}`), [paid(9)])
  assert.match((await merchant.test.get('/v1/biz/payouts?idempotency_key=x', CSV)).text, /^id,[^\n]*\r\n$/)
  assert.match((await merchant.test.get(`/v1/biz/payouts?idempotency_key=${key['idempotency-key']}`, CSV)).text, /,'=SUM\(A1\),/)
})

const BATCHES = 80
const LINES = BATCHES * 500
test(`a statement of ${LINES} lines is complete, and a reader who stops delays no other request`, async () => {
  const merchant = await server.fundedMerchant(LINES * 2)
  const client = await server.keyed(merchant.id, 'test', [])
  const tag = await server.wallet(merchant)
  const items = Array.from({ length: 500 }, () => ({ recipient: tag, amount: 1, reference: 'PAIE-2026-11 '.padEnd(255, 'x') }))
  for (let count = 0; count < BATCHES; count++) {
    assert.equal((await merchant.test.post('/v1/biz/payouts/batch', { items }, newKey())).status, 201)
  }
  const whole = await client.get('/v1/biz/transactions', CSV)
  const ids = new Set(rowsOf(whole.text).map(([id]) => id))
  assert.equal(ids.size, LINES + 1)
  assert.ok(whole.text.length > 16_000_000, `${whole.text.length} characters`)

  const keys = (
    await server.operator.post<{ public_key: string; secret_key: string }>(`/v1/operator/merchants/${merchant.id}/api-keys`, {
      environment: 'test',
      scopes: [],
    })
  ).body
  const head = `GET /v1/biz/transactions HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\nX-Api-Key: ${keys.public_key}\r\nX-Api-Secret: ${keys.secret_key}\r\n\r\n`
  const readers = await Promise.all(Array.from({ length: 4 }, () => stoppedReader(server.process.port, head)))
  // A fifth is rejected; other accounts go on.
  const fifth = await client.get('/v1/biz/transactions', CSV)
  assert.deepEqual([fifth.status, fifth.body?.code], [429, 'quota_exceeded'])
  for (let count = 0; count < 300; count++) {
    assert.equal((await merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 1 }, newKey())).status, 201)
  }
  assert.ok(
    readers.every(({ bytes }) => bytes < whole.text.length / 2),
    'they were not sent the file',
  )
  const [first, ...others] = readers
  for (const { socket } of others) socket.destroy()
  first?.socket.resume()
  await eventually(() => first?.isWhole ?? false, 'the whole file')
  assert.equal(first?.text().match(/,payout,-1,/g)?.length, LINES)
  // The places of those who left are free again.
  assert.equal((await client.get('/v1/biz/transactions', CSV)).status, 200)
})

/** Of RFC 9112, 7.1. A read has at least one byte of it. */
const LAST_CHUNK = '\r\n0\r\n\r\n'

interface Reader {
  readonly socket: Socket
  readonly bytes: number
  /** Whether the last chunk has come. */
  readonly isWhole: boolean
  text(): string
}

/** Has read the head of the answer, and stops there. */
function stoppedReader(port: number, request: string): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const reader: Reader = {
      socket,
      get bytes() {
        return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      },
      get isWhole() {
        return Buffer.concat(chunks.slice(-LAST_CHUNK.length)).toString('latin1').endsWith(LAST_CHUNK)
      },
      text: () => Buffer.concat(chunks).toString('latin1'),
    }
    socket.once('error', reject)
    socket.once('data', (chunk) => {
      chunks.push(chunk)
      socket.pause()
      socket.on('data', (more) => chunks.push(more))
      socket.pause()
      resolve(reader)
    })
    socket.write(request)
  })
}
