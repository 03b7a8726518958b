// What damage to the files of a data folder comes to: a damaged log is refused, a damaged archive is rebuilt.
import assert from 'node:assert/strict'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { UNUSABLE_FILE } from '../../../wal/archive/lmdb-archive.ts'
import { logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { LOG_MAP_BYTES } from '../../../wal/limits.ts'
import { dataFileOf } from '../../../wal/lmdb-file.ts'
import { openLmdbStore } from '../../../wal/lmdb-store.ts'
import { filledFolder, fillFolder, openFolder } from '../../support/filled-folder.ts'
import { firstSequences } from '../../support/log-batches.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { addSegment, segmentOf } from '../../support/segments.ts'

const LATEST = Number.MAX_SAFE_INTEGER

/** Overwrites bytes of a file in place. */
function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
}

it('a check that never began says nothing of damage', async (test) => {
  const dataDir = join(scratchFolder(test), 'data')
  filledFolder(dataDir)
  const before = process.env.NODE_OPTIONS
  test.after(() => {
    if (before === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = before
  })
  process.env.NODE_OPTIONS = '--no-such-option'
  await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), {
    name: 'DataFolderError',
    code: 'unusable',
    message: /could not be checked/,
  })
})

describe('a damaged log', () => {
  /** Damages the file and expects the start to be refused with a message for the operator. */
  async function refuses(
    test: TestContext,
    damage: (file: string, batches: Uint8Array[]) => void | Promise<void>,
    code = 'log_damaged',
  ): Promise<void> {
    const dataDir = join(scratchFolder(test), 'data')
    const batches = filledFolder(dataDir)
    await damage(dataFileOf(logPathOf(dataDir)), batches)
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), {
      name: 'DataFolderError',
      code,
      message: /restore|newer release/,
    })
    assert.equal(existsSync(dataFileOf(join(dataDir, 'archive'))), true)
  }

  it('a damaged log is refused when its file was cut', (test) =>
    refuses(test, (file) => truncateSync(file, Math.floor(statSync(file).size / 2))))

  it('a damaged log is refused when its file is empty', (test) => refuses(test, (file) => truncateSync(file, 0)))

  it('a damaged log is refused when its file is zeros behind the meta pages', (test) =>
    refuses(test, (file) => overwrite(file, 8192, Buffer.alloc(statSync(file).size - 8192))))

  it('a damaged log is refused when its file is rubbish from the start', (test) =>
    refuses(test, (file) => overwrite(file, 0, Buffer.alloc(8192, 0x5a))))

  it('a damaged log is refused for one flipped bit in its last batch', (test) =>
    refuses(test, (file, batches) => {
      const at = readFileSync(file).indexOf(Buffer.from(batches[7] as Uint8Array))
      assert.ok(at > 0)
      overwrite(file, at + 2000, Buffer.from([((batches[7] as Uint8Array)[2000] as number) ^ 4]))
    }))

  it('a damaged log is refused when a page of its tree points nowhere', (test) =>
    refuses(test, (file) => {
      // Every page that is not a batch's: the tree's pages are all there is besides.
      const bytes = readFileSync(file)
      for (let page = 2 * 4096; page < bytes.length; page += 4096) {
        const isLeafOrBranch = ((bytes[page + 18] as number) & 0x03) !== 0 && bytes.readUInt32LE(page) === page / 4096
        if (isLeafOrBranch) bytes.fill(0xff, page + 24, page + 4096)
      }
      overwrite(file, 0, bytes)
    }))

  it('a damaged log is refused when a newer release wrote its batches', (test) =>
    refuses(
      test,
      (file, batches) => {
        const at = readFileSync(file).indexOf(Buffer.from(batches[7] as Uint8Array))
        overwrite(file, at + 4, Buffer.from([2, 0]))
      },
      'log_too_new',
    ))

  it('a damaged log is refused when a newer release made it', (test) =>
    refuses(
      test,
      async (file) => {
        const environment = openLmdbStore({ path: join(file, '..'), mapBytes: LOG_MAP_BYTES })
        await environment.put(Symbol.for('meta'), Buffer.from('{"format":99}'))
        await environment.close()
      },
      'log_too_new',
    ))
})

it('a log that the system refuses to open is not called damaged', async (test) => {
  const dataDir = join(scratchFolder(test), 'data')
  filledFolder(dataDir)
  const file = dataFileOf(logPathOf(dataDir))
  rmSync(file)
  mkdirSync(file)
  await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'unusable', message: /directory/i })
})

/** An entry as a chunk of one entry holds it. */
function indexEntry(high: number, low: number, position: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(high, 0)
  bytes.writeUInt32LE(low, 4)
  bytes.writeDoubleLE(position, 8)
  return bytes
}

/** Flips the lowest bit of the byte at a distance from the start of each place that holds the bytes. */
function flipAfter(file: string, wanted: Buffer, distance: number): void {
  const bytes = readFileSync(file)
  let count = 0
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    bytes[at + distance] = (bytes[at + distance] ?? 0) ^ 1
    count++
  }
  assert.ok(count > 0)
  overwrite(file, 0, bytes)
}

describe('a damaged archive', () => {
  for (const [title, damage] of [
    ['was cut', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 3))],
    ['is empty', (file: string) => truncateSync(file, 0)],
    ['is rubbish', (file: string) => overwrite(file, 0, Buffer.alloc(statSync(file).size, 0x5a))],
    ['has one flipped bit in an entry of its index', (file: string) => flipAfter(file, indexEntry(7, 7, 4096), 15)],
    ['has one flipped bit in the hash key of its manifest', (file: string) => flipAfter(file, Buffer.from('"hashKey":['), 12)],
    ['has lost all but its meta pages', (file: string) => overwrite(file, 32_768, Buffer.alloc(statSync(file).size - 32_768, 0xff))],
  ] as const) {
    it(`a damaged archive is dropped and rebuilt when its file ${title}`, async (test) => {
      const dataDir = join(scratchFolder(test), 'data')
      filledFolder(dataDir)
      damage(dataFileOf(join(dataDir, 'archive')))
      const { folder, warnings } = await openFolder(test, dataDir)
      assert.match(warnings.join(), /rebuilt/)
      assert.equal(folder.archive.indexedThrough, 0)
      assert.equal(folder.archive.loadSnapshot(), null)
      assert.deepEqual(await firstSequences(folder.log, 1), [1, 4, 7, 10, 13, 16, 19, 22])
      await addSegment(folder.archive, segmentOf(24, [{ high: 7, low: 7, position: 4096 }]))
      assert.deepEqual(folder.archive.find(7, 7, LATEST, 5), [4096])
    })
  }

  it('a damaged archive is rebuilt after a write has found the damage, also after a stop in order', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    await fillFolder(dataDir)
    writeFileSync(join(dataDir, 'archive', UNUSABLE_FILE), '')
    const { folder, warnings } = await openFolder(test, dataDir)
    assert.match(warnings.join(), /rebuilt/)
    assert.equal(folder.archive.indexedThrough, 0)
    assert.equal(existsSync(join(dataDir, 'archive', UNUSABLE_FILE)), false)
  })

  it('a damaged archive keeps its index when only a row of the snapshot changed', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    const file = dataFileOf(join(dataDir, 'archive'))
    const bytes = readFileSync(file)
    for (let at = bytes.indexOf('v'.repeat(150)); at >= 0; at = bytes.indexOf('v'.repeat(150), at + 200)) bytes[at] = 0x77
    overwrite(file, 0, bytes)
    const { folder, warnings } = await openFolder(test, dataDir)
    assert.equal(folder.archive.loadSnapshot(), null)
    assert.match(warnings.join(), /digest/)
    assert.deepEqual(folder.archive.find(7, 7, LATEST, 5), [4096])
  })
})
