// What a trace of V8's collections says about allocation and survival.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heapUseOf } from '../../bench/cauri/heap-use.ts'

const sizes = (young: number, old: number) => [
  { spaceName: 'new_space', spaceUsedSize: young },
  { spaceName: 'old_space', spaceUsedSize: old },
]
const collection = (gcType: string, before: [number, number], after: [number, number]) => ({
  gcType,
  beforeGC: { heapSpaceStatistics: sizes(...before) },
  afterGC: { heapSpaceStatistics: sizes(...after) },
})

test('allocation is the growth between collections, and survivors are what a scavenge copies or promotes', () => {
  const use = heapUseOf({
    first: sizes(100, 1000),
    collections: [collection('Scavenge', [600, 1000], [40, 1010]), collection('Scavenge', [540, 1010], [30, 1010])],
    last: sizes(80, 1010),
  })
  assert.deepEqual(use, { allocatedBytes: 500 + 500 + 50, survivingBytes: [50, 30] })
})

test('a mark-sweep counts as no scavenge, and a space that shrinks between collections as no allocation', () => {
  const use = heapUseOf({
    first: sizes(0, 1000),
    collections: [collection('MarkSweepCompact', [200, 1000], [10, 700])],
    last: sizes(110, 650),
  })
  assert.deepEqual(use, { allocatedBytes: 200 + 100, survivingBytes: [] })
})
