// The log in PostgreSQL beyond the contract of all logs: ownership, unknown outcomes, the synchronous standby.
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { LogError } from '../../../wal/log/log-error.ts'
import { parsePostgresUrl } from '../../../wal/log/postgres-hosts.ts'
import { PostgresLog, type PostgresLogOptions } from '../../../wal/log/postgres-log.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { append, BatchSource, firstSequences, mustAppend } from '../../support/log-batches.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { stopReplication, waitingCommits } from '../../support/replication.ts'
import { closeLater } from '../../support/scratch-folder.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

describe('the URL of the log in PostgreSQL', () => {
  it('the URL of the log in PostgreSQL gives each host its own address and the rest of the URL', () => {
    const hosts = parsePostgresUrl('postgres://u:p@a:5433,b/cauri?sslmode=require')
    assert.deepEqual(hosts, [
      { connectionString: 'postgres://u:p@a:5433/cauri?sslmode=require', port: 5433 },
      { connectionString: 'postgres://u:p@b/cauri?sslmode=require', port: 5432 },
    ])
  })

  for (const wrong of ['', 'mysql://a/b', 'postgres://', 'postgres://a,,b/c', 'a:5432']) {
    it(`the URL of the log in PostgreSQL refuses ${JSON.stringify(wrong)}`, () => {
      assert.throws(() => parsePostgresUrl(wrong), TypeError)
    })
  }
})

describe('the log in PostgreSQL', { skip: postgresMissing() }, () => {
  let pair: PostgresPair

  before(async () => {
    pair = await startPair()
  })

  after(() => pair?.remove())

  async function own(test: TestContext, url: string, more: Partial<PostgresLogOptions> = {}): Promise<PostgresLog> {
    const options = { hosts: parsePostgresUrl(url), name: { node: 'a', url: 'http://127.0.0.1:1' }, allowsUnsafe: false }
    return closeLater(test, await PostgresLog.own({ ...options, onWarning: () => {}, ...more }))
  }

  it('the log in PostgreSQL finds the primary behind a standby in the list of hosts', async (test) => {
    const database = await newDatabase(pair.primary)
    const log = await own(test, `postgres://bench@127.0.0.1:${pair.standby.port},127.0.0.1:${pair.primary.port}/${database}`)
    await mustAppend(log, new BatchSource().next(3))
    assert.equal(log.durableSequence, 3)
  })

  it('the log in PostgreSQL names the reason of every host where none takes writes', async (test) => {
    const database = await newDatabase(pair.primary)
    const known = `select from pg_database where datname = '${database}'`
    await eventuallyAsync(async () => (await pair.standby.run(known)).length === 1, 'the database to be replicated')
    await assert.rejects(own(test, `postgres://bench@127.0.0.1:${pair.standby.port},127.0.0.1:1/${database}`), (error: LogError) => {
      assert.equal(error.code, 'log_unreachable')
      assert.match(error.message, /a standby, which takes no writes; connect ECONNREFUSED/)
      return true
    })
  })

  it('the log in PostgreSQL refuses a server whose commits wait for no standby, unless that is allowed', async (test) => {
    const database = await newDatabase(pair.primary)
    await pair.primary.run(`alter database ${database} set synchronous_commit = local`)
    await assert.rejects(own(test, pair.primary.url(database)), { code: 'log_unsafe' })
    const warnings: string[] = []
    await own(test, pair.primary.url(database), { allowsUnsafe: true, onWarning: (message) => warnings.push(message) })
    assert.match(warnings.join('\n'), /synchronous_commit is local/)
  })

  it('the log in PostgreSQL stores nothing of an owner whose log another node has taken over', async (test) => {
    const url = pair.primary.url(await newDatabase(pair.primary))
    const first = await own(test, url)
    const source = new BatchSource()
    await mustAppend(first, source.next(2))
    const second = await own(test, url, { name: { node: 'b', url: 'http://127.0.0.1:2' } })
    assert.deepEqual([second.epoch, second.durableSequence], [first.epoch + 1, 2])
    const stale = await append(first, source.next(1))
    assert.equal((stale as LogError | null)?.code, 'stale_epoch')
    await mustAppend(second, { ...BatchSource.after(2, source.hash).next(4), epoch: second.epoch })
    assert.deepEqual(await firstSequences(second, 1), [1, 3])
  })

  it('the log in PostgreSQL gives one of many nodes that start together the log', async (test) => {
    const url = pair.primary.url(await newDatabase(pair.primary))
    const starts = await Promise.allSettled(Array.from({ length: 5 }, () => own(test, url)))
    const epochs = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value.epoch] : []))
    assert.equal(new Set(epochs).size, epochs.length)
    for (const start of starts) if (start.status === 'rejected') assert.equal((start.reason as LogError).code, 'stale_epoch')
    const newest = Math.max(...epochs)
    for (const start of starts) {
      if (start.status === 'rejected') continue
      const log = start.value
      const error = await append(log, { ...new BatchSource().next(1), epoch: log.epoch })
      assert.equal((error as LogError | null)?.code, log.epoch === newest ? undefined : 'stale_epoch')
    }
  })

  it('the log in PostgreSQL settles an append whose answer was lost: stored once, acknowledged once', async (test) => {
    const database = await newDatabase(pair.primary)
    const proxy = await TcpProxy.start(pair.primary.port)
    test.after(() => proxy.close())
    const log = await own(test, pair.primary.url(database, proxy.port))
    const source = new BatchSource()
    await mustAppend(log, source.next(1))
    proxy.swallow = 'to-client'
    const lost = append(log, source.next(2))
    await eventuallyAsync(async () => (await rowsOf(database)).length === 2, 'the batch to be stored')
    proxy.swallow = null
    proxy.cut()
    assert.equal(await lost, null)
    assert.deepEqual([log.settled.stored, log.settled.appendedAgain, log.durableSequence], [1, 0, 3])
    assert.equal((await rowsOf(database)).length, 2)
  })

  it('the log in PostgreSQL appends again what never arrived', async (test) => {
    const database = await newDatabase(pair.primary)
    const proxy = await TcpProxy.start(pair.primary.port)
    test.after(() => proxy.close())
    const log = await own(test, pair.primary.url(database, proxy.port))
    const source = new BatchSource()
    await mustAppend(log, source.next(1))
    proxy.swallow = 'to-server'
    const lost = append(log, source.next(2))
    await new Promise((resolve) => setImmediate(resolve))
    proxy.swallow = null
    proxy.cut()
    assert.equal(await lost, null)
    assert.deepEqual([log.settled.stored, log.settled.appendedAgain], [0, 1])
    assert.equal((await rowsOf(database)).length, 2)
  })

  it('the log in PostgreSQL acknowledges nothing while the standby is stopped, and everything once it goes on', async (test) => {
    const log = await own(test, pair.primary.url(await newDatabase(pair.primary)))
    const source = new BatchSource()
    await mustAppend(log, source.next(1))
    const resume = await stopReplication(pair)
    let acknowledged = false
    const waiting = append(log, source.next(1)).then((error) => {
      acknowledged = true
      return error
    })
    try {
      await eventuallyAsync(async () => (await waitingCommits(pair)) > 0, 'the commit to wait for the standby')
      assert.equal(acknowledged, false)
    } finally {
      resume()
    }
    assert.equal(await waiting, null)
    assert.equal(log.durableSequence, 2)
  })

  it('the log in PostgreSQL waits for a standby that is away for longer than any statement may take, with a bounded number of connections', async (test) => {
    const database = await newDatabase(pair.primary)
    const warnings: string[] = []
    const onWarning = (message: string): void => void warnings.push(message)
    const log = await own(test, pair.primary.url(database), { statementTimeoutMs: 250, onWarning })
    const source = new BatchSource()
    await mustAppend(log, source.next(1))
    const resume = await stopReplication(pair)
    let acknowledged = false
    const waiting = append(log, source.next(1)).then((error) => {
      acknowledged = true
      return error
    })
    try {
      // Each attempt is given up before the standby comes back; the server process of the first one waits for it alone.
      const given = `select from pg_stat_activity where datname = '${database}' and query like '%cauri.owner%' and state = 'active'`
      const began = performance.now()
      await eventuallyAsync(async () => performance.now() - began > 10 * 250, 'ten attempts')
      assert.equal(acknowledged, false)
      assert.ok((await pair.primary.run(given)).length <= 2)
    } finally {
      resume()
    }
    assert.equal(await waiting, null)
    assert.equal(log.durableSequence, 2)
    assert.equal((await rowsOf(database)).length, 2)
    await mustAppend(log, source.next(3))
  })

  it('the log in PostgreSQL does not take a commit for replicated that an administrator let go', async (test) => {
    const database = await newDatabase(pair.primary)
    const log = await own(test, pair.primary.url(database))
    const source = new BatchSource()
    await mustAppend(log, source.next(1))
    const resume = await stopReplication(pair)
    let acknowledged = false
    const waiting = append(log, source.next(1)).then((error) => {
      acknowledged = true
      return error
    })
    try {
      await eventuallyAsync(async () => (await waitingCommits(pair)) > 0, 'the commit to wait for the standby')
      await pair.primary.run(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      await eventuallyAsync(async () => (await rowsOf(database)).length === 2, 'the commit to be visible on the primary')
      await eventuallyAsync(async () => (await waitingCommits(pair)) > 0, 'a further commit to wait for the standby')
      assert.equal(acknowledged, false)
    } finally {
      resume()
    }
    assert.equal(await waiting, null)
    assert.equal(log.settled.stored, 1)
  })

  function rowsOf(database: string): Promise<readonly object[]> {
    return pair.primary.run('select sequence from cauri.log', database)
  }
})
