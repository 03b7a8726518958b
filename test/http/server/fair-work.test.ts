// Work that takes longer than a payout: shared out over its owners, a little in each turn of the event loop.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FairWork } from '../../../http/server/fair-work.ts'
import { FAIR_WORK_MS } from '../../../http/server/server-limits.ts'
import { eventually, RawClient, request } from '../../support/raw-client.ts'
import { ACCOUNT, CREDENTIALS, openFakeServer } from '../../support/server-without-engine.ts'

function busyFor(timeMs: number): void {
  for (const endMs = performance.now() + timeMs; performance.now() < endMs; );
}

describe('fair work', () => {
  it('an owner with little work does not wait for all of an owner with much', async () => {
    const work = new FairWork()
    const done: string[] = []
    for (let count = 0; count < 5; count++) work.add('much', 40, () => done.push('much'))
    work.add('little', 1, () => done.push('little'))
    await work.turn('much', 40)
    assert.equal(done[0], 'little')
    assert.equal(done.length, 6)
  })

  it('other work of the event loop runs between two long pieces', async () => {
    const work = new FairWork()
    const order: string[] = []
    for (const name of ['first', 'second']) {
      work.add('owner', 1, () => {
        order.push(name)
        setImmediate(() => order.push(`after the ${name}`))
        busyFor(FAIR_WORK_MS)
      })
    }
    await work.turn('owner', 1)
    assert.deepEqual(order.slice(0, 3), ['first', 'after the first', 'second'])
    assert.equal(work.waiting, 0)
  })

  it('a long answer leaves behind the short ones of its commit', async () => {
    const server = await openFakeServer()
    const clients = [await RawClient.open(server.port), await RawClient.open(server.port)] as const
    const pay = request({ method: 'POST', path: '/pay', body: '{}', headers: { ...CREDENTIALS, 'Idempotency-Key': 'k' } })
    for (const client of clients) client.send(pay)
    await eventually(() => server.engine.submitted.length === 2, 'both commands')
    const made: string[] = []
    const [long, short] = server.engine.submitted.splice(0)
    assert.equal(long?.envelope.mailbox, ACCOUNT)
    long?.reply.settle({
      kind: 'created',
      get body() {
        made.push('long')
        return '{"long":true}'
      },
      lines: 500,
      replayed: false,
    })
    short?.reply.settle({ kind: 'created', body: '{"short":true}', replayed: false })
    assert.deepEqual(made, [], 'the text of the long answer is made in its turn')
    const bodies = await Promise.all(clients.map(async (client) => (await client.answer()).body))
    assert.deepEqual(bodies.toSorted(), ['{"long":true}', '{"short":true}'])
    assert.deepEqual(made, ['long'])
    for (const client of clients) client.close()
    await server.http.close()
  })
})
