// Uploads of more lines than one batch holds: files of 500, a run that is lost in its middle, and its second start.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openClient } from '../../support/built-client.ts'
import { FaultyHttpProxy } from '../../support/faulty-http-proxy.ts'
import { type Merchant, newTag, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'

let server: TestServer
let proxy: FaultyHttpProxy
let merchant: Merchant
let tag: string
const FUNDS = 1_000_000

before(async () => {
  server = await sharedServer()
  proxy = await FaultyHttpProxy.start(server.process.port)
})

after(async () => {
  await proxy.close()
})

beforeEach(async () => {
  merchant = await server.fundedMerchant(FUNDS)
  tag = await server.wallet(merchant)
  proxy.deeds = []
})

async function* lines(count: number, amount = 1): AsyncGenerator<object> {
  for (let index = 0; index < count; index++) yield { recipient: tag, amount, reference: `L-${index}` }
}

async function spent(): Promise<number> {
  return FUNDS - (await merchant.test.get<{ available: number }>('/v1/biz/balance')).body.available
}

interface File {
  readonly number: number
  readonly firstLine: number
  readonly isReplay: boolean
  readonly report: { readonly total_count: number }
  readonly soFar: { readonly lines: number }
}

test('1 203 lines are paid in three files, with progress', async () => {
  const client = await openClient(server, merchant)
  const files: unknown[] = []
  const onFile = ({ number, firstLine, isReplay, report, soFar }: File): void => {
    files.push([number, firstLine, isReplay, report.total_count, soFar.lines])
  }
  const summary = await client.batches.upload(lines(1203), { runId: 'paie-2026-11', reference: 'PAIE', onFile })
  assert.deepEqual(files, [
    [1, 0, false, 500, 500],
    [2, 500, false, 500, 1000],
    [3, 1000, false, 203, 1203],
  ])
  assert.deepEqual([summary.files, summary.lines, summary.paidCount, summary.failedCount, summary.paidAmount], [3, 1203, 1203, 0, 1203])
  assert.equal(await spent(), 1203)
})

for (const deed of ['cut-before', 'cut-after'] as const) {
  test(`a run that ends in its second file (${deed}) pays the rest when it is started again, and nothing twice`, async () => {
    const client = await openClient(server, merchant, { baseUrl: proxy.url, retry: { retries: 0 } })
    proxy.deeds = ['pass', deed]
    await assert.rejects(client.batches.upload(lines(1203), { runId: 'run' }), { name: 'ConnectionError', idempotencyKey: 'run/file-2' })
    const summary = await client.batches.upload(lines(1203), { runId: 'run' })
    assert.deepEqual([summary.paidCount, summary.replayedFiles], [1203, deed === 'cut-after' ? 2 : 1])
    assert.equal(await spent(), 1203)
  })
}

test('a second start with other lines is rejected before anything of their file is paid', async () => {
  const client = await openClient(server, merchant)
  await client.batches.upload(lines(10), { runId: 'run' })
  await assert.rejects(client.batches.upload(lines(11), { runId: 'run' }), (error: Error & { code: string; body: { message: string } }) => {
    assert.deepEqual([error.name, error.code], ['IdempotencyKeyReusedError', 'idempotency_key_reused'])
    assert.match(error.message, /^lines 0 to 10 \(from 0\).* runId "run".* take a new runId.* The service: Cette clé/)
    assert.ok(error.message.endsWith(error.body.message))
    return true
  })
  assert.equal(await spent(), 10)
})

test('a dry run pays nothing, and failed lines are named by their place in the run', async () => {
  const client = await openClient(server, merchant)
  const unknown = newTag()
  async function* withMistake(): AsyncGenerator<object> {
    yield* lines(501)
    yield { recipient: unknown, amount: 5, reference: 'X' }
  }
  const summary = await client.batches.upload(withMistake(), { runId: 'essai', dryRun: true })
  assert.deepEqual([summary.paidCount, summary.failedCount, summary.failedLines[0].line], [501, 1, 501])
  assert.equal(summary.failedLines[0].result.failure_code, 'recipient_not_found')
  assert.equal(await spent(), 0)
})

test('duplicate lines are warnings, named by their place in the run', async () => {
  const client = await openClient(server, merchant)
  async function* withDuplicate(): AsyncGenerator<object> {
    yield* lines(501)
    yield { recipient: tag, amount: 1, reference: 'L-500' }
  }
  const { warnings, failedLines } = await client.batches.upload(withDuplicate(), { runId: 'essai', dryRun: true })
  assert.deepEqual([warnings, failedLines], [[{ line: 501, code: 'duplicate_line' }], []])
})

test('a line that an earlier file has is a warning too, once, and a malformed line is none', async () => {
  const client = await openClient(server, merchant)
  async function* withDuplicates(): AsyncGenerator<object> {
    yield* lines(501)
    yield { recipient: `@${tag}`, amount: 1, reference: 'L-3' }
    yield { recipient: tag, amount: 1, reference: 'L-500' }
    yield { recipient: tag, amount: 2, reference: 'L-4' }
    yield { recipient: tag, amount: 1, reference: 'L-5', note: 'x'.repeat(10_000) }
    yield { recipient: tag, amount: 1, reference: 'L-3' }
  }
  const files: unknown[] = []
  const onFile = ({ warnings }: { readonly warnings: unknown }): void => void files.push(warnings)
  const { warnings, failedLines } = await client.batches.upload(withDuplicates(), { runId: 'essai', dryRun: true, onFile })
  const found = [501, 502, 505].map((line) => ({ line, code: 'duplicate_line' }))
  assert.deepEqual(warnings, found)
  assert.deepEqual(files, [[], found])
  assert.deepEqual([failedLines.length, failedLines[0].line], [1, 504])
})

test('an array of lines is as good, and no lines make no file', async () => {
  const client = await openClient(server, merchant)
  assert.equal((await client.batches.upload([{ recipient: tag, amount: 5 }], { runId: 'a' })).paidAmount, 5)
  assert.equal((await client.batches.upload([], { runId: 'b' })).files, 0)
  await assert.rejects(client.batches.upload([], { runId: 'with space' }), TypeError)
})

test('a line is sent with every field that it has: one in another currency, or with an unknown field, is not paid', async () => {
  const client = await openClient(server, merchant)
  const given = [
    { recipient: tag, amount: 5, currency: 'XOF', note: 'n', reference: 'r' },
    { recipient: tag, amount: 7, currency: 'EUR' },
    { recipient: tag, amount: 9, curency: 'XOF' },
  ]
  const { paidAmount, failedLines } = await client.batches.upload(given, { runId: 'fields' })
  assert.equal(paidAmount, 5)
  assert.deepEqual(
    failedLines.map(({ line, result }: { line: number; result: { failure_code: string } }) => [line, result.failure_code]),
    [
      [1, 'unsupported_currency'],
      [2, 'unknown_field'],
    ],
  )
  assert.equal(await spent(), 5)
})
