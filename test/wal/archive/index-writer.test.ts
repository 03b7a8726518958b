// The index's only writer, without its thread: what merges do while segments never stop coming.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IndexReader } from '../../../wal/archive/index-reader.ts'
import { IndexWriter } from '../../../wal/archive/index-writer.ts'
import { emptyManifest } from '../../../wal/archive/manifest.ts'
import { openStore } from '../../../wal/archive/store.ts'
import { MERGE_FAN_IN, RUNS_MAX } from '../../../wal/limits.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'
import { type Entry, segmentOf } from '../../support/segments.ts'

const SEGMENTS = 200
const ENTRIES = 50

test('runs stay few when no time is left between segments, and nothing of them is lost', (t) => {
  const store = closeLater(t, openStore(scratchFolder(t)))
  const index = new IndexWriter(store, emptyManifest('log'))
  let most = 0
  for (let segment = 1; segment <= SEGMENTS; segment++) {
    index.catchUp(({ inputs }) => index.release(inputs))
    index.addSegments([segmentOf(segment, entriesOf(segment))])
    most = Math.max(most, index.manifest.runs.length)
  }
  assert.ok(most > RUNS_MAX, 'merges wait while there are few')
  assert.ok(most <= RUNS_MAX + MERGE_FAN_IN, `${most} runs`)
  store.refresh()
  const reader = new IndexReader(store, index.manifest.runs)
  for (let segment = 1; segment <= SEGMENTS; segment += 23) {
    for (const { high, low, position } of entriesOf(segment)) assert.deepEqual(reader.find(high, low, position + 1, 1), [position])
  }
})

function entriesOf(segment: number): Entry[] {
  return Array.from({ length: ENTRIES }, (_, index) => ({
    high: (segment * 2_654_435_761 + index) >>> 0,
    low: index,
    position: segment * 4096 + index,
  }))
}
