// One suite for both archives: memory and LMDB.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Archive, SnapshotDelta } from '../../../engine/actor/ports.ts'
import { LmdbArchive } from '../../../wal/archive/lmdb-archive.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'
import { addSegment, saveSnapshot, segmentOf } from '../../support/segments.ts'

const LATEST = Number.MAX_SAFE_INTEGER

const ARCHIVES: Record<string, (test: TestContext) => Promise<Archive>> = {
  memory: async () => new MemoryArchive(),
  lmdb: async (test) => {
    const path = join(scratchFolder(test), 'archive')
    return closeLater(test, await LmdbArchive.open({ path, logId: 'log', onWarning: assert.fail }))
  },
}

function delta(sequence: number, rows: Record<string, string | null>): SnapshotDelta {
  const list = Object.entries(rows).map(([key, value]) => ({ key, value }))
  return { sequence, timeMs: sequence * 10, batchHash: 'ab'.repeat(32), rows: list }
}

function rowsOf(archive: Archive): Record<string, string> | null {
  const snapshot = archive.loadSnapshot()
  return snapshot === null ? null : Object.fromEntries(Array.from(snapshot.rows, ({ key, value }) => [key, value]))
}

for (const [name, openArchive] of Object.entries(ARCHIVES)) {
  describe(`the ${name} archive`, () => {
    it(`the ${name} archive starts empty`, async (test) => {
      const archive = await openArchive(test)
      assert.equal(archive.indexedThrough, 0)
      assert.equal(archive.loadSnapshot(), null)
      assert.equal(archive.mayHave(1, 2), false)
      assert.deepEqual(archive.find(1, 2, LATEST, 10), [])
    })

    it(`the ${name} archive shows a segment when done is called`, async (test) => {
      const archive = await openArchive(test)
      const segment = segmentOf(9, [{ high: 1, low: 2, position: 7 * 4096 }])
      const seen = await new Promise<number[]>((resolve, reject) => {
        archive.addSegment(segment, (error) => (error === null ? resolve(archive.find(1, 2, LATEST, 10)) : reject(error)))
        assert.equal(archive.indexedThrough, 0)
        assert.deepEqual(archive.find(1, 2, LATEST, 10), [])
      })
      assert.deepEqual(seen, [7 * 4096])
      assert.equal(archive.indexedThrough, 9)
      assert.equal(archive.mayHave(1, 2), true)
      assert.equal(archive.mayHave(1, 3), false)
    })

    it(`the ${name} archive leaves the segment to its owner`, async (test) => {
      const archive = await openArchive(test)
      const segment = segmentOf(1, [{ high: 1, low: 2, position: 5 }])
      const stored = addSegment(archive, segment)
      assert.equal(segment.high[0], 1)
      await stored
      assert.equal(segment.position[0], 5)
    })

    it(`the ${name} archive finds newest first, below a position, at most so many, over segments, without doubles`, async (test) => {
      const archive = await openArchive(test)
      const positions = Array.from({ length: 60 }, (_, index) => index * 4096 + (index % 3))
      const entries = positions.map((position) => ({ high: 5, low: 6, position }))
      const strangers = positions.map((position) => ({ high: 5, low: 7, position }))
      for (let from = 0; from < 60; from += 20) {
        const mixed = [...entries.slice(from, from + 20), ...strangers.slice(from, from + 20), ...entries.slice(from, from + 20)]
        await addSegment(archive, segmentOf(from + 20, mixed))
      }
      const newest = [...positions].reverse()
      assert.deepEqual(archive.find(5, 6, LATEST, 100), newest)
      assert.deepEqual(archive.find(5, 6, LATEST, 25), newest.slice(0, 25))
      assert.deepEqual(archive.find(5, 6, positions[30] as number, 15), newest.slice(30, 45))
      assert.deepEqual(archive.find(5, 6, (positions[30] as number) + 0.5, 1), [positions[30]])
      assert.deepEqual(archive.find(5, 6, positions[0] as number, 5), [])
      assert.deepEqual(archive.find(5, 8, LATEST, 5), [])
    })

    it(`the ${name} archive takes the largest hashes and positions, and hashes of zero`, async (test) => {
      const archive = await openArchive(test)
      const entries = [
        { high: 0xffff_ffff, low: 0xffff_ffff, position: LATEST - 1 },
        { high: 0xffff_ffff, low: 0, position: 0 },
        { high: 0, low: 0, position: 0 },
        { high: 0x8000_0000, low: 0x7fff_ffff, position: 2 ** 52 + 1 },
      ]
      await addSegment(archive, segmentOf(3, entries))
      for (const { high, low, position } of entries) assert.deepEqual(archive.find(high, low, LATEST, 10), [position])
      assert.equal(archive.mayHave(0x8000_0000, 0x7fff_ffff), true)
    })

    it(`the ${name} archive takes a segment without entries`, async (test) => {
      const archive = await openArchive(test)
      await addSegment(archive, segmentOf(4, []))
      assert.equal(archive.indexedThrough, 4)
    })

    it(`the ${name} archive stores a snapshot and then what changed`, async (test) => {
      const archive = await openArchive(test)
      await saveSnapshot(archive, delta(10, { 'a/1': '{"x":1}', 'a/2': '{"x":2}', 'b/1': '"Abidjan, Côte d’Ivoire 😀"' }))
      await saveSnapshot(archive, delta(20, { 'a/2': '{"x":3}', 'a/1': null, 'c/9': '[]', gone: null }))
      const snapshot = archive.loadSnapshot()
      assert.deepEqual([snapshot?.sequence, snapshot?.timeMs, snapshot?.batchHash], [20, 200, 'ab'.repeat(32)])
      assert.deepEqual(rowsOf(archive), { 'a/2': '{"x":3}', 'b/1': '"Abidjan, Côte d’Ivoire 😀"', 'c/9': '[]' })
    })

    it(`the ${name} archive stores a snapshot of thousands of rows, large ones among them`, async (test) => {
      const archive = await openArchive(test)
      const rows: Record<string, string> = {}
      for (let index = 0; index < 3500; index++) rows[`r/${index}`] = `"${'y'.repeat(index % 900 === 0 ? 50_000 : index % 70)}"`
      await saveSnapshot(archive, delta(1, rows))
      assert.deepEqual(rowsOf(archive), rows)
    })

    it(`the ${name} archive refuses after close`, async (test) => {
      const archive = await openArchive(test)
      await archive.close()
      await assert.rejects(addSegment(archive, segmentOf(1, [])), /closed/)
      await assert.rejects(saveSnapshot(archive, delta(1, {})), /closed/)
    })
  })
}
