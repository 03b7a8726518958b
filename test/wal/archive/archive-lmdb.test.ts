// What only the LMDB archive can get wrong: merges, reopening, damage to the snapshot, and death of its worker.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { LmdbArchive } from '../../../wal/archive/lmdb-archive.ts'
import { ARCHIVE_VERSION, readManifest } from '../../../wal/archive/manifest.ts'
import { openStore } from '../../../wal/archive/store.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'
import { addSegment, type Entry, PlainIndex, saveSnapshot, segmentOf, setIndexVersion, until } from '../../support/segments.ts'

const LATEST = Number.MAX_SAFE_INTEGER

interface OpenOptions {
  readonly logId?: string
  readonly filtersMaxBytes?: number
  readonly warnings?: string[]
}

async function openArchive(test: TestContext, path: string, options: OpenOptions = {}): Promise<LmdbArchive> {
  const { warnings = [], logId = 'log', ...rest } = options
  return closeLater(test, await LmdbArchive.open({ path, logId, onWarning: (message) => warnings.push(message), ...rest }))
}

/** Few hashes, so that they repeat over segments; half of them with the top bit. */
const hashes = fc.integer({ min: 0, max: 40 }).map((index) => ({ high: Math.imul(index, 0x9e3779b1) >>> 0, low: (index * 7919) >>> 0 }))
const segments = fc.array(fc.array(fc.tuple(hashes, fc.integer({ min: 0, max: 3 })), { maxLength: 120 }), { minLength: 1, maxLength: 40 })

function entriesOf(segment: readonly [{ high: number; low: number }, number][], first: number): Entry[] {
  return segment.map(([hash, event], index) => ({ ...hash, position: (first + Math.floor(index / 4)) * 4096 + event }))
}

function compare(archive: LmdbArchive, plain: PlainIndex, below: number): void {
  for (let index = 0; index <= 41; index++) {
    const high = Math.imul(index, 0x9e3779b1) >>> 0
    const low = (index * 7919) >>> 0
    for (const limit of [1, 7, 1000]) assert.deepEqual(archive.find(high, low, below, limit), plain.find(high, low, below, limit))
    if (plain.find(high, low, LATEST, 1).length > 0) assert.equal(archive.mayHave(high, low), true)
  }
}

describe('the index', () => {
  for (const [title, options] of [
    ['with filters', {}],
    ['without room for filters', { filtersMaxBytes: 0 }],
  ] as const) {
    it(`the index finds what a plain list finds, while runs merge and after reopening, ${title}`, async (test) => {
      const folder = scratchFolder(test)
      let round = 0
      const property = fc.asyncProperty(segments, fc.integer({ min: 0, max: 40 * 30 * 4096 }), async (parts, below) => {
        const path = join(folder, `archive-${round++}`)
        const plain = new PlainIndex()
        const archive = await LmdbArchive.open({ path, logId: 'log', onWarning: assert.fail, ...options })
        let sequence = 1
        for (const part of parts) {
          const entries = entriesOf(part, sequence)
          sequence += 31
          plain.add(entries)
          await addSegment(archive, segmentOf(sequence - 1, entries))
          compare(archive, plain, below)
        }
        await archive.close()
        const again = await LmdbArchive.open({ path, logId: 'log', onWarning: assert.fail, ...options })
        assert.equal(again.indexedThrough, sequence - 1)
        compare(again, plain, below)
        await again.close()
      })
      await fc.assert(property, { numRuns: 2, seed: 20_261_121 })
    })
  }

  it('the index merges runs and deletes what was merged', async (test) => {
    const path = join(scratchFolder(test), 'archive')
    const archive = await openArchive(test, path)
    const plain = new PlainIndex()
    for (let part = 0; part < 64; part++) {
      const entries = Array.from({ length: 100 }, (_, index) => ({ high: index, low: part % 2, position: (part * 100 + index) * 4096 }))
      plain.add(entries)
      await addSegment(archive, segmentOf((part + 1) * 100, entries))
    }
    await until(() => archive.figures().runs < 16)
    for (const high of [0, 50, 99]) assert.deepEqual(archive.find(high, 1, LATEST, 100), plain.find(high, 1, LATEST, 100))
    const store = openStore(path)
    await until(() => {
      store.refresh()
      return readManifest(store)?.rubbish.length === 0
    })
    const onDisk = new Set([...store.chunks.getKeys({})].map((key) => Buffer.from(key).readUInt32BE(0)))
    const named = readManifest(store)?.runs.map((run) => run.number)
    await store.close()
    assert.deepEqual([...onDisk].sort(), named?.sort())
    assert.equal(onDisk.size, archive.figures().runs)
  })

  it('the index loads the filters again after a start', async (test) => {
    const path = join(scratchFolder(test), 'archive')
    const archive = await openArchive(test, path)
    await addSegment(archive, segmentOf(1, [{ high: 9, low: 9, position: 1 }]))
    const { filterBytes } = archive.figures()
    assert.ok(filterBytes > 0)
    await archive.close()
    const again = await openArchive(test, path)
    await again.whenLoaded()
    assert.equal(again.figures().filterBytes, filterBytes)
    assert.equal(again.mayHave(9, 9), true)
    assert.equal(again.mayHave(9, 10), false)
  })

  it('a start that is closed does not wait for the filters', async (test) => {
    const archive = await openArchive(test, join(scratchFolder(test), 'archive'))
    await addSegment(archive, segmentOf(1, [{ high: 9, low: 9, position: 1 }]))
    await Promise.all([archive.whenLoaded(), archive.close()])
  })

  it('a new index has no filters to load', async (test) => {
    const archive = await openArchive(test, join(scratchFolder(test), 'archive'))
    await archive.whenLoaded()
    assert.equal(archive.figures().filterBytes, 0)
  })
})

describe('an archive', () => {
  it('an archive of another log is rebuilt', async (test) => {
    const path = join(scratchFolder(test), 'archive')
    const archive = await openArchive(test, path)
    await addSegment(archive, segmentOf(5, [{ high: 1, low: 1, position: 1 }]))
    await saveSnapshot(archive, { sequence: 5, timeMs: 1, batchHash: '', rows: [{ key: 'k', value: 'v' }] })
    await archive.close()
    const warnings: string[] = []
    const again = await openArchive(test, path, { logId: 'another', warnings })
    assert.equal(again.indexedThrough, 0)
    assert.equal(again.loadSnapshot(), null)
    assert.deepEqual(again.find(1, 1, LATEST, 5), [])
    assert.equal(warnings.length, 1)
  })

  it('an archive with an index of an earlier version drops the index and keeps the snapshot', async (test) => {
    const path = join(scratchFolder(test), 'archive')
    const archive = await openArchive(test, path)
    await addSegment(archive, segmentOf(5, [{ high: 1, low: 1, position: 1 }]))
    await saveSnapshot(archive, { sequence: 5, timeMs: 1, batchHash: '', rows: [{ key: 'k', value: 'v' }] })
    await archive.close()
    await setIndexVersion(path, ARCHIVE_VERSION - 1)
    const warnings: string[] = []
    const again = await openArchive(test, path, { warnings })
    assert.equal(again.indexedThrough, 0)
    assert.deepEqual(again.find(1, 1, LATEST, 5), [])
    assert.deepEqual([...(again.loadSnapshot()?.rows ?? [])], [{ key: 'k', value: 'v' }])
    assert.match(warnings.join(), /earlier version/)
    await addSegment(again, segmentOf(6, [{ high: 1, low: 1, position: 2 }]))
    assert.deepEqual(again.find(1, 1, LATEST, 5), [2])
  })

  it('an archive with an index of a later version is rebuilt from nothing', async (test) => {
    const path = join(scratchFolder(test), 'archive')
    const archive = await openArchive(test, path)
    await addSegment(archive, segmentOf(5, [{ high: 1, low: 1, position: 1 }]))
    await saveSnapshot(archive, { sequence: 5, timeMs: 1, batchHash: '', rows: [{ key: 'k', value: 'v' }] })
    await archive.close()
    await setIndexVersion(path, 1000)
    const again = await openArchive(test, path)
    assert.equal(again.indexedThrough, 0)
    assert.equal(again.loadSnapshot(), null)
  })

  it('an archive drops a snapshot that does not match its digest, and stores the next one from nothing', async (test) => {
    const path = join(scratchFolder(test), 'archive')
    const archive = await openArchive(test, path)
    const point = { sequence: 5, timeMs: 1, batchHash: '' }
    await saveSnapshot(archive, {
      ...point,
      rows: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    })
    await archive.close()
    const store = openStore(path)
    store.transact(() => store.put(store.snapshot, 'a', '9'))
    await store.close()
    const warnings: string[] = []
    const again = await openArchive(test, path, { warnings })
    assert.equal(again.loadSnapshot(), null)
    assert.match(warnings[0] ?? '', /digest/)
    await saveSnapshot(again, { ...point, sequence: 6, rows: [{ key: 'c', value: '3' }] })
    assert.deepEqual([...(again.loadSnapshot()?.rows ?? [])], [{ key: 'c', value: '3' }])
  })

  it('an archive that cannot be written fails what is under way and all that follows', async (test) => {
    const warnings: string[] = []
    const archive = await openArchive(test, join(scratchFolder(test), 'archive'), { warnings })
    await addSegment(archive, segmentOf(1, [{ high: 1, low: 1, position: 1 }]))
    const tooLong = 'k'.repeat(5000)
    await assert.rejects(saveSnapshot(archive, { sequence: 1, timeMs: 1, batchHash: '', rows: [{ key: tooLong, value: '1' }] }), {
      code: 'archive_failed',
    })
    await assert.rejects(addSegment(archive, segmentOf(2, [])), { code: 'archive_failed' })
    assert.equal(archive.loadSnapshot(), null)
    assert.deepEqual(archive.find(1, 1, LATEST, 5), [1])
  })
})
