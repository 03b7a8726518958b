// The index on the main thread: which runs it asks by their filters and which on disk.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BloomFilter } from '../../../wal/archive/bloom-filter.ts'
import { IndexReader } from '../../../wal/archive/index-reader.ts'
import { IndexWriter } from '../../../wal/archive/index-writer.ts'
import { emptyManifest, type Run } from '../../../wal/archive/manifest.ts'
import { openStore } from '../../../wal/archive/store.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'
import { type Entry, segmentOf } from '../../support/segments.ts'

/** Entries of each run. The largest stands between smaller ones. */
const SIZES = [50, 3000, 200]
const STRANGERS = 1000

test('after a start the filters that arrive spare new keys the reads of the disk', (t) => {
  const { runs, reader, reads } = readerOf(t)
  assert.equal(strangersFound(reader), 0)
  assert.equal(reads(), STRANGERS * SIZES.length)
  for (const { run, filter } of runs) reader.setFilter(run.number, filter)
  const before = reads()
  assert.equal(strangersFound(reader), 0)
  assert.ok(reads() - before < STRANGERS * 0.01, `${reads() - before} reads`)
  assertAllFound(reader)
})

test('the keys of a run are found once it is added', (t) => {
  const { store, runs } = storedRuns(t)
  const reader = new IndexReader(store, [])
  for (const { run, filter } of runs) reader.add(run, filter)
  assertAllFound(reader)
})

test('a filter of a run that was merged meanwhile changes nothing', (t) => {
  const { runs, reader } = readerOf(t)
  reader.setFilter(1_000_000, (runs[0] as StoredRun).filter)
  assert.equal(reader.filterBytes, 0)
  assertAllFound(reader)
})

test('where memory is short only the largest run is searched on disk, and every key is found', (t) => {
  const [small, large, medium] = storedRuns(t).runs.map(({ filter }) => filter.sizeBytes) as [number, number, number]
  assert.ok(large > small + medium)
  const { runs, reader, reads } = readerOf(t, large)
  for (const { run, filter } of runs) reader.setFilter(run.number, filter)
  assert.equal(reader.filterBytes, small + medium)
  const before = reads()
  assert.equal(strangersFound(reader), 0)
  assert.equal(reads() - before, STRANGERS)
  assertAllFound(reader)
})

interface StoredRun {
  readonly run: Run
  readonly filter: BloomFilter
}

function storedRuns(t: TestContext): { readonly store: ReturnType<typeof openStore>; readonly runs: readonly StoredRun[] } {
  const store = closeLater(t, openStore(scratchFolder(t)))
  const index = new IndexWriter(store, emptyManifest('log'))
  const stored = index.addSegments(SIZES.map((_size, at) => segmentOf(at + 1, entriesOf(at))))
  store.refresh()
  return { store, runs: stored.flatMap(({ run, filter }) => (run === null || filter === null ? [] : { run, filter })) }
}

/** A reader as after a start, without filters, and the number of its reads of the disk. */
function readerOf(t: TestContext, filtersMaxBytes?: number) {
  const { store, runs } = storedRuns(t)
  const getKeys = t.mock.method(store.chunks, 'getKeys')
  const reader = new IndexReader(
    store,
    runs.map(({ run }) => run),
    filtersMaxBytes,
  )
  return { runs, reader, reads: () => getKeys.mock.callCount() }
}

function strangersFound(reader: IndexReader): number {
  let found = 0
  for (let index = 0; index < STRANGERS; index++) if (reader.mayHave(hashOf(10_000_000 + index), index)) found++
  return found
}

function assertAllFound(reader: IndexReader): void {
  for (const at of SIZES.keys())
    for (const { high, low } of entriesOf(at)) assert.equal(reader.mayHave(high, low), true, `run ${at}, ${low}`)
}

function entriesOf(at: number): Entry[] {
  return Array.from({ length: SIZES[at] as number }, (_, index) => ({
    high: hashOf(at * 100_000 + index),
    low: hashOf(at * 100_000 + index + 50_000),
    position: (at + 1) * 4096 + index,
  }))
}

function hashOf(index: number): number {
  return Math.imul(index + 1, 0x9e3779b1) >>> 0
}
