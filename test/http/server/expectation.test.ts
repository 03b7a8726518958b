// `Expect: 100-continue` in any case of letters: a client that waits gets `100 Continue`, then the final response.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RawClient, request } from '../../support/raw-client.ts'
import { openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

const THREADS = [0, 2] as const
const servers = new Map<number, ServerWithoutEngine>()

before(async () => {
  for (const threads of THREADS) servers.set(threads, await openFakeServer({ threads }))
})

after(async () => {
  for (const { http } of servers.values()) await http.close()
})

const portOf = (threads: number): number => servers.get(threads)?.port ?? 0

const BODY = '{"a":1}'
const ECHO = '{"params":[],"query":{},"body":{"a":1}}'

const CASES = THREADS.flatMap((threads) =>
  ['100-continue', '100-Continue', '100-CONTINUE'].map((expectation) => ({ threads, expectation })),
)

for (const { threads, expectation } of CASES) {
  test(`with ${threads} HTTP threads a client that waits with ${expectation} sends its body after 100, and goes on`, async () => {
    const client = await RawClient.open(portOf(threads))
    const head = request({ method: 'POST', path: '/echo', body: BODY, headers: { Expect: expectation } }).slice(0, -BODY.length)
    for (let count = 0; count < 2; count++) {
      const interim = await client.send(head).answer()
      assert.deepEqual([interim.status, [...interim.headers]], [100, []])
      const { status, headers, body } = await client.send(BODY).answer()
      assert.deepEqual([status, body, headers.get('content-type')], [200, ECHO, 'application/json; charset=utf-8'])
      assert.match(headers.get('x-request-id') ?? '', /^[!-~]+$/)
      const plain = await client.send(request({ method: 'POST', path: '/echo', body: BODY })).answer()
      assert.deepEqual([plain.status, plain.body], [200, ECHO])
    }
    client.close()
  })
}

test('another expectation is ignored', async () => {
  const client = await RawClient.open(portOf(0))
  const { status } = await client
    .send(request({ method: 'POST', path: '/echo', body: BODY, headers: { Expect: 'the-unexpected' } }))
    .answer()
  assert.equal(status, 200)
  client.close()
})
