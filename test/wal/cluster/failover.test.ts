// Nodes of a cluster whose primary failed and whose standby was promoted, before there is a standby again: every node reads, also one
// that starts now, and no write is acknowledged.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { nodesOf, type TestNode } from '../../support/cluster-fixture.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { newDatabase, type PostgresPair, type PostgresServer, postgresMissing, startPair, startStandby } from '../../support/postgres.ts'
import { makeHistory, send } from '../../support/real-engine.ts'

describe('a cluster after a failover without a new standby', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let rebuilt: PostgresServer | undefined

  before(async () => {
    pair = await startPair()
  })

  after(async () => {
    await rebuilt?.remove()
    await pair?.remove()
  })

  it('a cluster after a failover without a new standby reads at every node, refuses the former primary, and writes when a standby is back', async (test) => {
    const { primary, standby } = pair
    const database = await newDatabase(primary)
    const start = nodesOf(test, `postgres://bench@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${database}`)
    const owner = await start('a')
    await eventuallyAsync(async () => owner.node.role === 'owning', 'an owner')
    const follower = await start('b')
    const merchant = await makeHistory(owner.engine, 3)
    await follower.node.barrier()
    await primary.kill()
    await standby.promote()
    const nodes: TestNode[] = [owner, follower, await start('c')]
    for (const { node } of nodes) await node.barrier()
    let isAcknowledged = false
    const waiting = send(owner.engine, { type: 'CreatePayout', merchant, recipient: 'awa', amount: 1, reference: '', note: '' }, 'waits')
    void waiting.then(() => {
      isAcknowledged = true
    })
    await primary.startAgain()
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'cauri %' and wait_event is distinct from 'SyncRep'`
    await standby.run(end)
    for (const { node } of nodes) await node.barrier()
    assert.equal(isAcknowledged, false)
    rebuilt = await startStandby(standby)
    assert.equal((await waiting).kind, 'created')
    for (const { node } of nodes) await node.barrier()
    assert.deepEqual(follower.rows(), owner.rows())
    assert.deepEqual(
      nodes.flatMap(({ fatals }) => fatals),
      [],
    )
  })
})
