// Rival N: the least that a server of this API can do. It reads the payout request and answers a payout's bytes; it
// must never keep, check or compute anything.
import { App, us_socket_local_port } from 'uWebSockets.js'

const BODY = JSON.stringify({
  id: '019aa0f2-6c00-7000-8000-3f1d5b7a9c2e',
  recipient: 'w0000000',
  amount: 100,
  currency: 'XOF',
  reference: 'salaire-2026-11',
  state: 'paid',
  note: '',
  environment: 'live',
  batch_id: null,
  schedule_id: null,
  created_at: '2026-11-20T10:00:00.000Z',
  transaction_id: '019aa0f2-6c00-7001-8000-8e2c4a6f0b1d',
})

const app = App()

app.post('/v1/biz/payouts', (response, request) => {
  const publicKey = request.getHeader('x-api-key')
  const secretKey = request.getHeader('x-api-secret')
  const idempotencyKey = request.getHeader('idempotency-key')
  const contentType = request.getHeader('content-type')
  response.onAborted(() => undefined)
  response.onData((chunk, isLast) => {
    if (!isLast) throw new Error('a payout request of the bench fits one read')
    const body: unknown = JSON.parse(Buffer.from(chunk).toString('utf8'))
    if (body === null || publicKey === '' || secretKey === '' || idempotencyKey === '' || contentType === '')
      throw new Error('incomplete request')
    response.cork(() => {
      response.writeStatus('201 Created')
      response.writeHeader('Content-Type', 'application/json; charset=utf-8')
      response.writeHeader('X-Request-Id', '019aa0f2-6c00-7002-8000-1b3d5f7a9c0e')
      response.end(BODY)
    })
  })
})

app.listen('127.0.0.1', 0, (token) => {
  if (token === false) throw new Error('cannot listen')
  process.stdout.write(`${JSON.stringify({ msg: 'listening', port: us_socket_local_port(token) })}\n`)
})

process.once('SIGTERM', () => process.exit(0))
