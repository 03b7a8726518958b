// Real processes that die while they index and merge: what was acknowledged is found afterwards, and the runs are sound.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { LmdbArchive } from '../../../wal/archive/lmdb-archive.ts'
import { openStore } from '../../../wal/archive/store.ts'
import { ArchiveWalk } from '../../../wal/tools/archive-walk.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { sharedPositions } from '../../support/segments.ts'

const CHILD = processEntry(new URL('../../support/wal-children/index.ts', import.meta.url))

/** Kills the process once it has stored so many segments; answers the last that it acknowledged. */
async function indexUntilKilled(path: string, segments: number): Promise<number> {
  const child = spawn(process.execPath, [...CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let acknowledged = 0
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line)
    if (++count === segments) child.kill('SIGKILL')
  }
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  return acknowledged
}

it('an archive keeps every acknowledged segment through kill -9, during any merge', async (test) => {
  const path = join(scratchFolder(test), 'archive')
  for (const segments of [9, 30, 57]) {
    const acknowledged = await indexUntilKilled(path, segments)
    const archive = await LmdbArchive.open({ path, logId: 'log', onWarning: assert.fail })
    const { indexedThrough } = archive
    assert.ok(indexedThrough >= acknowledged)
    for (const index of [0, 24, 48]) {
      const high = Math.imul(index, 0x9e3779b1) >>> 0
      assert.deepEqual(archive.find(high, 0, Number.MAX_SAFE_INTEGER, 100_000), sharedPositions(index, indexedThrough))
    }
    await archive.close()
    const store = openStore(path)
    const report = new ArchiveWalk(store).report('log', indexedThrough)
    await store.close()
    assert.equal(report.fault, null)
    assert.equal(report.indexedThrough, indexedThrough)
  }
})
