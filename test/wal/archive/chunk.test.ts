// How runs lie in the pages of the archive, and that runs of earlier releases, with smaller chunks, are read and merged.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CHUNK_ENTRIES } from '../../../wal/archive/chunk.ts'
import type { SortedColumns } from '../../../wal/archive/columns.ts'
import { IndexReader } from '../../../wal/archive/index-reader.ts'
import type { Run } from '../../../wal/archive/manifest.ts'
import { Merge } from '../../../wal/archive/merge.ts'
import { filterPartCount, newFilter, RunDigest, readFilter, writeChunks, writeFilterParts } from '../../../wal/archive/run-files.ts'
import { type ArchiveStore, openStore } from '../../../wal/archive/store.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

const PAGES = 20
/** Entries of a chunk in 1.0.0. */
const EARLIER_ENTRIES = 508

test('a full chunk takes one page, and so does a part of a filter', (t) => {
  const store = openedStore(t)
  const entries = columnsOf(PAGES * CHUNK_ENTRIES, 0)
  const filter = newFilter(1_000_000)
  assert.ok(filter !== null)
  const digest = new RunDigest()
  store.transact(() => {
    writeChunks(store, 1, entries, digest)
    writeFilterParts(store, 1, filter, { fromPart: 0, toPart: filterPartCount(filter) }, digest)
  })
  assert.deepEqual(pagesOf(store.chunks), { values: PAGES, pages: PAGES })
  const parts = filterPartCount(filter)
  // The last part is short, and shares the page of the keys.
  assert.deepEqual(pagesOf(store.filters), { values: parts, pages: parts - 1 })
  store.refresh()
  assert.equal(readFilter(store, 1)?.sizeBytes, filter.sizeBytes)
  assert.equal(readFilter(store, 1, filter.sizeBytes)?.sizeBytes, filter.sizeBytes)
  assert.equal(readFilter(store, 1, filter.sizeBytes / 2), null, 'no room for it')
})

test('runs with the chunks of 1.0.0 are searched and merged', (t) => {
  const store = openedStore(t)
  const runs = [1, 2].map((number) => earlierRun(store, number))
  assert.equal(pagesOf(store.chunks).values, 2 * PAGES)
  store.refresh()
  assertAllFound(new IndexReader(store, runs))
  const merge = new Merge(store, runs, 3)
  while (!merge.isWritten) merge.step(() => {})
  store.refresh()
  const reader = new IndexReader(store, [merge.output])
  assertAllFound(reader)
  const { count } = merge.output
  assert.equal(count, 2 * PAGES * EARLIER_ENTRIES)
  assert.equal(pagesOf(store.chunks).values, 2 * PAGES + Math.ceil(count / CHUNK_ENTRIES), 'the merged run has the chunks of today')
})

function openedStore(t: TestContext): ArchiveStore {
  return closeLater(t, openStore(scratchFolder(t)))
}

function pagesOf(database: ArchiveStore['chunks']): { readonly values: number; readonly pages: number } {
  const { entryCount, overflowPages } = database.getStats() as { readonly entryCount: number; readonly overflowPages: number }
  return { values: entryCount, pages: overflowPages }
}

function earlierRun(store: ArchiveStore, number: number): Run {
  const digest = new RunDigest()
  const count = PAGES * EARLIER_ENTRIES
  const whole = columnsOf(count, number)
  store.transact(() => {
    for (let from = 0; from < count; from += EARLIER_ENTRIES) {
      const [high, low, position] = [whole.high, whole.low, whole.position].map((column) => column.subarray(from, from + EARLIER_ENTRIES))
      writeChunks(store, number, { count: EARLIER_ENTRIES, high, low, position } as SortedColumns, digest)
    }
  })
  return { number, count, hashes: count, minPosition: number * 1_000_000, digest: digest.value }
}

function assertAllFound(reader: IndexReader): void {
  for (const number of [1, 2]) {
    const { count, high, low, position } = columnsOf(PAGES * EARLIER_ENTRIES, number)
    for (let at = 0; at < count; at += 7) {
      const found = reader.find(high[at] as number, low[at] as number, Number.MAX_SAFE_INTEGER, 2)
      assert.deepEqual(found, [position[at]], `run ${number}, entry ${at}`)
    }
  }
}

/** Ascending hashes; those of two runs alternate. */
function columnsOf(count: number, run: number): SortedColumns {
  const step = Math.floor(2 ** 32 / count)
  return {
    count,
    high: Uint32Array.from({ length: count }, (_, index) => index * step + run),
    low: Uint32Array.from({ length: count }, (_, index) => index),
    position: Float64Array.from({ length: count }, (_, index) => run * 1_000_000 + index),
  }
}
