// One suite for every log: memory, the simulator's, LMDB, PostgreSQL, and PostgreSQL behind a proxy that cuts connections.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { BatchesToAppend, BatchToAppend, DurableLog, LocalLogReader, Scheduler } from '../../../engine/actor/ports.ts'
import { DiskSpace } from '../../../wal/disk-space.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import type { LogError } from '../../../wal/log/log-error.ts'
import { parsePostgresUrl } from '../../../wal/log/postgres-hosts.ts'
import { PostgresLog } from '../../../wal/log/postgres-log.ts'
import { FaultyLog, NO_FAULTS } from '../../support/faulty-log.ts'
import { append, BatchSource, batchHolding, firstSequences, mustAppend } from '../../support/log-batches.ts'
import { MemoryLog } from '../../support/memory-log.ts'
import { newDatabase, PostgresServer, postgresMissing } from '../../support/postgres.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

const immediateScheduler: Scheduler = {
  soon: (run) => void setImmediate(run),
  at: (_timeMs, run) => {
    const handle = setImmediate(run)
    return () => clearImmediate(handle)
  },
}

/** Of one test: an append that is never confirmed must fail it, and what it opened is closed. */
const BOUNDED = { timeout: 180_000 } as const

type AnyLog = DurableLog & Partial<LocalLogReader>

const skip = postgresMissing()
let postgres: PostgresServer

before(async () => {
  if (skip === false) postgres = await PostgresServer.start()
})

after(() => postgres?.remove())

const LOGS: Record<string, (test: TestContext) => Promise<AnyLog>> = {
  memory: async () => new MemoryLog(),
  faulty: async () =>
    new FaultyLog({ disk: new MemoryLog(), faults: NO_FAULTS, random: () => 0.5, scheduler: immediateScheduler, nowMs: () => 0 }),
  lmdb: (test) => openLmdb(test, join(scratchFolder(test), 'log')),
  postgres: async (test) => openPostgresLog(test, postgres.url(await newDatabase(postgres))),
  'postgres behind a proxy': (test) => openBehindProxy(test),
}

async function openPostgresLog(test: TestContext, url: string): Promise<PostgresLog> {
  const name = { node: 'a', url: 'http://127.0.0.1:1' }
  return closeLater(test, await PostgresLog.own({ hosts: parsePostgresUrl(url), name, allowsUnsafe: true, onWarning: () => {} }))
}

/** Every second append loses its connection: the statement never arrives, or its answer does not. */
async function openBehindProxy(test: TestContext): Promise<PostgresLog> {
  const proxy = await TcpProxy.start(postgres.port)
  test.after(() => proxy.close())
  const log = await openPostgresLog(test, postgres.url(await newDatabase(postgres), proxy.port))
  let appends = 0
  const { append } = log
  log.append = (batch, done) => {
    appends++
    if (appends % 2 === 1) return append.call(log, batch, done)
    proxy.swallow = appends % 4 === 0 ? 'to-server' : 'to-client'
    const heal = (): void => {
      proxy.swallow = null
      proxy.cut()
    }
    const timer = setTimeout(heal, 30)
    append.call(log, batch, (error) => {
      clearTimeout(timer)
      proxy.swallow = null
      done(error)
    })
  }
  return log
}

async function openLmdb(test: TestContext, path: string): Promise<LmdbLog> {
  return closeLater(test, await LmdbLog.open({ path }))
}

for (const [name, openLog] of Object.entries(LOGS)) {
  describe(`the ${name} log`, { skip: name.startsWith('postgres') ? skip : false }, () => {
    it(`the ${name} log starts empty`, BOUNDED, async (test) => {
      const log = await openLog(test)
      assert.equal(log.durableSequence, 0)
      assert.equal(await batchHolding(log, 1), null)
      assert.deepEqual(await firstSequences(log, 1), [])
    })

    it(`the ${name} log counts a batch as durable when done is called, not before`, BOUNDED, async (test) => {
      const log = await openLog(test)
      const batch = new BatchSource().next(3)
      let called = false
      const done = new Promise<number>((resolve) => {
        log.append([batch], (error) => {
          called = true
          assert.equal(error, null)
          resolve(log.durableSequence)
        })
      })
      assert.equal(called, false)
      assert.equal(log.durableSequence, 0)
      assert.equal(await batchHolding(log, 1), null)
      assert.equal(await done, 3)
    })

    it(`the ${name} log finds the batch that holds a sequence`, BOUNDED, async (test) => {
      const log = await openLog(test)
      const source = new BatchSource()
      const batches = [source.next(1), source.next(5), source.next(2)]
      for (const batch of batches) await mustAppend(log, batch)
      const holders: (number | null)[] = []
      for (let sequence = 0; sequence < 10; sequence++) holders.push((await batchHolding(log, sequence))?.firstSequence ?? null)
      assert.deepEqual(holders, [null, 1, 2, 2, 2, 2, 2, 7, 7, null])
      assert.deepEqual(Buffer.from((await batchHolding(log, 4))?.bytes ?? []), Buffer.from(batches[1]?.bytes ?? []))
    })

    it(`the ${name} log reads from the batch that holds the sequence`, BOUNDED, async (test) => {
      const log = await openLog(test)
      const source = new BatchSource()
      for (const count of [1, 5, 2]) await mustAppend(log, source.next(count))
      assert.deepEqual(await firstSequences(log, 0), [1, 2, 7])
      assert.deepEqual(await firstSequences(log, 6), [2, 7])
      assert.deepEqual(await firstSequences(log, 8), [7])
    })

    it(`the ${name} log keeps its own copy: the bytes may be reused after done`, BOUNDED, async (test) => {
      const log = await openLog(test)
      const batch = new BatchSource().next(2)
      const before = Buffer.from(batch.bytes)
      await mustAppend(log, batch)
      batch.bytes.fill(0)
      assert.deepEqual(Buffer.from((await batchHolding(log, 1))?.bytes ?? []), before)
    })

    it(`the ${name} log takes batches from one byte of text to megabytes`, BOUNDED, async (test) => {
      const log = await openLog(test)
      const source = new BatchSource()
      for (const textBytes of [1, 3000, 40_000, 3_000_000]) {
        const batch = source.next(1, textBytes)
        await mustAppend(log, batch)
        assert.deepEqual(Buffer.from((await batchHolding(log, batch.expectedSequence))?.bytes ?? []), Buffer.from(batch.bytes))
      }
      assert.deepEqual(await firstSequences(log, 1), [1, 2, 3, 4])
    })

    it(`the ${name} log reads each of many batches right, however it caches them`, BOUNDED, async (test) => {
      const log = await openLog(test)
      const source = new BatchSource()
      const batches = Array.from({ length: 30 }, (_, index) => source.next(2, (index * 7919) % 30_000))
      for (const batch of batches) await mustAppend(log, batch)
      const steps = log.batchAt === undefined ? 12 : 200
      for (let step = 0; step < steps; step++) {
        const index = (step * 13) % 30
        const found = await batchHolding(log, 2 * index + 1 + (step % 2))
        assert.deepEqual(Buffer.from(found?.bytes ?? []), Buffer.from((batches[index] as BatchToAppend).bytes))
      }
    })

    it(`the ${name} log stores the batches of one flush together`, { ...BOUNDED, skip: name.startsWith('postgres') }, async (test) => {
      const log = await openLog(test)
      const source = new BatchSource()
      await mustAppend(log, source.next(2))
      const flush: BatchesToAppend = [source.next(3), source.next(1, 90_000), source.next(4)]
      const before = flush.map(({ bytes }) => Buffer.from(bytes))
      await mustAppend(log, ...flush)
      for (const { bytes } of flush) bytes.fill(0)
      assert.equal(log.durableSequence, 10)
      assert.deepEqual(await firstSequences(log, 1), [1, 3, 6, 7])
      for (const [index, { expectedSequence }] of flush.entries()) {
        assert.deepEqual(Buffer.from((await batchHolding(log, expectedSequence))?.bytes ?? []), before[index])
      }
      await mustAppend(log, source.next(1))
      assert.deepEqual(await firstSequences(log, 7), [7, 11])
    })

    const refused: [title: string, code: LogError['code'], change: object][] = [
      ['a gap', 'out_of_order', { expectedSequence: 5 }],
      ['an overlap', 'out_of_order', { expectedSequence: 2 }],
      ['an older epoch', 'stale_epoch', { epoch: 0 }],
      ['another partition', 'wrong_partition', { partition: 1 }],
    ]
    for (const [title, code, change] of refused) {
      it(`the ${name} log refuses ${title}, and nothing of it shows`, BOUNDED, async (test) => {
        const log = await openLog(test)
        const source = new BatchSource()
        await mustAppend(log, source.next(2))
        const error = await append(log, { ...source.next(1), ...change })
        assert.equal((error as LogError | null)?.code, code)
        assert.equal(log.durableSequence, 2)
        assert.deepEqual(await firstSequences(log, 1), [1])
      })
    }

    // In PostgreSQL the epoch is the owner row's.
    it(`the ${name} log follows an epoch that is raised and never goes back`, {
      ...BOUNDED,
      skip: name.startsWith('postgres'),
    }, async (test) => {
      const log = await openLog(test)
      const source = new BatchSource()
      await mustAppend(log, { ...source.next(1), epoch: 3 })
      await mustAppend(log, { ...source.next(1), epoch: 3 })
      const error = await append(log, { ...source.next(1), epoch: 2 })
      assert.equal((error as LogError | null)?.code, 'stale_epoch')
    })

    it(`the ${name} log refuses after close`, BOUNDED, async (test) => {
      const log = await openLog(test)
      await log.close()
      const error = await append(log, new BatchSource().next(1))
      assert.equal((error as LogError | null)?.code, 'log_closed')
    })
  })
}

describe('the LMDB log, opened again', () => {
  it('the LMDB log, opened again goes on where it ended, with its epoch', BOUNDED, async (test) => {
    const path = join(scratchFolder(test), 'log')
    const source = new BatchSource()
    const log = await LmdbLog.open({ path })
    await mustAppend(log, { ...source.next(4), epoch: 2 })
    const { logId } = log
    await log.close()
    const again = await openLmdb(test, path)
    assert.equal(again.durableSequence, 4)
    assert.equal(again.logId, logId)
    const stale = await append(again, source.next(1))
    assert.equal((stale as LogError | null)?.code, 'stale_epoch')
  })

  it('the LMDB log, opened again refuses another partition', BOUNDED, async (test) => {
    const path = join(scratchFolder(test), 'log')
    await (await LmdbLog.open({ path, partition: 1 })).close()
    await assert.rejects(LmdbLog.open({ path, partition: 2 }), { code: 'wrong_partition' })
  })

  it('the LMDB log, opened again without the log that it copies takes no writes', BOUNDED, async (test) => {
    const path = join(scratchFolder(test), 'log')
    const original = await LmdbLog.open({ path })
    const { logId } = original
    await original.close()
    await (await LmdbLog.open({ path, logId })).close()
    await assert.rejects(LmdbLog.open({ path }), { code: 'log_moved' })
    await (await LmdbLog.open({ path, logId })).close()
  })

  it('the LMDB log, opened again keeps a batch that another writer stored meanwhile, and fails its own', BOUNDED, async (test) => {
    const path = join(scratchFolder(test), 'log')
    const [one, other] = [await openLmdb(test, path), await openLmdb(test, path)]
    await mustAppend(one, new BatchSource().next(2))
    const late = await append(other, new BatchSource().next(1, 300))
    assert.equal((late as LogError | null)?.code, 'append_failed')
    assert.equal(other.durableSequence, 0)
    const again = await openLmdb(test, path)
    assert.equal(again.durableSequence, 2)
    assert.deepEqual(await firstSequences(again, 1), [1])
  })

  it('the LMDB log, opened again lets the loop turn while it reads a long log', BOUNDED, async (test) => {
    const log = await openLmdb(test, join(scratchFolder(test), 'log'))
    const source = new BatchSource()
    for (let count = 0; count < 12; count++) await mustAppend(log, source.next(1, 500_000))
    let turns = 0
    const ticking = setInterval(() => turns++, 0)
    test.after(() => clearInterval(ticking))
    assert.equal((await firstSequences(log, 1)).length, 12)
    assert.ok(turns > 0)
  })
})

describe('the LMDB log on a bad disk', () => {
  it('the LMDB log on a bad disk refuses below the reserve and takes nothing after it', BOUNDED, async (test) => {
    let freeBytes = 2 ** 40
    const space = new DiskSpace('/', () => ({ freeBytes, totalBytes: 2 ** 41 }))
    const path = join(scratchFolder(test), 'log')
    const source = new BatchSource()
    const log = await LmdbLog.open({ path, space })
    await mustAppend(log, source.next(1))
    assert.equal(log.canWrite(), true)
    await log.close()
    freeBytes = 10_000_000
    const nearlyFull = new DiskSpace('/', () => ({ freeBytes, totalBytes: 2 ** 41 }))
    const full = closeLater(test, await LmdbLog.open({ path, space: nearlyFull }))
    assert.equal(full.canWrite(), false)
    const error = await append(full, source.next(1))
    assert.equal((error as LogError | null)?.code, 'disk_full')
    assert.equal(full.durableSequence, 1)
    const next = await append(full, source.next(1))
    assert.equal((next as LogError | null)?.code, 'disk_full')
  })
})
