// Nodes of a cluster over PostgreSQL with a synchronous standby: roles, following, barriers, takeover, handover, joining.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Command } from '../../../engine/domain/command.ts'
import type { LogError } from '../../../wal/log/log-error.ts'
import { nodesOf, type TestNode } from '../../support/cluster-fixture.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { LABELLED_REGISTRY } from '../../support/labelled-payouts.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { makeHistory, send } from '../../support/real-engine.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

const TAKEOVER_MS = 1500

describe('a cluster over PostgreSQL', { skip: postgresMissing() }, () => {
  let pair: PostgresPair

  before(async () => {
    pair = await startPair()
  })

  after(() => pair?.remove())

  async function newUrl(): Promise<string> {
    return pair.primary.url(await newDatabase(pair.primary))
  }

  const payoutOf = (merchant: number, amount: number): Command => ({
    ...{ type: 'CreatePayout', merchant, recipient: 'awa', amount, reference: '', note: '' },
  })

  function becomes(node: TestNode, role: string): Promise<void> {
    return eventuallyAsync(async () => node.node.role === role, `the role ${role}`)
  }

  it('a cluster over PostgreSQL has one owner however many nodes start together', async (test) => {
    const start = nodesOf(test, await newUrl())
    const nodes = await Promise.all(['a', 'b', 'c'].map((name) => start(name)))
    await eventuallyAsync(async () => nodes.some(({ node }) => node.role === 'owning'), 'an owner')
    await Promise.all(nodes.map(({ node }) => node.barrier()))
    assert.deepEqual(nodes.map(({ node }) => node.role).sort(), ['following', 'following', 'owning'])
    assert.deepEqual(
      nodes.flatMap(({ fatals }) => fatals),
      [],
    )
  })

  it('a cluster over PostgreSQL shows every acknowledged write at every node behind a barrier', async (test) => {
    const start = nodesOf(test, await newUrl())
    const owner = await start('a')
    await becomes(owner, 'owning')
    const followers = [await start('b'), await start('c')]
    const merchant = await makeHistory(owner.engine, 20)
    for (let index = 0; index < 20; index++) {
      assert.equal((await send(owner.engine, payoutOf(merchant, 1), `more-${index}`)).kind, 'created')
      const balance = owner.engine.state.accounts.available(merchant)
      for (const { node, engine } of followers) {
        await node.barrier()
        assert.equal(engine.state.accounts.available(merchant), balance)
      }
    }
    for (const follower of followers) assert.deepEqual(follower.rows(), owner.rows())
  })

  it('a cluster over PostgreSQL hands the log to a follower at once when its owner stops, and goes on with its keys', async (test) => {
    const start = nodesOf(test, await newUrl())
    const owner = await start('a')
    await becomes(owner, 'owning')
    const heir = await start('b')
    const merchant = await makeHistory(owner.engine, 3)
    const first = await send(owner.engine, payoutOf(merchant, 5), 'one')
    await owner.stop()
    assert.equal(owner.node.role, 'stopped')
    await becomes(heir, 'owning')
    assert.deepEqual(await send(heir.engine, payoutOf(merchant, 5), 'one'), { kind: first.kind, body: first.body, replayed: true })
    assert.equal((await send(heir.engine, payoutOf(merchant, 5), 'two')).kind, 'created')
    const back = await start('a')
    assert.equal(back.node.role, 'following')
    await back.node.barrier()
    assert.deepEqual(back.rows(), heir.rows())
  })

  it('a cluster over PostgreSQL takes the log over on a connection that the follower has kept ready', async (test) => {
    const database = await newDatabase(pair.primary)
    const start = nodesOf(test, pair.primary.url(database))
    const owner = await start('a')
    await becomes(owner, 'owning')
    const merchant = await makeHistory(owner.engine, 3)
    const heir = await start('b')
    const pids = (condition: string): Promise<readonly { pid: number }[]> =>
      pair.primary.run(`select pid from pg_stat_activity where datname = '${database}' and application_name = 'cauri b' and ${condition}`)
    await eventuallyAsync(
      async () => (await pids(`state = 'idle' and query like '%full_page_writes%'`)).length === 1,
      'the ready connection',
    )
    const [ready] = await pids(`query like '%full_page_writes%'`)
    await owner.stop()
    await becomes(heir, 'owning')
    assert.equal((await send(heir.engine, payoutOf(merchant, 1), 'one')).kind, 'created')
    assert.deepEqual(await pids(`query like '%insert into cauri.log%'`), [ready])
  })

  it('a cluster over PostgreSQL hands the log over when the connection that the follower kept ready was cut', async (test) => {
    const database = await newDatabase(pair.primary)
    const start = nodesOf(test, pair.primary.url(database))
    const owner = await start('a')
    await becomes(owner, 'owning')
    const heir = await start('b')
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${database}' and application_name = 'cauri b' and query like '%full_page_writes%'`
    await eventuallyAsync(async () => (await pair.primary.run(cut)).length === 1, 'the ready connection')
    await owner.stop()
    await becomes(heir, 'owning')
  })

  it('a cluster over PostgreSQL takes the log over from an owner that shows no life; that owner acknowledges nothing more and stops', async (test) => {
    const database = await newDatabase(pair.primary)
    const proxy = await TcpProxy.start(pair.primary.port)
    test.after(() => proxy.close())
    const start = nodesOf(test, pair.primary.url(database))
    const owner = await start('a', { url: pair.primary.url(database, proxy.port) })
    await becomes(owner, 'owning')
    const merchant = await makeHistory(owner.engine, 3)
    const heir = await start('b', { takeoverAfterMs: TAKEOVER_MS })
    proxy.swallow = 'to-server'
    let isAcknowledged = false
    void send(owner.engine, payoutOf(merchant, 7), 'lost').then(() => {
      isAcknowledged = true
    })
    await becomes(heir, 'owning')
    assert.equal((await send(heir.engine, payoutOf(merchant, 9), 'kept')).kind, 'created')
    proxy.swallow = null
    proxy.cut()
    await eventuallyAsync(async () => owner.fatals.length > 0, 'the owner of before to stop')
    assert.equal((owner.fatals[0] as LogError).code, 'stale_epoch')
    assert.equal(isAcknowledged, false)
    assert.equal(heir.engine.known({ scope: String(merchant), key: 'lost', fingerprint: 'f' }), null)
  })

  it('a cluster over PostgreSQL lets no read pass at a node that owned the log before', async (test) => {
    const url = await newUrl()
    const start = nodesOf(test, url)
    const owner = await start('a')
    await becomes(owner, 'owning')
    await pair.primary.run(`update cauri.owner set epoch = epoch + 1, node = 'x'`, new URL(url).pathname.slice(1))
    await assert.rejects(owner.node.barrier(), { code: 'stale_epoch' })
    assert.equal((owner.fatals[0] as LogError).code, 'stale_epoch')
  })

  it('a cluster over PostgreSQL brings a node up to date that was away, that is empty, and whose copy was deleted', async (test) => {
    const start = nodesOf(test, await newUrl())
    const owner = await start('a')
    await becomes(owner, 'owning')
    const away = await start('b')
    const merchant = await makeHistory(owner.engine, 5)
    await away.stop()
    for (let index = 0; index < 30; index++) await send(owner.engine, payoutOf(merchant, 1), `away-${index}`)
    const again = await start('b')
    const empty = await start('c')
    for (const node of [again, empty]) {
      await node.node.barrier()
      assert.deepEqual(node.rows(), owner.rows())
    }
    await empty.stop()
    rmSync(join(empty.dataDir, 'log'), { recursive: true })
    const fetched = await start('c')
    await fetched.node.barrier()
    assert.deepEqual(fetched.rows(), owner.rows())
  })

  it('a cluster over PostgreSQL brings an empty node up to date while its owner appends', async (test) => {
    const start = nodesOf(test, await newUrl())
    const owner = await start('a')
    await becomes(owner, 'owning')
    const merchant = await makeHistory(owner.engine, 200)
    let isOver = false
    const sender = async (): Promise<void> => {
      while (!isOver) assert.equal((await send(owner.engine, payoutOf(merchant, 1))).kind, 'created')
    }
    const senders = [sender(), sender()]
    try {
      const empty = await start('b')
      const { lastSequence } = owner.engine
      await empty.node.barrier()
      assert.ok(empty.engine.lastSequence >= lastSequence - 2)
      isOver = true
      await Promise.all(senders)
      await empty.node.barrier()
      assert.deepEqual(empty.rows(), owner.rows())
    } finally {
      isOver = true
    }
  })

  it('a cluster over PostgreSQL stops a node of an older release at the first record that it does not know', async (test) => {
    const start = nodesOf(test, await newUrl())
    const owner = await start('a', { registry: LABELLED_REGISTRY })
    await becomes(owner, 'owning')
    const older = await start('b')
    const merchant = await makeHistory(owner.engine, 0)
    await older.node.barrier()
    const before = older.rows()
    const labelled = { type: 'CreatePayout' as const, merchant, recipient: 'awa', amount: 1, reference: '', note: '', test_label: 'x' }
    assert.equal((await send(owner.engine, labelled)).kind, 'created')
    await eventuallyAsync(async () => older.fatals.length > 0, 'the older node to stop')
    assert.match(older.fatals[0]?.message ?? '', /payout\.paid version 2, which this release does not know: start the newer release/)
    assert.deepEqual(older.rows(), before)
    assert.deepEqual(owner.fatals, [])
    await older.stop()
    await assert.rejects(start('b'), /payout\.paid version 2/)
    const newer = await start('b', { registry: LABELLED_REGISTRY })
    assert.deepEqual(newer.rows(), owner.rows())
  })

  it('a cluster over PostgreSQL refuses a node whose copy holds more than PostgreSQL, or something else', async (test) => {
    const url = await newUrl()
    const database = new URL(url).pathname.slice(1)
    const start = nodesOf(test, url)
    const owner = await start('a')
    await becomes(owner, 'owning')
    const merchant = await makeHistory(owner.engine, 1)
    await send(owner.engine, payoutOf(merchant, 1), 'last')
    await owner.stop()
    const [{ sequence }] = (await pair.primary.run('select max(sequence) as sequence from cauri.log', database)) as [{ sequence: string }]
    await pair.primary.run(`update cauri.log set batch = batch || '\\x00' where sequence = ${sequence}`, database)
    await assert.rejects(start('a'), { code: 'log_contradiction', message: /two logs are different/ })
    await pair.primary.run(`update cauri.owner set last_sequence = ${Number(sequence) - 1}`, database)
    await assert.rejects(start('a'), { code: 'log_contradiction', message: /PostgreSQL has lost its end/ })
  })

  it('a cluster over PostgreSQL refuses a node with another master key, and a data folder of another log', async (test) => {
    const start = nodesOf(test, await newUrl())
    await start('a')
    await assert.rejects(start('b', { keyCheck: 'other' }), { code: 'wrong_key' })
    const other = nodesOf(test, await newUrl())
    const node = await other('c')
    await node.stop()
    await assert.rejects(start('c', { dataDir: node.dataDir }), /not a copy of the log in PostgreSQL/)
  })
})
