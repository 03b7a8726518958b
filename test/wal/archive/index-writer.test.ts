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

for (const [title, filtersMaxBytes] of [
  ['with filters', undefined],
  ['without room for filters', 0],
] as const) {
  test(`a key is found after its run was merged and deleted, ${title}`, (t) => {
    const store = closeLater(t, openStore(scratchFolder(t)))
    const index = new IndexWriter(store, emptyManifest('log'))
    const reader = new IndexReader(store, [], filtersMaxBytes)
    for (let segment = 1; segment <= MERGE_FAN_IN; segment++) {
      for (const { run, filter } of index.addSegments([segmentOf(segment, entriesOf(segment))])) if (run !== null) reader.add(run, filter)
    }
    while (index.hasWork) {
      const merged = index.step()
      if (merged === null) continue
      reader.replace(merged.inputs, merged.output, merged.filter)
      index.release(merged.inputs)
    }
    store.refresh()
    assert.equal(reader.runCount, 1)
    for (let segment = 1; segment <= MERGE_FAN_IN; segment++) {
      for (const { high, low } of entriesOf(segment)) assert.equal(reader.mayHave(high, low), true, `segment ${segment}, ${low}`)
    }
  })
}

function entriesOf(segment: number): Entry[] {
  return Array.from({ length: ENTRIES }, (_, index) => ({
    high: (segment * 2_654_435_761 + index) >>> 0,
    low: index,
    position: segment * 4096 + index,
  }))
}
