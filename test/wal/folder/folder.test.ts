// The data folder: who may use it, and what damage to its files comes to.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { hashBatch } from '../../../engine/actor/record-codec.ts'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { DiskSpace } from '../../../wal/disk-space.ts'
import { logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { filledFolder, fillFolder, openFolder } from '../../support/filled-folder.ts'
import { BatchSource, mustAppend } from '../../support/log-batches.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { addSegment, segmentOf } from '../../support/segments.ts'

const HOLD = processEntry(new URL('../../support/wal-children/hold-folder.ts', import.meta.url))

function spawnHolder(dataDir: string, ...more: string[]): ChildProcess {
  return spawn(process.execPath, [...HOLD, dataDir, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) return line
  return ''
}

describe('a data folder', () => {
  it('a data folder is made for its owner alone, keeps log and archive, and opens again after a clean stop without a check', async (test) => {
    const dataDir = join(scratchFolder(test), 'below', 'data')
    await fillFolder(dataDir)
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    assert.ok(existsSync(join(dataDir, 'clean-stop.json')))
    const { folder, warnings } = await openFolder(test, dataDir)
    assert.equal(existsSync(join(dataDir, 'clean-stop.json')), false)
    assert.equal(folder.log.durableSequence, 24)
    assert.equal(folder.archive.indexedThrough, 24)
    assert.equal(folder.archive.loadSnapshot()?.sequence, 24)
    assert.equal(folder.canWrite(), true)
    assert.deepEqual(warnings, [])
  })

  it('a data folder is held by one process; after kill -9 the next may have it', async (test) => {
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

  it('a data folder is refused to a second opening in the same process', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    await openFolder(test, dataDir)
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'in_use' })
  })

  it('a data folder that is no folder or lies below a file is refused', async (test) => {
    const file = join(scratchFolder(test), 'file')
    writeFileSync(file, 'x')
    await assert.rejects(openDataFolder({ dataDir: file, onWarning: assert.fail }), { code: 'not_a_folder' })
    await assert.rejects(openDataFolder({ dataDir: join(file, 'data'), onWarning: assert.fail }), { code: 'not_a_folder' })
  })

  it('a data folder that is not writable is refused', async (test) => {
    // The superuser may write anywhere but into the kernel's own file systems.
    const isRoot = process.getuid?.() === 0
    const dataDir = isRoot ? '/sys/kernel/cauri-data' : join(scratchFolder(test), 'data')
    if (!isRoot) {
      mkdirSync(dataDir)
      chmodSync(dataDir, 0o500)
    }
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'not_writable' })
  })

  it('a data folder is refused below a place that takes no folders', { skip: !existsSync('/proc/self') && 'no /proc here' }, async () => {
    await assert.rejects(openDataFolder({ dataDir: '/proc/cauri', onWarning: assert.fail }), { name: 'DataFolderError' })
  })

  it('a data folder on a nearly full disk is refused', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const space = new DiskSpace(dataDir, () => ({ freeBytes: 1_000_000, totalBytes: 2 ** 40 }))
    await assert.rejects(openDataFolder({ dataDir, space, onWarning: assert.fail }), { code: 'disk_full', message: /free some space/ })
  })

  it('a data folder without its log is refused while it has an archive', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    rmSync(logPathOf(dataDir), { recursive: true })
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'log_missing' })
  })

  it('a data folder builds the archive anew when it was deleted', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    filledFolder(dataDir)
    rmSync(join(dataDir, 'archive'), { recursive: true })
    const { folder } = await openFolder(test, dataDir)
    assert.equal(folder.archive.indexedThrough, 0)
    assert.equal(folder.archive.loadSnapshot(), null)
    assert.equal(folder.log.durableSequence, 24)
  })

  it('a data folder builds the archive anew when another log was put in', async (test) => {
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

  it('a data folder is refused when the log lost its end, until the archive is removed', async (test) => {
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

it('an unclean stop is followed by a check that passes', async (test) => {
  const dataDir = join(scratchFolder(test), 'data')
  const batches = filledFolder(dataDir)
  const { folder, warnings } = await openFolder(test, dataDir)
  assert.deepEqual(warnings, [])
  assert.equal(hashBatch(folder.log.batchAt(24)?.bytes as Uint8Array), hashBatch(batches[7] as Uint8Array))
  assert.equal(folder.archive.loadSnapshot()?.sequence, 24)
})
