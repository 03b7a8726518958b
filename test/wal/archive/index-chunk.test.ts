// How runs lie in the pages of the archive.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CHUNK_ENTRIES } from '../../../wal/archive/index-chunk.ts'
import type { SortedColumns } from '../../../wal/archive/index-columns.ts'
import { filterPartCount, newFilter, RunDigest, readFilter, writeChunks, writeFilterParts } from '../../../wal/archive/run-files.ts'
import { type ArchiveStore, openStore } from '../../../wal/archive/store.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

const PAGES = 20

test('a full chunk takes one page, and so does a part of a filter', (t) => {
  const store = openedStore(t)
  const entries = columnsOf(PAGES * CHUNK_ENTRIES)
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

function openedStore(t: TestContext): ArchiveStore {
  return closeLater(t, openStore(scratchFolder(t)))
}

function pagesOf(database: ArchiveStore['chunks']): { readonly values: number; readonly pages: number } {
  const { entryCount, overflowPages } = database.getStats() as { readonly entryCount: number; readonly overflowPages: number }
  return { values: entryCount, pages: overflowPages }
}

/** Ascending hashes. */
function columnsOf(count: number): SortedColumns {
  const step = Math.floor(2 ** 32 / count)
  return {
    count,
    high: Uint32Array.from({ length: count }, (_, index) => index * step),
    low: Uint32Array.from({ length: count }, (_, index) => index),
    position: Float64Array.from({ length: count }, (_, index) => index),
  }
}
