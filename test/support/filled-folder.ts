// A data folder with batches, index and snapshot, as if its process had been killed. Made once for a process and copied for
// each test: starting an archive's worker takes half a second.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type OpenDataFolder, openDataFolder } from '../../wal/folder/open-folder.ts'
import { BatchSource, mustAppend } from './log-batches.ts'
import { closeLater } from './scratch-folder.ts'
import { addSegment, saveSnapshot, segmentOf } from './segments.ts'

export interface Opened {
  readonly folder: OpenDataFolder
  readonly warnings: string[]
}

export async function openFolder(test: TestContext, dataDir: string): Promise<Opened> {
  const warnings: string[] = []
  const folder = closeLater(test, await openDataFolder({ dataDir, onWarning: (message) => warnings.push(message) }))
  return { folder, warnings }
}

const template = mkdtempSync(join(tmpdir(), 'cauri-wal-'))
// Not in a hook of the tests: files that share the process share the template.
process.once('exit', () => rmSync(template, { recursive: true, force: true }))
const templateBatches = await fillFolder(template)

/** A folder with batches, index and snapshot, as if its process had been killed; answers its batches to look for in the file. */
export function filledFolder(dataDir: string): Uint8Array[] {
  cpSync(template, dataDir, { recursive: true })
  rmSync(join(dataDir, 'clean-stop.json'))
  return templateBatches
}

export async function fillFolder(dataDir: string): Promise<Uint8Array[]> {
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
  await saveSnapshot(folder.archive, { sequence: 24, timeMs: 1, batchHash: source.hash, rows })
  await folder.close()
  return batches
}
