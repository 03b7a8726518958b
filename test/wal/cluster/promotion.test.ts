// Nodes of a cluster whose primary dies and whose standby is promoted, under appends: the nodes find the new primary by the list of
// hosts, settle what is unknown, lose nothing and double nothing.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Command } from '../../../engine/domain/command.ts'
import { nodesOf, type TestNode } from '../../support/cluster-fixture.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { newDatabase, type PostgresPair, type PostgresServer, postgresMissing, startPair, startStandby } from '../../support/postgres.ts'
import { makeHistory, send } from '../../support/real-engine.ts'

const SENDERS = 3

describe('a cluster whose primary dies', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let newStandby: PostgresServer | undefined

  before(async () => {
    pair = await startPair()
  })

  after(async () => {
    await newStandby?.remove()
    await pair?.remove()
  })

  const payoutOf = (merchant: number): Command => ({ type: 'CreatePayout', merchant, recipient: 'awa', amount: 1, reference: '', note: '' })

  function becomes(node: TestNode, role: string): Promise<void> {
    return eventuallyAsync(async () => node.node.role === role, `the role ${role}`)
  }

  it('a cluster whose primary dies goes on at the promoted standby with everything acknowledged, once', async (test) => {
    const database = await newDatabase(pair.primary)
    const { primary, standby } = pair
    const hosts = pair.primary.url(database).replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`)
    const start = nodesOf(test, hosts)
    const options = { statementTimeoutMs: 1000 }
    const owner = await start('a', options)
    await becomes(owner, 'owning')
    const follower = await start('b', options)
    const merchant = await makeHistory(owner.engine, 1)
    const before = owner.engine.state.accounts.available(merchant)
    let acknowledged = 0
    let isOver = false
    const sender = async (): Promise<void> => {
      for (; !isOver; acknowledged++) assert.equal((await send(owner.engine, payoutOf(merchant))).kind, 'created')
    }
    const senders = Array.from({ length: SENDERS }, sender)
    await eventuallyAsync(async () => acknowledged > 10, 'payouts')
    await primary.kill()
    await standby.promote()
    // Nothing may be acknowledged by the promoted server alone.
    const alone = acknowledged
    await eventuallyAsync(async () => (await standby.run('select from cauri.owner', database)).length === 1, 'the promoted server')
    assert.ok(acknowledged <= alone + SENDERS, 'no payout was acknowledged without a standby')
    newStandby = await startStandby(standby)
    await eventuallyAsync(async () => acknowledged > alone + 10, 'payouts after the promotion')
    isOver = true
    await Promise.all(senders)
    await follower.node.barrier()
    assert.deepEqual([owner.node.role, follower.node.role], ['owning', 'following'])
    assert.equal(owner.engine.state.accounts.available(merchant), before - acknowledged)
    assert.deepEqual(follower.rows(), owner.rows())
    assert.deepEqual([...owner.fatals, ...follower.fatals], [])
    const empty = await start('c', options)
    await empty.node.barrier()
    assert.deepEqual(empty.rows(), owner.rows())
  })
})
