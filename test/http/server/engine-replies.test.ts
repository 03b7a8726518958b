// From a request to the engine and back: keys, refusals, the durability barrier, clients that leave.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { keptError } from '../../../engine/contract/errors.ts'
import { ERROR_MESSAGES } from '../../../http/text/error-messages.ts'
import { eventually, RawClient, type RequestParts, request } from '../../support/raw-client.ts'
import { ACCOUNT, CREDENTIALS, openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

let server: ServerWithoutEngine

beforeEach(async () => {
  server = await openFakeServer()
})

afterEach(() => server.http.close())

const pay = (headers: Readonly<Record<string, string>> = { 'Idempotency-Key': 'key-1' }, body = '{}'): string =>
  request({ method: 'POST', path: '/pay', body, headers: { ...CREDENTIALS, ...headers } })

async function code(client: RawClient): Promise<string> {
  return (JSON.parse((await client.answer()).body) as { code: string }).code
}

describe('idempotency keys', () => {
  it('a required key that is missing or empty is refused', async () => {
    const client = await RawClient.open(server.port)
    assert.equal(await code(client.send(pay({}))), 'idempotency_key_required')
    assert.equal(await code(client.send(pay({ 'Idempotency-Key': '' }))), 'idempotency_key_required')
    client.close()
    assert.equal(server.engine.submitted.length, 0)
  })

  for (const key of ['x'.repeat(256), 'a\tb']) {
    it(`${JSON.stringify(key.slice(0, 10))} is no key`, async () => {
      const client = await RawClient.open(server.port)
      assert.equal(await code(client.send(pay({ 'Idempotency-Key': key }))), 'invalid_request')
      client.close()
      assert.equal(server.engine.submitted.length, 0)
    })
  }

  it('a key goes to the engine with its scope, as it was sent', async () => {
    const client = await RawClient.open(server.port)
    const key = ` !"#~${'k'.repeat(200)}`.trim()
    client.send(pay({ 'Idempotency-Key': key }))
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    const { envelope } = server.engine.submitted[0] as (typeof server.engine.submitted)[0]
    assert.equal(envelope.mailbox, ACCOUNT)
    assert.equal(envelope.idempotency?.key, key)
    assert.equal(envelope.idempotency?.scope, String(ACCOUNT))
    assert.match(envelope.idempotency?.fingerprint ?? '', /^[\w-]{22}$/)
    server.engine.settleAll()
    await client.answer()
    client.close()
  })

  it('without a key where one is only accepted, there is none', async () => {
    const client = await RawClient.open(server.port)
    client.send(request({ method: 'POST', path: '/act', headers: CREDENTIALS }))
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    assert.equal(server.engine.submitted[0]?.envelope.idempotency, null)
    client.close()
  })

  it('the fingerprint is of method, path with query and body', async () => {
    const act = (parts: RequestParts): string => request({ method: 'POST', headers: { ...CREDENTIALS, 'Idempotency-Key': 'k' }, ...parts })
    const requests = [
      act({ path: '/pay', body: '{}' }),
      act({ path: '/pay', body: '{ }' }),
      act({ path: '/pay', body: '{"a":"é"}' }),
      act({ path: '/pay', body: '{"a":"e"}' }),
      act({ path: '/pay?a=1', body: '{}' }),
      act({ path: '/pay?a=2', body: '{}' }),
      act({ path: '/act', body: '{}' }),
      act({ path: '/act' }),
    ]
    const prints: string[] = []
    for (const text of [...requests, ...requests]) {
      const client = await RawClient.open(server.port)
      client.send(Buffer.from(text, 'utf8').toString('latin1'))
      await eventually(() => server.engine.submitted.length === 1, 'the command')
      prints.push(server.engine.submitted[0]?.envelope.idempotency?.fingerprint as string)
      server.engine.settleAll()
      await client.answer()
      client.close()
    }
    assert.equal(new Set(prints).size, requests.length, 'each request has a print of its own')
    assert.deepEqual(prints.slice(requests.length), prints.slice(0, requests.length), 'the same request has the same print')
  })

  it('a replayed result says so, byte for byte otherwise', async () => {
    const client = await RawClient.open(server.port)
    client.send(pay())
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    server.engine.settleAll({
      kind: 'insufficient_funds',
      body: keptError('{"code":"insufficient_balance"}', 'en', 'mine'),
      replayed: true,
    })
    const answer = await client.answer()
    client.close()
    assert.equal(answer.status, 402)
    const { insufficient_balance: message } = ERROR_MESSAGES.en
    assert.equal(answer.body, JSON.stringify({ code: 'insufficient_balance', message, request_id: 'mine' }))
    assert.equal(answer.headers.get('idempotent-replayed'), 'true')
  })

  it('a first result does not', async () => {
    const client = await RawClient.open(server.port)
    client.send(pay())
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    server.engine.settleAll()
    assert.equal((await client.answer()).headers.has('idempotent-replayed'), false)
    client.close()
  })
})

describe('answers', () => {
  it('nothing leaves before the engine says so', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => RawClient.open(server.port)))
    for (const [index, client] of clients.entries()) client.send(pay({ 'Idempotency-Key': `key-${index}` }))
    await eventually(() => server.engine.submitted.length === clients.length, 'all commands')
    assert.ok(clients.every((client) => client.received === ''))
    assert.equal(server.http.inFlight, clients.length)
    server.engine.settleAll()
    for (const client of clients) assert.equal((await client.answer()).status, 201)
    assert.equal(server.http.inFlight, 0)
    for (const client of clients) client.close()
  })

  it('a read waits for what it saw', async () => {
    server.engine.isDurable = false
    const client = await RawClient.open(server.port)
    client.send(request({ path: '/things' }))
    await eventually(() => server.engine.waitingReads.length === 1, 'the read to wait')
    assert.equal(client.received, '')
    for (const run of server.engine.waitingReads.splice(0)) run()
    assert.equal((await client.answer()).status, 200)
    client.close()
  })

  it('a full mailbox is a 503 with Retry-After, at once', async () => {
    server.engine.refusal = 'unavailable'
    const client = await RawClient.open(server.port)
    const answer = await client.send(pay()).answer()
    client.close()
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
  })

  it('a disk that is nearly full takes no more commands, and reads go on', async () => {
    server.engine.canWrite = false
    const client = await RawClient.open(server.port)
    const answer = await client.send(pay()).answer()
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
    assert.equal(server.engine.submitted.length, 0)
    assert.equal((await client.send(request({ path: '/things' })).answer()).status, 200)
    client.close()
  })

  it('a client that left is not answered, and its outcome does not disturb other requests', async () => {
    const gone = await RawClient.open(server.port)
    gone.send(pay({ 'Idempotency-Key': 'gone' }))
    const stays = await RawClient.open(server.port)
    stays.send(pay({ 'Idempotency-Key': 'stays' }))
    await eventually(() => server.engine.submitted.length === 2, 'both commands')
    gone.reset()
    await eventually(() => server.notes.statuses.includes(499), 'the client to be missed')
    server.engine.settleAll()
    assert.equal((await stays.answer()).status, 201)
    stays.close()
    assert.deepEqual(server.notes.statuses, [499, 201])
    assert.equal(server.http.inFlight, 0)
  })
})

describe('requests behind one another', () => {
  it('requests behind one another close the connection when they arrive together, and none is answered', async () => {
    for (const path of ['/things/1', '/mine', '/nowhere', '/healthz']) {
      const client = await RawClient.open(server.port)
      client.send(request({ path }) + request({ path: '/things/2' }))
      await client.closed()
      assert.equal(client.received, '', path)
    }
  })

  it('requests behind one another close the connection where the first still waits: no answer is mixed up, the key gets the result later', async () => {
    const client = await RawClient.open(server.port)
    client.send(pay({ 'Idempotency-Key': 'first' }) + pay({ 'Idempotency-Key': 'second' }))
    await client.closed()
    assert.equal(client.received, '')
    assert.deepEqual(
      server.engine.submitted.map(({ envelope }) => envelope.idempotency?.key),
      ['first'],
    )
    server.engine.settleAll()
    const again = await RawClient.open(server.port)
    again.send(pay({ 'Idempotency-Key': 'first' }))
    await eventually(() => server.engine.submitted.length === 1, 'the same command')
    server.engine.settleAll({ replayed: true })
    assert.equal((await again.answer()).status, 201)
    again.close()
  })

  it('a client that half-closes is closed', async () => {
    const client = await RawClient.open(server.port)
    client.send(pay())
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    client.halfClose()
    await client.closed()
    assert.deepEqual(server.notes.statuses, [499])
    server.engine.settleAll()
  })
})
