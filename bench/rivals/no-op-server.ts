// Rival N: the minimum that a server of this API can do. It reads the payout request's headers and body and answers with the same
// number of bytes as Cauri, header by header. It must never store, check or compute anything. A test in test/bench compares the two.
import * as native from 'uWebSockets.js'
import { App, us_socket_local_port } from 'uWebSockets.js'

/** Headers of single look-ups: for few headers they are faster than one call that visits all, which a real server needs. */
const READ_HEADERS = ['host', 'x-api-key', 'x-api-secret', 'idempotency-key', 'content-type', 'content-length'] as const

/** Response head as one text, which is faster than a native call for each header. */
const HEAD = [
  '201 Created',
  'Content-Type: application/json; charset=utf-8',
  'Cache-Control: no-store',
  'X-Content-Type-Options: nosniff',
  'Keep-Alive: timeout=7',
  'X-Request-Id: req_3f1d5b7a9c2e00000001',
  'Idempotency-Key: 3f1d5b7a9c2e-00000000001',
].join('\r\n')

const BODY = JSON.stringify({
  id: '019aa0f2-6c00-7000-8000-3f1d5b7a9c2e',
  recipient: 'w0000000',
  amount: 100,
  currency: 'XOF',
  fee: 0,
  reference: 'salaire-2026-11',
  state: 'paid',
  transaction_id: '019aa0f2-6c00-7001-8000-8e2c4a6f0b1d',
  note: '',
  environment: 'live',
  batch_id: null,
  schedule_id: null,
  disbursement_id: null,
  created_at: '2026-11-20T10:00:00.000Z',
})

/** Call of the binding that its types omit. Without it every answer contains the library's name. */
const { _cfg } = native as unknown as { _cfg(setting: 'silent'): void }
_cfg('silent')
const app = App()

app.post('/v1/biz/payouts', (response, request) => {
  for (const name of READ_HEADERS) if (request.getHeader(name) === '') throw new Error(`a request without ${name}`)
  response.onAborted(() => undefined)
  response.onData((chunk, isLast) => {
    if (!isLast) throw new Error('a payout request of the bench fits one read')
    const body: unknown = JSON.parse(Buffer.from(chunk).toString('utf8'))
    if (body === null) throw new Error('a request without a body')
    response.cork(() => {
      response.writeStatus(HEAD)
      response.end(BODY)
    })
  })
})

app.listen('127.0.0.1', 0, (token) => {
  if (token === false) throw new Error('cannot listen')
  process.stdout.write(`${JSON.stringify({ msg: 'listening', port: us_socket_local_port(token) })}\n`)
})

process.once('SIGTERM', () => process.exit(0))
