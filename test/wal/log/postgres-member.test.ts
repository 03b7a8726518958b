// Membership of a node: its secret and its name, over a real PostgreSQL with a synchronous standby.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { NodeBoard } from '../../../wal/log/postgres-board.ts'
import { identify } from '../../../wal/log/postgres-identity.ts'
import { joinMembers } from '../../../wal/log/postgres-member.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { postgresOptions } from '../../support/postgres-log.ts'
import { closeLater } from '../../support/scratch-folder.ts'

const STATUS = {
  ...{ role: 'following', roleAgeMs: 0, epoch: 1, sequence: 1, lagMs: 0, version: '1.0.0', clockMs: 0, trouble: '' },
  appends: { p50Ms: null, p99Ms: null },
  barriers: { p50Ms: null, p99Ms: null },
}

describe('the members of a cluster', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let url: string

  before(async () => {
    pair = await startPair()
    url = pair.primary.url(await newDatabase(pair.primary))
    await identify(postgresOptions(url), { logId: 'a log', keyCheck: 'key' })
  })

  after(() => pair?.remove())

  it('the members of a cluster have one secret while one of them lives, and may change it when none does', async (test) => {
    const { serverMs } = await joinMembers(postgresOptions(url, 'a'), { run: '1', secretCheck: 'one' })
    assert.ok(Math.abs(serverMs - Date.now()) < 60_000)
    await assert.rejects(joinMembers(postgresOptions(url, 'b'), { run: '2', secretCheck: 'other' }), { code: 'wrong_key' })
    const { hosts, name } = postgresOptions(url, 'a')
    const board = closeLater(test, new NodeBoard({ hosts, name, run: '1', status: () => ({ ...STATUS, role: 'stopped' }) }))
    await board.put()
    await joinMembers(postgresOptions(url, 'b'), { run: '2', secretCheck: 'other' })
  })

  it('the members of a cluster have different names: a second process waits, and is refused when the first one reports', async (test) => {
    const { hosts, name } = postgresOptions(url, 'twin')
    await joinMembers(postgresOptions(url, 'twin'), { run: '1', secretCheck: 'other' })
    const board = closeLater(test, new NodeBoard({ hosts, name, run: '1', status: () => STATUS }))
    await board.put()
    const refused = assert.rejects(joinMembers(postgresOptions(url, 'twin'), { run: '2', secretCheck: 'other' }), { code: 'name_in_use' })
    let isRefused = false
    const reports = (async () => {
      while (!isRefused) await board.put()
    })()
    await refused.finally(() => {
      isRefused = true
    })
    await reports
    // A killed process has no connection any more: its name is free at once.
    await board.close()
    await joinMembers(postgresOptions(url, 'twin'), { run: '2', secretCheck: 'other' })
  })
})
