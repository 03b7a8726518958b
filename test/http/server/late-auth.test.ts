// Who is calling is known only after a while: the first request with an access token after a restart. Nothing of it may be
// looked at before, nothing lost, and no answer given twice.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { Type } from '../../../engine/contract/schema.ts'
import type { Call, Principal } from '../../../http/server/route.ts'
import { eventually, RawClient } from '../../support/raw-client.ts'
import { NOTHING_KEPT, openFakeServer, plainRoute, type ServerWithoutEngine, TEST_CURSORS } from '../../support/server-without-engine.ts'

const CALLER = { kind: 'wallet', account: 1, environment: 'test' } as unknown as Principal

let server: ServerWithoutEngine
/** Says that it is known now who called, or fails to. */
let found: () => void
let broken: (error: Error) => void
/** The caller that is found. */
let caller: Principal | ErrorCode
let bodies: unknown[]

beforeEach(async () => {
  bodies = []
  caller = CALLER
  const echo = (call: Call): void => {
    bodies.push(call.body ?? null)
    call.answer(200, JSON.stringify({ params: call.params, body: call.body ?? null, kind: call.principal.kind }))
  }
  server = await openFakeServer({
    closed: true,
    routes: [
      plainRoute('GET', '/v1/mine/{id}', 'wallet', echo, { params: { id: Type.String({ maxLength: 3 }) } }),
      plainRoute('POST', '/v1/mine', 'wallet', echo, { body: Type.Object({ n: Type.Integer() }), bodyBytesMax: 2000 }),
    ],
  })
  let isFound = false
  server.http.open({
    engine: server.engine,
    seal: { reveal: (body) => body },
    kept: NOTHING_KEPT,
    cursors: TEST_CURSORS,
    canWrite: () => true,
    authenticator: {
      tokenHash: () => null,
      authenticate: (rule) => (rule !== 'wallet' || isFound ? caller : 'unauthorized'),
      prepare: (rule) =>
        rule !== 'wallet'
          ? null
          : new Promise<void>((resolve, reject) => {
              broken = reject
              found = () => {
                isFound = true
                resolve()
              }
            }),
    },
  })
})

afterEach(() => server.http.close())

const HEAD = 'POST /v1/mine HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
const GET = 'GET /v1/mine/abc HTTP/1.1\r\nHost: a\r\n\r\n'

/** Sends and waits until the server has begun with it. */
async function begun(text: string): Promise<RawClient> {
  const client = await RawClient.open(server.port)
  client.send(text)
  await eventually(() => server.http.inFlight === 1, 'the request to be in flight')
  return client
}

describe('a request whose caller is not known yet', () => {
  it('a request whose caller is not known yet waits, and goes on with its path and its caller', async () => {
    const client = await begun(GET)
    found()
    const { status, body } = await client.answer()
    assert.deepEqual([status, JSON.parse(body)], [200, { params: ['abc'], body: null, kind: 'wallet' }])
    client.close()
  })

  it('a request whose caller is not known yet keeps a body that comes before, and one that comes after', async () => {
    const early = await begun(`${HEAD}Content-Length: 7\r\n\r\n{"n":1}`)
    found()
    assert.equal((await early.answer()).status, 200)
    early.close()
    const late = await RawClient.open(server.port)
    late.send(`${HEAD}Content-Length: 7\r\n\r\n{"n`)
    await eventually(() => server.http.bodiesBytes === 3, 'three bytes to be held')
    found()
    late.send('":2}')
    assert.equal((await late.answer()).status, 200)
    late.close()
    assert.deepEqual(bodies, [{ n: 1 }, { n: 2 }])
    assert.equal(server.http.bodiesBytes, 0)
  })

  it('a request whose caller is not known yet keeps a chunked body', async () => {
    const client = await begun(`${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\n{"n\r\n4\r\n":3}\r\n0\r\n\r\n`)
    found()
    assert.equal((await client.answer()).status, 200)
    assert.deepEqual(bodies, [{ n: 3 }])
    client.close()
  })

  it('a request whose caller is not known yet serves the next request of the connection', async () => {
    const client = await begun(GET)
    found()
    await client.answer()
    client.send(GET)
    await eventually(() => server.http.inFlight === 1, 'the second request')
    found()
    assert.equal((await client.answer()).status, 200)
    client.close()
  })

  it('a request whose caller is not known yet is refused for its caller before anything else is looked at', async () => {
    caller = 'unauthorized'
    const wrongs = [
      'GET /v1/mine/too-long HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /v1/mine/abc?nonsense=1 HTTP/1.1\r\nHost: a\r\n\r\n',
      `${HEAD}Content-Length: 1\r\n\r\n{`,
      `${HEAD}Content-Length: 5000\r\n\r\n{`,
    ]
    for (const wrong of wrongs) {
      const client = await begun(wrong)
      found()
      assert.equal((await client.answer()).status, 401, wrong)
      client.close()
      await eventually(() => server.http.inFlight === 0, 'nothing in flight')
    }
    assert.deepEqual(bodies, [])
  })

  it('a request whose caller is not known yet is refused for the rest once its caller is known', async () => {
    const rows = [
      ['GET /v1/mine/too-long HTTP/1.1\r\nHost: a\r\n\r\n', 404],
      ['GET /v1/mine/abc?nonsense=1 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
      [`${HEAD}Content-Length: 1\r\n\r\n{`, 400],
      [`${HEAD}Content-Length: 5000\r\n\r\n{`, 413],
    ] as const
    for (const [wrong, status] of rows) {
      const client = await begun(wrong)
      found()
      assert.equal((await client.answer()).status, status, wrong)
      client.close()
      await eventually(() => server.http.inFlight === 0, 'nothing in flight')
    }
  })

  it('a request whose caller is not known yet that leaves is forgotten', async () => {
    const client = await begun(`${HEAD}Content-Length: 7\r\n\r\n{"n":1}`)
    client.reset()
    await eventually(() => server.http.inFlight === 0, 'the request to be forgotten')
    found()
    assert.deepEqual(server.notes.statuses, [499])
    assert.deepEqual(bodies, [])
  })

  it('a request whose caller is not known yet is answered once when it is turned away meanwhile', async () => {
    const client = await begun(`${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\n{"n\r\n`)
    const drained = server.http.drain(5000)
    assert.equal((await client.answer()).status, 503)
    found()
    await drained
    assert.deepEqual(bodies, [])
    client.close()
  })

  it('a request whose caller is not known yet gets 500 when finding out goes wrong', async () => {
    const client = await begun(GET)
    broken(new Error('the keys are gone'))
    assert.equal((await client.answer()).status, 500)
    assert.equal(server.notes.errors.length, 1)
    client.close()
  })
})
