// The configuration of nginx in front of servers that the test makes: what is sent again, and what never is.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Nginx, nginxMissing } from '../../support/nginx.ts'
import { RawClient, request } from '../../support/raw-client.ts'

describe('nginx', { skip: nginxMissing() }, () => {
  /** A server that closes each connection once it has read a request. */
  const received: string[] = []
  const servers: Server[] = []
  let nginx: Nginx

  before(async () => {
    for (const _ of ['first', 'second', 'third']) servers.push(await closingServer())
    nginx = await Nginx.start(servers.map((server) => (server.address() as AddressInfo).port))
  })

  after(async () => {
    await nginx?.stop()
    for (const server of servers) server.close()
  })

  async function closingServer(): Promise<Server> {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => {})
      socket.once('data', (bytes) => {
        received.push(bytes.toString('latin1'))
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

  it('nginx passes a body of 4 MiB on', async () => {
    received.length = 0
    assert.equal(await statusOf(request({ method: 'POST', path: '/v1/biz/payouts/batch', body: ' '.repeat(4 * 1024 ** 2) })), 502)
    assert.equal(received.length, 1)
    assert.equal(await statusOf(request({ method: 'POST', path: '/v1/biz/payouts/batch', body: ' '.repeat(5 * 1024 ** 2 + 1) })), 413)
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
})
