// The archive's thread indexes the log itself: it reports a damaged batch, and an index that was interrupted goes on where it ended.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { History } from '../../../engine/actor/history.ts'
import { LogFormatError } from '../../../engine/actor/log-format-error.ts'
import type { IndexSegment, LogIndexed, RecordsToIndex } from '../../../engine/actor/ports.ts'
import { peekHeader } from '../../../engine/actor/record-codec.ts'
import { RECORD_INDEX_KEYS } from '../../../engine/domain/record-index-keys.ts'
import { hashIndexKey } from '../../../engine/kernel/index-key.ts'
import { SEGMENTS_WAITING_MAX } from '../../../engine/kernel/limits.ts'
import { POSITION_MAX, type Position, sequenceOf } from '../../../engine/kernel/position.ts'
import { LmdbArchive } from '../../../wal/archive/lmdb-archive.ts'
import { indexLogInto } from '../../../wal/archive/log-index.ts'
import { logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { LOG_MAP_BYTES, UNSTORED_SEGMENTS_MAX } from '../../../wal/limits.ts'
import { openLmdbStore } from '../../../wal/lmdb-store.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import { batchHolding } from '../../../wal/log-batches.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'
import { makeHistory, openEngine } from '../../support/real-engine.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

const PAYOUTS = 60
/** Enough records for the thread of the archive to index them at a start. */
const MANY_PAYOUTS = 256
const HANDED = 3

interface Filled {
  readonly merchant: number
  readonly through: number
  readonly logPath: string
  readonly folder: string
}

async function givenLog(test: TestContext, payouts = PAYOUTS): Promise<Filled> {
  const folder = scratchFolder(test)
  const dataDir = join(folder, 'data')
  const data = await openDataFolder({ dataDir, onWarning: assert.fail })
  const engine = await openEngine(data)
  const merchant = await makeHistory(engine, payouts)
  const through = engine.lastSequence
  await engine.close()
  await data.close()
  return { merchant, through, logPath: logPathOf(dataDir), folder }
}

async function openArchive(test: TestContext, { folder, logPath }: Filled): Promise<LmdbArchive> {
  return closeLater(test, await LmdbArchive.open({ path: join(folder, 'archive'), logPath, logId: 'log', onWarning: assert.fail }))
}

/** Indexes the log and stores the segments that are left. */
async function indexLog(archive: LmdbArchive, through: number): Promise<Error | null> {
  const [error, unstored] = await new Promise<[Error | null, readonly IndexSegment[]]>((resolve) =>
    archive.indexLog?.({ through, checkThrough: through }, (...answer) => resolve(answer)),
  )
  for (const segment of unstored) await new Promise((resolve) => archive.addSegment(segment, resolve))
  return error
}

function checkKeys(archive: LmdbArchive, { merchant }: Filled): void {
  for (let index = 0; index < PAYOUTS; index++) {
    const { high, low } = hashIndexKey(archive.hashKey, RECORD_INDEX_KEYS.idempotency, 0, `${merchant}:key-${index}`)
    assert.equal(archive.find(high, low, POSITION_MAX, 2).length, 1)
  }
}

it('a log is indexed in the thread of the archive, and again after an end in between', async (test) => {
  const filled = await givenLog(test)
  const first = await openArchive(test, filled)
  void indexLog(first, filled.through)
  await first.close()
  const second = await openArchive(test, filled)
  assert.ok(second.indexedThrough < filled.through)
  assert.equal(await indexLog(second, filled.through), null)
  assert.equal(second.indexedThrough, filled.through)
  checkKeys(second, filled)
  await second.close()
  const third = await openArchive(test, filled)
  assert.equal(third.indexedThrough, filled.through)
  checkKeys(third, filled)
})

it('a damaged batch of the log is reported with its sequence, and no record from it on is indexed', async (test) => {
  const filled = await givenLog(test)
  const store = openLmdbStore({ path: filled.logPath, mapBytes: LOG_MAP_BYTES })
  const batch = batchHolding(store, filled.through)
  assert.ok(batch !== null)
  const bytes = Buffer.from(batch.bytes)
  const { firstSequence } = peekHeader(bytes)
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] as number) ^ 1
  await store.put(firstSequence, bytes)
  await store.close()
  const archive = await openArchive(test, filled)
  const error = await indexLog(archive, filled.through)
  assert.ok(error instanceof LogFormatError)
  assert.equal(error.code, 'batch_damaged')
  assert.ok(archive.indexedThrough < firstSequence)
})

it('records that the thread of the archive indexed are found before their segments are stored, and afterwards', async (test) => {
  const filled = await givenLog(test, MANY_PAYOUTS)
  const log = closeLater(test, await LmdbLog.open({ path: filled.logPath }))
  const archive = await openArchive(test, filled)
  const history = new History(log, archive, assert.fail)
  const isFound = (index: number): boolean => history.result(String(filled.merchant), `key-${index}`) !== null
  const keys = Array.from({ length: MANY_PAYOUTS }, (_, index) => index)
  const error = await new Promise((resolve) => assert.ok(history.indexInArchive(filled.through, resolve)))
  assert.equal(error, null)
  assert.ok(history.tailEntries > 0 && archive.indexedThrough < filled.through)
  assert.ok(keys.every(isFound))
  await eventuallyAsync(async () => history.tailEntries === 0, 'the stored segments')
  assert.equal(archive.indexedThrough, filled.through)
  assert.ok(keys.every(isFound) && !isFound(MANY_PAYOUTS))
})

/** Hands over segments as the thread does; stores each when the test says. */
class HandingArchive extends MemoryArchive {
  handed: readonly IndexSegment[] = []
  readonly waiting: (() => void)[] = []
  readonly stored: number[] = []
  readonly indexLog = (_records: RecordsToIndex, done: LogIndexed): void => done(null, this.handed)

  override addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    this.waiting.push(() => {
      this.stored.push(segment.throughSequence)
      super.addSegment(segment, done)
    })
  }
}

/** Cuts a segment between records. */
function cut({ high, low, position, count, throughSequence }: IndexSegment, parts: number): IndexSegment[] {
  const sequences = Array.from({ length: parts }, (_, index) => Math.ceil((throughSequence * (index + 1)) / parts))
  let from = 0
  return sequences.map((through) => {
    let to = from
    while (to < count && sequenceOf(position[to] as Position) <= through) to++
    const columns = { high: high.slice(from, to), low: low.slice(from, to), position: position.slice(from, to) }
    const segment = { ...columns, count: to - from, throughSequence: through }
    from = to
    return segment
  })
}

it('several segments that the thread hands over are all found, and stored in their order', async (test) => {
  const { logPath, through, merchant } = await givenLog(test, MANY_PAYOUTS)
  const log = closeLater(test, await LmdbLog.open({ path: logPath }))
  const archive = new HandingArchive()
  const target = { hashKey: archive.hashKey, indexedThrough: 0, store: () => assert.fail('nothing is stored') }
  const [whole, ...others] = await indexLogInto(target, { logPath, through, checkThrough: 0, isStopped: () => false })
  assert.ok(whole !== undefined && others.length === 0)
  archive.handed = cut(whole, HANDED)
  const history = new History(log, archive, assert.fail)
  const areFound = (): boolean =>
    Array.from({ length: MANY_PAYOUTS }, (_, index) => history.result(String(merchant), `key-${index}`)).every((result) => result !== null)
  assert.equal(await new Promise((resolve) => assert.ok(history.indexInArchive(through, resolve))), null)
  assert.equal(history.tailEntries, whole.count)
  for (let stored = 0; stored < HANDED; stored++) {
    assert.ok(areFound(), `${stored} of the segments are stored`)
    archive.waiting.shift()?.()
    await new Promise(setImmediate)
  }
  assert.ok(areFound())
  assert.deepEqual([history.tailEntries, archive.stored], [0, archive.handed.map(({ throughSequence }) => throughSequence)])
})

it('segments beyond those that may stay in memory are stored while the log is indexed', async (test) => {
  assert.ok(UNSTORED_SEGMENTS_MAX < SEGMENTS_WAITING_MAX, 'turns do not wait after a start')
  const { logPath, through } = await givenLog(test)
  const stored: IndexSegment[] = []
  const target = { hashKey: [1, 2], indexedThrough: 0, store: (segments: readonly IndexSegment[]) => stored.push(...segments) } as const
  const log = { logPath, through, checkThrough: 0, isStopped: () => false }
  const unstored = await indexLogInto(target, log)
  assert.deepEqual([unstored.length, stored.length], [1, 0])
  assert.deepEqual(await indexLogInto(target, { ...log, unstoredMax: 0 }), [])
  assert.deepEqual(stored, unstored)
})
