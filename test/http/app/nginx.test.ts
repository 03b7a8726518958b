// The configuration of nginx in front of servers that the test makes: what is sent again, and what never is.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { ERROR_MESSAGES } from '../../../http/text/error-messages.ts'
import { TABLE } from '../../support/api-document.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { pageTable } from '../../support/every-page.ts'
import { Nginx, nginxMissing } from '../../support/nginx.ts'
import { type RawAnswer, RawClient, request } from '../../support/raw-client.ts'

const LARGEST_BODY_BYTES = Math.max(...[...TABLE, ...pageTable()].map(({ bodyBytesMax = 0 }) => bodyBytesMax))

describe('nginx', { skip: nginxMissing() }, () => {
  /** What servers received that close each connection once they have read a request, and the place of each server. */
  const received: string[] = []
  const receivers: number[] = []
  /** The owner that the servers name in their health check; empty: they close it too. */
  let owner = ''
  const servers: Server[] = []
  let nginx: Nginx

  before(async () => {
    for (const _ of ['first', 'second', 'third']) servers.push(await closingServer(servers.length))
    nginx = await Nginx.start(servers.map((server) => (server.address() as AddressInfo).port))
  })

  after(async () => {
    await nginx?.stop()
    for (const server of servers) server.close()
  })

  async function closingServer(place: number): Promise<Server> {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => {})
      socket.once('data', (bytes) => {
        const text = bytes.toString('latin1')
        if (!text.startsWith('GET /healthz ')) {
          received.push(text)
          receivers.push(place)
        } else if (owner !== '') {
          socket.end(
            `HTTP/1.1 200 OK\r\nCauri-Owner: ${owner}\r\nCache-Control: no-store\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
          )
          return
        }
        socket.destroy()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  async function statusOf(text: string): Promise<number> {
    const client = await RawClient.open(nginx.port)
    const { status } = await client.send(text).answer()
    client.close()
    return status
  }

  it('nginx accepts the configuration', () => {
    assert.match(Nginx.check(), /test is successful/)
  })

  it('nginx sends a POST to one server only, though its connection breaks, and a GET to all', async () => {
    received.length = 0
    assert.equal(await statusOf(request({ method: 'POST', path: '/v1/biz/payouts', body: '{}' })), 502)
    assert.equal(received.length, 1, received.join('\n'))
    received.length = 0
    assert.equal(await statusOf(request({ path: '/v1/biz/balance' })), 502)
    assert.equal(received.length, 3)
    assert.ok(received.every((text) => text.startsWith('GET /v1/biz/balance HTTP/1.1\r\n')))
  })

  it('nginx passes the largest body of a route on, and none that is larger', async () => {
    const sent = (bytes: number): Promise<number> =>
      statusOf(request({ method: 'POST', path: '/v1/biz/disbursements', body: ' '.repeat(bytes) }))
    received.length = 0
    assert.equal(await sent(LARGEST_BODY_BYTES), 502)
    assert.equal(received.length, 1)
    assert.equal(await sent(LARGEST_BODY_BYTES + 1), 413)
    assert.equal(received.length, 1)
  })

  it('nginx tells browsers over TLS to come back over TLS alone', async () => {
    // A request that nginx refuses itself, so that no server fails.
    const headers = { 'idempotency-key': 'paie-é' }
    const secure = await new Promise<string | undefined>((resolve, reject) => {
      const asked = get(`https://localhost:${nginx.securePort}/`, { headers, rejectUnauthorized: false, family: 4 }, (answer) => {
        answer.resume()
        resolve(answer.headers['strict-transport-security'])
      })
      asked.on('error', reject)
    })
    assert.equal(secure, 'max-age=31536000; includeSubDomains')
    const client = await RawClient.open(nginx.port)
    const plain = await client.send(request({ path: '/', headers })).answer()
    client.close()
    assert.deepEqual([plain.status, plain.headers.get('strict-transport-security')], [400, undefined])
  })

  /** Requests that nginx answers itself: no node answers, or it refuses them. */
  const OWN = {
    unavailable: [502, request({ method: 'POST', path: '/v1/biz/payouts', body: '{}' })],
    payload_too_large: [413, request({ method: 'POST', path: '/v1/biz/payouts', body: ' '.repeat(LARGEST_BODY_BYTES + 1) })],
    invalid_request: [400, 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n'],
  } as const satisfies Partial<Record<ErrorCode, readonly [number, string]>>

  for (const [code, [status, text]] of Object.entries(OWN) as [keyof typeof OWN, (typeof OWN)[keyof typeof OWN]][]) {
    it(`nginx answers ${code} itself with an ErrorBody, in the language and under the id of the request`, async () => {
      const ask = async (lines: string): Promise<RawAnswer> => {
        const client = await RawClient.open(nginx.port)
        const answer = await client.send(text.replace('HTTP/1.1\r\n', `HTTP/1.1\r\n${lines}`)).answer()
        client.close()
        return answer
      }
      const french = await ask('X-Request-Id: mine-1\r\n')
      assert.deepEqual(JSON.parse(french.body), { code, message: ERROR_MESSAGES.fr[code], request_id: 'mine-1' })
      assert.deepEqual([french.status, french.headers.get('x-request-id')], [status, 'mine-1'])
      assert.match(french.headers.get('content-type') ?? '', /^application\/json/)
      assert.equal(french.headers.get('retry-after'), status === 502 ? '1' : undefined)
      const english = await ask('Accept-Language: en-GB,fr;q=0.5\r\nX-Request-Id: "},{"\r\n')
      const { message, request_id } = JSON.parse(english.body) as { message: string; request_id: string }
      assert.equal(message, ERROR_MESSAGES.en[code])
      assert.deepEqual([/^[0-9a-f]{32}$/.test(request_id), english.headers.get('x-request-id')], [true, request_id])
    })
  }

  for (const [what, status, text] of [
    ['a request line without an address', 400, 'GARBAGE\r\nHost: a\r\n\r\n'],
    ['a request line of another protocol', 505, 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['an address that is too long', 414, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['headers that are too large', 400, `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
  ] as const) {
    it(`nginx answers ${what} with an ErrorBody`, async () => {
      const client = await RawClient.open(nginx.port)
      const answer = await client.send(text).answer()
      client.close()
      const { code, request_id } = JSON.parse(answer.body) as { code: string; request_id: string }
      assert.deepEqual([answer.status, code, answer.headers.get('x-request-id')], [status, 'invalid_request', request_id])
    })
  }

  it('nginx tells a client that waits with Expect to go on, in any case of letters', async () => {
    for (const Expect of ['100-continue', '100-Continue']) {
      const client = await RawClient.open(nginx.port)
      const whole = request({ method: 'POST', path: '/v1/biz/payouts', body: '{}', headers: { Expect } })
      assert.equal((await client.send(whole.slice(0, -2)).answer()).status, 100, Expect)
      client.close()
    }
  })

  it('nginx passes errors of the server on as they are, with one request id', async () => {
    const answering = createServer((socket: Socket) => {
      socket.on('error', () => {})
      const body = '{"code":"unavailable","message":"Arrêt.","request_id":"req_1"}'
      const head = `HTTP/1.1 503 Service Unavailable\r\nX-Request-Id: req_1\r\nContent-Length: ${Buffer.byteLength(body)}`
      socket.once('data', () => socket.end(`${head}\r\nContent-Type: application/json\r\n\r\n${body}`))
    })
    answering.listen(0, '127.0.0.1')
    await once(answering, 'listening')
    const own = await Nginx.start([(answering.address() as AddressInfo).port])
    const client = await RawClient.open(own.port)
    const { status, headers, body } = await client.send(request({ path: '/v1/biz/balance' })).answer()
    assert.deepEqual([status, headers.get('x-request-id'), JSON.parse(body).message], [503, 'req_1', 'Arrêt.'])
    client.close()
    await own.stop()
    answering.close()
  })

  it('nginx refuses an idempotency key that the server could not read', async () => {
    received.length = 0
    const headers = { 'Idempotency-Key': 'paie-é' }
    assert.equal(await statusOf(request({ method: 'POST', path: '/v1/biz/payouts', body: '{}', headers })), 400)
    assert.deepEqual(received, [])
  })

  it('nginx refuses a header line without a name', async () => {
    received.length = 0
    assert.equal(await statusOf('GET / HTTP/1.1\r\nHost: a\r\n: x\r\nContent-Length: 5\r\n\r\nhello'), 400)
    assert.deepEqual(received, [])
  })

  it('nginx sends writes to the owner first, and to any node when the owner is unknown', async () => {
    for (const [index, name] of ['node-1', 'node-2', 'node-3'].entries()) {
      owner = name
      await eventuallyAsync(async () => {
        receivers.length = 0
        await statusOf(request({ method: 'POST', path: '/v1/biz/payouts', body: '{"amount":1}' }))
        return receivers.length === 1 && receivers[0] === index && received.at(-1)?.endsWith('{"amount":1}') === true
      }, `writes to go to ${name}`)
    }
    owner = ''
  })
})
