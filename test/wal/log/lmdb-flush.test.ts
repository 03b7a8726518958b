// A flush of several batches in LMDB is one transaction: all of it is stored, or nothing.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import type { BatchesToAppend, BatchToAppend } from '../../../engine/actor/ports.ts'
import { LOG_MAP_BYTES } from '../../../wal/limits.ts'
import { type LmdbStore, openLmdbStore } from '../../../wal/lmdb-store.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import { walkLog } from '../../../wal/tools/log-walk.ts'
import { appendAll, BatchSource } from '../../support/log-batches.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const LARGE_BYTES = 30_000
/** More than lmdb queues before it starts the transaction. */
const MANY = 1_500

function transactionsOf(store: LmdbStore): number {
  return (store.getStats() as { readonly lastTxnId: number }).lastTxnId
}

async function openLog(test: TestContext): Promise<{ readonly log: LmdbLog; readonly path: string; readonly store: LmdbStore }> {
  const path = join(scratchFolder(test), 'log')
  const log = await LmdbLog.open({ path })
  const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES })
  test.after(async () => {
    await store.close()
    await log.close()
  })
  return { log, path, store }
}

function flushOf(source: BatchSource, count: number): BatchesToAppend {
  const next = (index: number): BatchToAppend => source.next(1 + (index % 2), index % 2 === 0 ? LARGE_BYTES : 20)
  const [first, ...others] = Array.from({ length: count }, (_, index) => next(index))
  assert.ok(first !== undefined)
  return [first, ...others]
}

for (const count of [1, 2, 3, 7, MANY]) {
  it(`a flush of ${count} batches is one transaction`, async (test) => {
    const { log, store } = await openLog(test)
    const source = new BatchSource()
    const before = transactionsOf(store)
    assert.equal(await appendAll(log, flushOf(source, count)), null)
    assert.equal(transactionsOf(store), before + 1)
    assert.equal(log.durableSequence, source.lastSequence)
    assert.equal((await walkLog(log)).fault, null)
  })
}

for (const count of [1, 3]) {
  it(`a flush of ${count} batches stores none of them where another writer has stored its first sequence`, async (test) => {
    const { log, path } = await openLog(test)
    const source = new BatchSource()
    assert.equal(await appendAll(log, [source.next(2)]), null)
    const other = await LmdbLog.open({ path })
    test.after(() => other.close())
    const others = BatchSource.after(source.lastSequence, source.hash)
    assert.equal(await appendAll(other, [others.next(1)]), null)
    const error = await appendAll(log, flushOf(source, count))
    assert.match(String(error), /already holds sequence 3/)
    assert.equal(log.durableSequence, 2)
    // Of a new reader: the others may go on with the view of the store that they have.
    const reader = await LmdbLog.open({ path })
    test.after(() => reader.close())
    const { fault, lastSequence } = await walkLog(reader)
    assert.deepEqual({ fault, lastSequence }, { fault: null, lastSequence: 3 })
  })
}
