// Work that takes longer than a payout: shared out over its owners, a little in each turn of the event loop.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FairWork, fairWork } from '../../../http/server/fair-work.ts'
import {
  FAIR_BODY_BYTES,
  FAIR_STEPS_MS,
  FAIR_WORK_MS,
  SHORT_BYTES,
  SHORT_WORK_KEPT_MS,
  WEBHOOK_PACE,
  WORK_PACE,
} from '../../../http/server/server-limits.ts'
import { eventually, RawClient, request } from '../../support/raw-client.ts'
import { ACCOUNT, CREDENTIALS, openFakeServer } from '../../support/server-without-engine.ts'

function busyFor(timeMs: number): void {
  for (const endMs = performance.now() + timeMs; performance.now() < endMs; );
}

/** A loop whose time passes by hand. Each piece of `work` keeps it busy for FAIR_WORK_MS. */
function openLoop() {
  const loop = { nowMs: 10_000, idleMs: 0, looks: 0 }
  const work = new FairWork({
    now: () => loop.nowMs,
    idle: () => {
      loop.looks++
      return loop.idleMs
    },
  })
  let pieces = 0
  const add = (): void =>
    work.add('attacker', 1, () => {
      pieces++
      loop.nowMs += FAIR_WORK_MS
    })
  /** Resolves when the work has looked at the loop again, twice for the slice after the pause. */
  const look = async (): Promise<void> => {
    const before = loop.looks
    await eventually(() => loop.looks >= before + 2 || work.waiting === 0, 'a look at the loop')
  }
  return { loop, work, add, look, pieces: () => pieces }
}

describe('fair work', () => {
  it('long work leaves the loop idle between two slices while short requests come, however much of it waits', async () => {
    const { loop, work, add, look, pieces } = openLoop()
    work.sawShort()
    for (let count = 0; count < 3; count++) add()
    await look()
    await look()
    assert.equal(pieces(), 1, 'the loop had no idle time since the first')
    // What the slice leads to is busy time too: turns, a flush, answers.
    loop.nowMs += FAIR_WORK_MS
    const neededMs = 2 * FAIR_WORK_MS * WORK_PACE.idlePerBusy
    loop.nowMs += neededMs - 1
    loop.idleMs += neededMs - 1
    await look()
    assert.equal(pieces(), 1, 'it was idle for too short a time')
    loop.nowMs += 1
    loop.idleMs += 1
    await eventually(() => pieces() === 2, 'the second slice')
    loop.nowMs += WORK_PACE.pauseMaxMs
    await eventually(() => pieces() === 3, 'the third slice')
  })

  it('steps run in turns of their owner, and the runs of one owner behind each other, also behind one that fails', async () => {
    const { loop, work } = openLoop()
    const order: string[] = []
    function* steps(name: string): Generator<undefined, string> {
      for (const step of [1, 2]) {
        order.push(`${name}${step}`)
        loop.nowMs += FAIR_STEPS_MS
        yield
      }
      if (name === 'b') throw new Error(name)
      return name
    }
    const runs = [work.run(1, 1, steps('a')), work.run(2, 1, steps('b')), work.run(1, 1, steps('c')), work.run(2, 1, steps('d'))]
    const results = (await Promise.allSettled(runs)).map((run) => (run.status === 'fulfilled' ? run.value : run.reason.message))
    assert.deepEqual(
      [results, order],
      [
        ['a', 'b', 'c', 'd'],
        ['a1', 'b1', 'a2', 'b2', 'c1', 'd1', 'c2', 'd2'],
      ],
    )
  })

  it('a loop that short requests fill gives long work its part all the same', async () => {
    const { loop, work, add, look, pieces } = openLoop()
    work.sawShort()
    add()
    add()
    await look()
    assert.equal(pieces(), 1)
    loop.nowMs += WORK_PACE.pauseMaxMs
    await eventually(() => pieces() === 2, 'the second slice')
  })

  it('attempts of webhooks pause for less, behind the same short requests', async () => {
    const { loop, work } = openLoop()
    const webhooks = new FairWork({ now: () => loop.nowMs, idle: () => loop.idleMs }, WEBHOOK_PACE, work.shorts)
    let attempts = 0
    const attempt = () => {
      attempts++
      loop.nowMs += FAIR_WORK_MS
    }
    work.sawShort()
    for (let count = 0; count < 2; count++) webhooks.add(1, 1, attempt)
    await eventually(() => attempts === 1, 'the first slice')
    loop.nowMs += WEBHOOK_PACE.pauseMaxMs
    await eventually(() => attempts === 2, 'the second slice')
  })

  it('long work alone does not pause, nor a while after the last short request', async () => {
    const { loop, work, add, pieces } = openLoop()
    for (let count = 0; count < 3; count++) add()
    await eventually(() => pieces() === 3, 'all slices')
    loop.nowMs += WORK_PACE.pauseMaxMs
    work.sawShort()
    add()
    await eventually(() => pieces() === 4, 'the one that sees the short request')
    loop.nowMs += SHORT_WORK_KEPT_MS
    for (let count = 0; count < 3; count++) add()
    await eventually(() => pieces() === 7, 'all of the later ones')
  })

  it('a piece that runs behind its turn is the only one of its slice', async () => {
    const work = new FairWork()
    const order: string[] = []
    const all = ['first', 'second'].map((name) =>
      work.turn(name, 1).then(() => {
        order.push(name)
        queueMicrotask(() => order.push(`after the ${name}`))
      }),
    )
    await Promise.all(all)
    assert.deepEqual(order.slice(0, 3), ['first', 'after the first', 'second'])
  })

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

  it('a body of some kilobytes neither takes a turn nor counts as a short request', async () => {
    const server = await openFakeServer()
    const client = await RawClient.open(server.port)
    const { shorts } = fairWork
    for (const [name, length, isShort] of [
      ['a payout', 200, true],
      ['the largest short one', SHORT_BYTES, true],
      ['a small batch', SHORT_BYTES + 1, false],
      ['the largest without a turn', FAIR_BODY_BYTES, false],
      ['one with a turn', FAIR_BODY_BYTES + 1, false],
    ] as const) {
      const before = shorts.count
      const body = `{${' '.repeat(length - 2)}}`
      client.send(request({ method: 'POST', path: '/pay', body, headers: { ...CREDENTIALS, 'Idempotency-Key': name } }))
      await eventually(() => server.engine.submitted.length === 1, name)
      assert.equal(shorts.count - before, isShort ? 1 : 0, name)
      server.engine.submitted.pop()?.reply.settle({ kind: 'created', body: '{}', replayed: false })
      await client.answer()
    }
    client.close()
    await server.http.close()
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
