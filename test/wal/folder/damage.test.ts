// What damage to the files of a data folder comes to: a damaged log is refused, a damaged archive is rebuilt.
import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { FORMAT_VERSION } from '../../../engine/actor/record-codec.ts'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { UNUSABLE_FILE } from '../../../wal/archive/lmdb-archive.ts'
import { leaveCleanStop } from '../../../wal/folder/clean-stop.ts'
import { logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { LOG_MAP_BYTES, UNFINISHED_WRITES_MAX } from '../../../wal/limits.ts'
import { dataFileOf } from '../../../wal/lmdb-file.ts'
import { openLmdbStore } from '../../../wal/lmdb-store.ts'
import { copyBetween } from '../../../wal/tools/copy-between.ts'
import { verifyFolder } from '../../../wal/tools/verify.ts'
import { filledFolder, fillFolder, openFolder } from '../../support/filled-folder.ts'
import { firstSequences } from '../../support/log-batches.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'
import { addSegment, segmentOf } from '../../support/segments.ts'

const LATEST = Number.MAX_SAFE_INTEGER
const LOG_PAGE_BYTES = 4096

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

  for (const [title, from] of [
    ['ends the process of each append', LOG_PAGE_BYTES / 2],
    ['fails each append', 0],
  ] as const) {
    it(`a damaged log is refused when its list of free pages ${title}, and can be copied whole`, async (test) => {
      const dataDir = join(scratchFolder(test), 'data')
      filledFolder(dataDir)
      zeroFreePages(dataFileOf(logPathOf(dataDir)), LOG_PAGE_BYTES, from)
      const refused = { code: 'log_damaged', message: /can be read, but not appended to.*npm run restore/ }
      await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), refused)
      const copy = join(scratchFolder(test), 'copy')
      const places = { from: { kind: 'folder', path: dataDir }, to: { kind: 'folder', path: copy } } as const
      await copyBetween({ ...places, program: 'restore', moves: false })
      const { folder } = await openFolder(test, copy)
      assert.deepEqual(await firstSequences(folder.log, 1), [1, 4, 7, 10, 13, 16, 19, 22])
    })
  }

  it('a damaged log is refused when a newer release wrote its batches', (test) =>
    refuses(
      test,
      (file, batches) => {
        const at = readFileSync(file).indexOf(Buffer.from(batches[7] as Uint8Array))
        overwrite(file, at + 4, Buffer.from([FORMAT_VERSION + 1, 0]))
      },
      'log_too_new',
    ))

  it('a log in a format that is no longer read is refused in one sentence that names the last commit that reads it', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const batches = filledFolder(dataDir)
    const file = dataFileOf(logPathOf(dataDir))
    for (const batch of batches) overwrite(file, readFileSync(file).indexOf(Buffer.from(batch)) + 4, Buffer.from([1, 0]))
    const sentence = 'The log has format version 1, which no program after commit fe8dd834 reads.'
    const message = `The data folder ${dataDir} cannot be opened: ${sentence}`
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'log_too_old', message })
    leaveCleanStop(dataDir)
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'log_too_old', message })
    assert.deepEqual((await verifyFolder(dataDir)).faults, [sentence])
  })

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

const ARCHIVE_PAGE_BYTES = 16_384
/** Offsets in LMDB's meta pages, the first two of a file. */
const FREE_PAGES_ROOT_AT = 88
const TRANSACTION_AT = 152

/** Changes one byte in rows of the stored snapshot. */
function changeSnapshotRows(file: string): void {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf('v'.repeat(150)); at >= 0; at = bytes.indexOf('v'.repeat(150), at + 200)) bytes[at] = 0x77
  overwrite(file, 0, bytes)
}

/** Zeroes the entries of LMDB's list of free pages, which only writes read: then LMDB aborts the process. From 0 on, it returns an error. */
function zeroFreePages(file: string, pageBytes: number, from = pageBytes / 2): void {
  const bytes = readFileSync(file)
  const [first, second] = [0, pageBytes].map((meta) => bytes.readUInt32LE(meta + TRANSACTION_AT)) as [number, number]
  const root = bytes.readUInt32LE((first > second ? 0 : pageBytes) + FREE_PAGES_ROOT_AT)
  assert.ok(root > 1)
  overwrite(file, root * pageBytes + from, Buffer.alloc(pageBytes - from))
}

const STORE = processEntry(new URL('../../support/wal-children/store-segment.ts', import.meta.url))

/** Starts on the folder without a check, and stores a segment. */
function storeSegment(dataDir: string): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [...STORE, dataDir], { encoding: 'utf8' })
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

  for (const [title, from, reason] of [
    ['ends the process that checks it', ARCHIVE_PAGE_BYTES / 2, /SIGABRT.*rebuilt/],
    ['fails each write', 0, /MDB_BAD_TXN.*rebuilt/],
  ] as const) {
    it(`a damaged archive is rebuilt when its list of free pages ${title}`, async (test) => {
      const dataDir = join(scratchFolder(test), 'data')
      filledFolder(dataDir)
      zeroFreePages(dataFileOf(join(dataDir, 'archive')), ARCHIVE_PAGE_BYTES, from)
      const { folder, warnings } = await openFolder(test, dataDir)
      assert.match(warnings.join(), reason)
      await addSegment(folder.archive, segmentOf(24, [{ high: 7, low: 7, position: 4096 }]))
    })
  }

  it('a damaged archive is rebuilt when four processes in a row were ended inside a write of it', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    await fillFolder(dataDir)
    zeroFreePages(dataFileOf(join(dataDir, 'archive')), ARCHIVE_PAGE_BYTES)
    for (let count = 0; count < UNFINISHED_WRITES_MAX; count++) {
      const { signal, stdout } = storeSegment(dataDir)
      assert.deepEqual([signal, stdout], ['SIGABRT', ''])
    }
    const { status, stdout } = storeSegment(dataDir)
    assert.equal(status, 0)
    assert.match(stdout, /the last 4 processes ended while they wrote it.*rebuilt from the log.*\nstored/)
    const { folder, warnings } = await openFolder(test, dataDir)
    assert.deepEqual(warnings, [])
    assert.deepEqual(folder.archive.find(8, 8, LATEST, 5), [8192])
  })

  it('a damaged archive stops the process also when a write fails that no caller waits for', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    const file = dataFileOf(join(dataDir, 'archive'))
    changeSnapshotRows(file)
    zeroFreePages(file, ARCHIVE_PAGE_BYTES, 0)
    const check = async (): Promise<null> => null
    const failed = new Promise<Error>((resolve) => {
      const opening = openDataFolder({ dataDir, onWarning: () => {}, onFailure: resolve, check })
      // The snapshot does not match its digest: it is deleted in the background.
      void opening.then((folder) => closeLater(test, folder).archive.loadSnapshot())
    })
    assert.match((await failed).message, /cannot be written/)
  })

  it('a damaged archive keeps its index when only a row of the snapshot changed', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    changeSnapshotRows(dataFileOf(join(dataDir, 'archive')))
    const { folder, warnings } = await openFolder(test, dataDir)
    assert.equal(folder.archive.loadSnapshot(), null)
    assert.match(warnings.join(), /digest/)
    assert.deepEqual(folder.archive.find(7, 7, LATEST, 5), [4096])
  })
})
