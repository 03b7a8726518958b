// The data folder: who may use it, and what damage to its files comes to.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hashBatch } from '../../engine/actor/record-codec.ts'
import { DiskSpace } from '../../wal/disk-space.ts'
import { openEnvironment } from '../../wal/environment.ts'
import { dataFileOf, logPathOf } from '../../wal/folder.ts'
import { LOG_MAP_BYTES } from '../../wal/limits.ts'
import { type OpenDataFolder, openDataFolder } from '../../wal/open.ts'
import { BatchSource, firstSequences, mustAppend } from './batches.ts'
import { closeLater, scratchFolder } from './scratch-folder.ts'
import { addSegment, saveImage, segmentOf } from './segments.ts'

const HOLD = fileURLToPath(new URL('./children/hold-folder.ts', import.meta.url))
const LATEST = Number.MAX_SAFE_INTEGER

interface Opened {
  readonly folder: OpenDataFolder
  readonly warnings: string[]
}

async function openFolder(test: TestContext, dataDir: string): Promise<Opened> {
  const warnings: string[] = []
  const folder = closeLater(test, await openDataFolder({ dataDir, onWarning: (message) => warnings.push(message) }))
  return { folder, warnings }
}

/** Made once and copied for each test: starting an archive's worker takes half a second. */
let template = ''
let templateBatches: Uint8Array[] = []

before(async () => {
  template = mkdtempSync(join(tmpdir(), 'cauri-wal-'))
  templateBatches = await fillFolder(template)
})

after(() => rmSync(template, { recursive: true, force: true }))

/** A folder with batches, index and image, as if its process had been killed; answers its batches to look for in the file. */
function filledFolder(dataDir: string): Uint8Array[] {
  cpSync(template, dataDir, { recursive: true })
  rmSync(join(dataDir, 'clean-stop.json'))
  return templateBatches
}

async function fillFolder(dataDir: string): Promise<Uint8Array[]> {
  const folder = await openDataFolder({ dataDir, onWarning: assert.fail })
  const source = new BatchSource()
  const batches: Uint8Array[] = []
  for (let count = 0; count < 8; count++) {
    const batch = source.next(3, 3000)
    batches.push(batch.bytes)
    await mustAppend(folder.log, batch)
  }
  await addSegment(folder.archive, segmentOf(24, [{ high: 7, low: 7, position: 4096 }]))
  const rows = Array.from({ length: 50 }, (_, index) => ({ key: `row/${index}`, value: 'v'.repeat(200) }))
  await saveImage(folder.archive, { sequence: 24, timeMs: 1, batchHash: source.hash, rows })
  await folder.close()
  return batches
}

function spawnHolder(dataDir: string, ...more: string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', HOLD, dataDir, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) return line
  return ''
}

/** Overwrites bytes of a file in place. */
function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
}

describe('a data folder', () => {
  it('is made for its owner alone, keeps log and archive, and opens again after a clean stop without a check', async (test) => {
    const dataDir = join(scratchFolder(test), 'below', 'data')
    await fillFolder(dataDir)
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    assert.ok(existsSync(join(dataDir, 'clean-stop.json')))
    const { folder, warnings } = await openFolder(test, dataDir)
    assert.equal(existsSync(join(dataDir, 'clean-stop.json')), false)
    assert.equal(folder.log.durableSequence, 24)
    assert.equal(folder.archive.indexedThrough, 24)
    assert.equal(folder.archive.loadImage()?.sequence, 24)
    assert.equal(folder.canWrite(), true)
    assert.deepEqual(warnings, [])
  })

  it('is held by one process; after kill -9 the next may have it', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const holder = spawnHolder(dataDir)
    assert.equal(await firstLine(holder), 'open')
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'in_use', message: new RegExp(String(holder.pid)) })
    const second = spawnHolder(dataDir)
    assert.equal((JSON.parse(await firstLine(second)) as { code: string }).code, 'in_use')
    const gone = once(holder, 'exit')
    holder.kill('SIGKILL')
    await gone
    const { folder } = await openFolder(test, dataDir)
    assert.equal(folder.log.durableSequence, 0)
  })

  it('is refused to a second opening in the same process', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    await openFolder(test, dataDir)
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'in_use' })
  })

  it('that is no folder or lies below a file is refused', async (test) => {
    const file = join(scratchFolder(test), 'file')
    writeFileSync(file, 'x')
    await assert.rejects(openDataFolder({ dataDir: file, onWarning: assert.fail }), { code: 'not_a_folder' })
    await assert.rejects(openDataFolder({ dataDir: join(file, 'data'), onWarning: assert.fail }), { code: 'not_a_folder' })
  })

  it('that is not writable is refused', async (test) => {
    // The superuser may write anywhere but into the kernel's own file systems.
    const isRoot = process.getuid?.() === 0
    const dataDir = isRoot ? '/sys/kernel/cauri-data' : join(scratchFolder(test), 'data')
    if (!isRoot) {
      mkdirSync(dataDir)
      chmodSync(dataDir, 0o500)
    }
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'not_writable' })
  })

  it('on a nearly full disk is refused', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const space = new DiskSpace(dataDir, () => ({ freeBytes: 1_000_000, totalBytes: 2 ** 40 }))
    await assert.rejects(openDataFolder({ dataDir, space, onWarning: assert.fail }), { code: 'disk_full', message: /free some space/ })
  })

  it('without its log is refused while it has an archive', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    rmSync(logPathOf(dataDir), { recursive: true })
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'log_missing' })
  })

  it('builds the archive anew when it was deleted', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    rmSync(join(dataDir, 'archive'), { recursive: true })
    const { folder } = await openFolder(test, dataDir)
    assert.equal(folder.archive.indexedThrough, 0)
    assert.equal(folder.archive.loadImage(), null)
    assert.equal(folder.log.durableSequence, 24)
  })

  it('builds the archive anew when another log was put in', async (test) => {
    const folder = scratchFolder(test)
    const dataDir = join(folder, 'data')
    filledFolder(dataDir)
    const other = await openDataFolder({ dataDir: join(folder, 'other'), onWarning: assert.fail })
    await mustAppend(other.log, new BatchSource().next(1))
    await other.close()
    rmSync(logPathOf(dataDir), { recursive: true })
    renameSync(logPathOf(join(folder, 'other')), logPathOf(dataDir))
    const { folder: opened, warnings } = await openFolder(test, dataDir)
    assert.equal(opened.log.durableSequence, 1)
    assert.equal(opened.archive.indexedThrough, 0)
    assert.equal(warnings.length, 1)
  })

  it('is refused when the log lost its end, until the archive is removed', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const first = await openDataFolder({ dataDir, onWarning: assert.fail })
    const source = new BatchSource()
    await mustAppend(first.log, source.next(2))
    await first.close()
    cpSync(logPathOf(dataDir), join(dataDir, 'older'), { recursive: true })
    const second = await openDataFolder({ dataDir, onWarning: assert.fail })
    await mustAppend(second.log, source.next(2))
    await addSegment(second.archive, segmentOf(4, []))
    await second.close()
    rmSync(logPathOf(dataDir), { recursive: true })
    renameSync(join(dataDir, 'older'), logPathOf(dataDir))
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), {
      code: 'log_behind',
      message: /to sequence 4, the log only to 2/,
    })
    rmSync(join(dataDir, 'archive'), { recursive: true })
    const { folder } = await openFolder(test, dataDir)
    assert.equal(folder.log.durableSequence, 2)
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

  it('is refused when its file was cut', (test) => refuses(test, (file) => truncateSync(file, Math.floor(statSync(file).size / 2))))

  it('is refused when its file is empty', (test) => refuses(test, (file) => truncateSync(file, 0)))

  it('is refused when its file is zeros behind the meta pages', (test) =>
    refuses(test, (file) => overwrite(file, 8192, Buffer.alloc(statSync(file).size - 8192))))

  it('is refused when its file is rubbish from the start', (test) => refuses(test, (file) => overwrite(file, 0, Buffer.alloc(8192, 0x5a))))

  it('is refused for one flipped bit in its last batch', (test) =>
    refuses(test, (file, batches) => {
      const at = readFileSync(file).indexOf(Buffer.from(batches[7] as Uint8Array))
      assert.ok(at > 0)
      overwrite(file, at + 2000, Buffer.from([((batches[7] as Uint8Array)[2000] as number) ^ 4]))
    }))

  it('is refused when a page of its tree points nowhere', (test) =>
    refuses(test, (file) => {
      // Every page that is not a batch's: the tree's pages are all there is besides.
      const bytes = readFileSync(file)
      for (let page = 2 * 4096; page < bytes.length; page += 4096) {
        const isLeafOrBranch = ((bytes[page + 18] as number) & 0x03) !== 0 && bytes.readUInt32LE(page) === page / 4096
        if (isLeafOrBranch) bytes.fill(0xff, page + 24, page + 4096)
      }
      overwrite(file, 0, bytes)
    }))

  it('is refused when a newer release wrote its batches', (test) =>
    refuses(
      test,
      (file, batches) => {
        const at = readFileSync(file).indexOf(Buffer.from(batches[7] as Uint8Array))
        overwrite(file, at + 4, Buffer.from([2, 0]))
      },
      'log_too_new',
    ))

  it('is refused when a newer release made it', (test) =>
    refuses(
      test,
      async (file) => {
        const environment = openEnvironment({ path: join(file, '..'), mapBytes: LOG_MAP_BYTES })
        await environment.put(Symbol.for('meta'), Buffer.from('{"format":99}'))
        await environment.close()
      },
      'log_too_new',
    ))
})

describe('a damaged archive', () => {
  for (const [title, damage] of [
    ['was cut', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 3))],
    ['is empty', (file: string) => truncateSync(file, 0)],
    ['is rubbish', (file: string) => overwrite(file, 0, Buffer.alloc(statSync(file).size, 0x5a))],
    ['has lost all but its meta pages', (file: string) => overwrite(file, 32_768, Buffer.alloc(statSync(file).size - 32_768, 0xff))],
  ] as const) {
    it(`is dropped and built anew when its file ${title}`, async (test) => {
      const dataDir = join(scratchFolder(test), 'data')
      filledFolder(dataDir)
      damage(dataFileOf(join(dataDir, 'archive')))
      const { folder, warnings } = await openFolder(test, dataDir)
      assert.match(warnings.join(), /built anew/)
      assert.equal(folder.archive.indexedThrough, 0)
      assert.equal(folder.archive.loadImage(), null)
      assert.deepEqual(await firstSequences(folder.log, 1), [1, 4, 7, 10, 13, 16, 19, 22])
      await addSegment(folder.archive, segmentOf(24, [{ high: 7, low: 7, position: 4096 }]))
      assert.deepEqual(folder.archive.find(7, 7, LATEST, 5), [4096])
    })
  }

  it('keeps its index when only a row of the image changed', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    const file = dataFileOf(join(dataDir, 'archive'))
    const bytes = readFileSync(file)
    for (let at = bytes.indexOf('v'.repeat(150)); at >= 0; at = bytes.indexOf('v'.repeat(150), at + 200)) bytes[at] = 0x77
    overwrite(file, 0, bytes)
    const { folder, warnings } = await openFolder(test, dataDir)
    assert.equal(folder.archive.loadImage(), null)
    assert.match(warnings.join(), /digest/)
    assert.deepEqual(folder.archive.find(7, 7, LATEST, 5), [4096])
  })
})

it('an unclean stop is followed by a check that passes', async (test) => {
  const dataDir = join(scratchFolder(test), 'data')
  const batches = filledFolder(dataDir)
  const { folder, warnings } = await openFolder(test, dataDir)
  assert.deepEqual(warnings, [])
  assert.equal(hashBatch(folder.log.batchAt(24)?.bytes as Uint8Array), hashBatch(batches[7] as Uint8Array))
  assert.equal(folder.archive.loadImage()?.sequence, 24)
})
