// The status board of a cluster over a real PostgreSQL with a synchronous standby.
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { NodeBoard, type NodeStatus } from '../../../wal/log/postgres-board.ts'
import { parsePostgresUrl } from '../../../wal/log/postgres-hosts.ts'
import { PostgresLog } from '../../../wal/log/postgres-log.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { closeLater } from '../../support/scratch-folder.ts'

const STATUS: NodeStatus = {
  ...{ role: 'following', roleAgeMs: 5000, epoch: 3, sequence: 2 ** 40, lagMs: 12.5, version: '1.2.3' },
  appends: { p50Ms: null, p99Ms: null },
  barriers: { p50Ms: 0.4, p99Ms: 2.5 },
  ...{ clockMs: -3.5, trouble: 'clock_wrong' },
}

describe('the status board of a cluster', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let url: string

  before(async () => {
    pair = await startPair()
    url = pair.primary.url(await newDatabase(pair.primary))
    const log = await PostgresLog.own({ hosts: parsePostgresUrl(url), name: nameOf('owner'), allowsUnsafe: false, onWarning: () => {} })
    await log.close()
  })

  after(() => pair?.remove())

  function nameOf(node: string) {
    return { node, url: `http://${node}:8080` }
  }

  function boardOf(test: TestContext, node: string, status: Partial<NodeStatus> = {}, at = url, run = 'run'): NodeBoard {
    const board = new NodeBoard({ hosts: parsePostgresUrl(at), name: nameOf(node), run, status: () => ({ ...STATUS, ...status }) })
    closeLater(test, board)
    return board
  }

  it('the status board shows each node what the others wrote last, and the owner row', async (test) => {
    await boardOf(test, 'first', { role: 'owning', epoch: 4 }).put()
    const { nodes, owner, ownerEpoch, standbys } = await boardOf(test, 'second').put()
    assert.deepEqual([owner, ownerEpoch, standbys], ['owner', 1, 1])
    assert.deepEqual(
      nodes.map(({ node }) => node),
      ['first', 'second'],
    )
    const [first, second] = nodes
    assert.ok(first !== undefined && second !== undefined)
    const { seenAgeMs, roleAgeMs, ...status } = first
    assert.deepEqual({ ...status, roleAgeMs: 5000 }, { ...STATUS, ...nameOf('first'), role: 'owning', epoch: 4 })
    assert.ok(seenAgeMs >= 0 && roleAgeMs >= 5000)
    assert.deepEqual(second, { ...STATUS, ...nameOf('second'), seenAgeMs: 0 })
  })

  it('the status board takes no row of another process that has the name of a living one, and measures the clock of PostgreSQL', async (test) => {
    const { clock } = await boardOf(test, 'twin').put()
    assert.ok(clock.receivedMs >= clock.sentMs && Math.abs(clock.serverMs - Date.now()) < 60_000)
    await assert.rejects(boardOf(test, 'twin', {}, url, 'other run').put(), { code: 'name_in_use' })
    await boardOf(test, 'twin', { role: 'stopped' }).put()
    await boardOf(test, 'twin', {}, url, 'other run').put()
  })

  it('the status board replaces the row of a node that writes again', async (test) => {
    const watcher = boardOf(test, 'watcher')
    const [before, after] = [boardOf(test, 'again', { sequence: 1 }), boardOf(test, 'again', { sequence: 2, role: 'stopped' })]
    await before.put()
    await after.put()
    const found = (await watcher.put()).nodes.filter(({ node }) => node === 'again')
    assert.deepEqual(
      found.map(({ sequence, role }) => [sequence, role]),
      [[2, 'stopped']],
    )
  })

  it('the status board is written while the standby is away, and counts no standby', async (test) => {
    const board = boardOf(test, 'waits-for-nothing')
    await board.put()
    pair.standby.signal('SIGSTOP')
    try {
      assert.equal((await board.put()).nodes.length > 0, true)
      await pair.primary.run(`select pg_terminate_backend(pid) from pg_stat_replication`)
      await eventuallyAsync(async () => (await board.put()).standbys === 0, 'the board to count no standby')
    } finally {
      pair.standby.signal('SIGCONT')
    }
  })

  it('the status board does not know the number of standbys where PostgreSQL hides them from its user', async (test) => {
    await pair.primary.run('create role plain login')
    const name = new URL(url).pathname.slice(1)
    await pair.primary.run('grant usage on schema cauri to plain; grant all on all tables in schema cauri to plain', name)
    const board = boardOf(test, 'plain', {}, url.replace(/\/\/[^@]+@/, '//plain@'))
    await eventuallyAsync(async () => (await board.put()).standbys === null, 'an unknown number of standbys')
  })

  it('the status board forgets nodes that were gone for days', async (test) => {
    await boardOf(test, 'old').put()
    const name = new URL(url).pathname.slice(1)
    await pair.primary.run(`update cauri.node_status set seen_at = seen_at - interval '8 days' where node = 'old'`, name)
    const board = boardOf(test, 'new')
    await board.put()
    const { nodes } = await board.put()
    assert.ok(nodes.every(({ node }) => node !== 'old'))
  })
})
