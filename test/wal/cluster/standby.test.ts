// Nodes of a cluster whose synchronous standby is away, or whose commits an administrator cancelled: no takeover from a living owner,
// nothing shown that a failover could take back.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Command } from '../../../engine/domain/command.ts'
import { nodesOf, type TestNode } from '../../support/cluster-fixture.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { makeHistory, send } from '../../support/real-engine.ts'
import { stopReplication, waitingCommits } from '../../support/replication.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

/** Longer than two heartbeats, so that a busy machine does not look like a silent owner. */
const TAKEOVER_MS = 2500

describe('a cluster without its standby', { skip: postgresMissing() }, () => {
  let pair: PostgresPair

  before(async () => {
    pair = await startPair()
  })

  after(() => pair?.remove())

  const payoutOf = (merchant: number): Command => ({ type: 'CreatePayout', merchant, recipient: 'awa', amount: 1, reference: '', note: '' })

  function becomes(node: TestNode, role: string): Promise<void> {
    return eventuallyAsync(async () => node.node.role === role, `the role ${role}`)
  }

  async function passed(timeMs: number): Promise<void> {
    const began = performance.now()
    await eventuallyAsync(async () => performance.now() - began > timeMs, `${timeMs} ms`)
  }

  it('a cluster without its standby keeps its owner for longer than the takeover takes, and answers reads at every node', async (test) => {
    const start = nodesOf(test, pair.primary.url(await newDatabase(pair.primary)))
    const options = { takeoverAfterMs: TAKEOVER_MS, statementTimeoutMs: 500 }
    const owner = await start('a', options)
    await becomes(owner, 'owning')
    const follower = await start('b', options)
    const merchant = await makeHistory(owner.engine, 3)
    await follower.node.barrier()
    const resume = await stopReplication(pair)
    let isAcknowledged = false
    const waiting = send(owner.engine, payoutOf(merchant), 'waits').then((outcome) => {
      isAcknowledged = true
      return outcome
    })
    try {
      await eventuallyAsync(async () => (await waitingCommits(pair)) > 0, 'a commit that waits')
      await passed(1.5 * TAKEOVER_MS)
      await Promise.all([owner.node.barrier(), follower.node.barrier()])
      assert.equal(isAcknowledged, false)
    } finally {
      resume()
    }
    assert.equal((await waiting).kind, 'created')
    await passed(1.5 * TAKEOVER_MS)
    assert.deepEqual([owner.node.role, follower.node.role, owner.node.epoch], ['owning', 'following', 1])
    await follower.node.barrier()
    assert.deepEqual(follower.rows(), owner.rows())
    assert.deepEqual([...owner.fatals, ...follower.fatals], [])
  })

  it('a cluster without its standby replaces a dead owner when commits complete again, and not before', async (test) => {
    const database = await newDatabase(pair.primary)
    const proxy = await TcpProxy.start(pair.primary.port)
    test.after(() => proxy.close())
    const start = nodesOf(test, pair.primary.url(database))
    const options = { takeoverAfterMs: TAKEOVER_MS, statementTimeoutMs: 500 }
    const owner = await start('a', { ...options, url: pair.primary.url(database, proxy.port) })
    await becomes(owner, 'owning')
    const merchant = await makeHistory(owner.engine, 3)
    const heir = await start('b', options)
    const resume = await stopReplication(pair)
    try {
      proxy.swallow = 'to-server'
      await passed(1.5 * TAKEOVER_MS)
      assert.equal(heir.node.role, 'following')
    } finally {
      resume()
    }
    await becomes(heir, 'owning')
    assert.equal(heir.node.takeovers.silent, 1)
    assert.equal((await send(heir.engine, payoutOf(merchant), 'after')).kind, 'created')
    proxy.swallow = null
    proxy.cut()
    await eventuallyAsync(async () => owner.fatals.length > 0, 'the former owner to stop')
  })

  it('a cluster without its standby shows no batch whose commit was cancelled before the standby had it', async (test) => {
    const database = await newDatabase(pair.primary)
    const start = nodesOf(test, pair.primary.url(database))
    const owner = await start('a')
    await becomes(owner, 'owning')
    const follower = await start('b')
    const merchant = await makeHistory(owner.engine, 3)
    await follower.node.barrier()
    const [before, sequence] = [follower.rows(), follower.engine.lastSequence]
    const resume = await stopReplication(pair)
    const waiting = send(owner.engine, payoutOf(merchant), 'waits')
    try {
      await eventuallyAsync(async () => (await waitingCommits(pair)) > 0, 'a commit that waits')
      await pair.primary.run(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      const visible = `select from cauri.owner where last_sequence > ${sequence}`
      await eventuallyAsync(async () => (await pair.primary.run(visible, database)).length === 1, 'the batch to be visible')
      let isAnswered = false
      const reading = follower.node.barrier().then(() => {
        isAnswered = true
      })
      await passed(500)
      assert.equal(isAnswered, false)
      assert.deepEqual(follower.rows(), before)
      resume()
      assert.equal((await waiting).kind, 'created')
      await reading
    } finally {
      resume()
    }
    assert.deepEqual(follower.rows(), owner.rows())
  })

  it('a cluster without its standby stops acknowledging when no standby is named any more, and goes on when one is', async (test) => {
    const start = nodesOf(test, pair.primary.url(await newDatabase(pair.primary)))
    const owner = await start('a')
    await becomes(owner, 'owning')
    const merchant = await makeHistory(owner.engine, 1)
    await pair.primary.run(`alter system set synchronous_standby_names = ''`)
    await pair.primary.run('select pg_reload_conf()')
    const named = 'show synchronous_standby_names'
    const setting = async (): Promise<string | undefined> =>
      (await pair.primary.run<{ synchronous_standby_names: string }>(named))[0]?.synchronous_standby_names
    await eventuallyAsync(async () => (await setting()) === '', 'no standby to be named')
    let isAcknowledged = false
    const waiting = send(owner.engine, payoutOf(merchant), 'alone').then((outcome) => {
      isAcknowledged = true
      return outcome
    })
    await passed(500)
    assert.equal(isAcknowledged, false)
    await pair.primary.run(`alter system set synchronous_standby_names = 'standby'`)
    await pair.primary.run('select pg_reload_conf()')
    assert.equal((await waiting).kind, 'created')
    assert.deepEqual(owner.fatals, [])
  })
})
