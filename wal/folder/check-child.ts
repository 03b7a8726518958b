// Checks a data folder before it is opened, in a child process: reads the parts that the start will read. argv: folder. Prints
// the part before it reads it, so that a crash shows which part is damaged. Never writes.
import { existsSync, statSync, writeSync } from 'node:fs'
import { findingOf, LogFormatError } from '../../engine/actor/log-format-error.ts'
import { hashBatch, readHeader } from '../../engine/actor/record-codec.ts'
import { IndexReader } from '../archive/index-reader.ts'
import { readManifest } from '../archive/manifest.ts'
import { readFilter } from '../archive/run-files.ts'
import { readSnapshot } from '../archive/snapshot-rows.ts'
import { openStore } from '../archive/store.ts'
import { CHECK_TAIL_BYTES, LOG_MAP_BYTES } from '../limits.ts'
import { dataFileOf, shortFile } from '../lmdb-file.ts'
import { asBuffer, type LmdbStore, openLmdbStore } from '../lmdb-store.ts'
import { readLogMeta } from '../log/log-meta.ts'
import { batchHolding, lastBatch } from '../log-batches.ts'
import { archivePathOf, logPathOf } from './folder.ts'
import type { CheckLine } from './folder-check.ts'
import { systemCodeOf } from './folder-error.ts'

const dataDir = process.argv[2] as string

say({ reads: 'log' })
await attempt(() => checkLog(logPathOf(dataDir)))
if (existsSync(dataFileOf(archivePathOf(dataDir)))) {
  say({ reads: 'archive' })
  await attempt(() => checkArchive(archivePathOf(dataDir)))
}
say({ reads: 'nothing' })

async function attempt(check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    const systemCode = systemCodeOf(error)
    if (systemCode !== null) say({ refused: findingOf(error), systemCode })
    else say({ fault: findingOf(error), code: error instanceof LogFormatError ? error.code : 'batch_damaged' })
  }
}

async function checkLog(path: string): Promise<void> {
  if (statSync(dataFileOf(path)).size === 0) throw new Error('its file is empty')
  const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES, readOnly: true })
  const short = shortFile(path, store)
  if (short !== null) throw new Error(short)
  if (readLogMeta(store) === null) throw new Error('its first entry is missing')
  checkTail(store)
  const first = batchHolding(store, 1)
  if (first !== null) readHeader(asBuffer(first.bytes))
  await store.close()
}

/** Reads headers backwards from the last batch and checks that each contains the hash of the batch before. */
function checkTail(store: LmdbStore): void {
  let batch = lastBatch(store)
  for (let sizeBytes = 0; batch !== null && sizeBytes < CHECK_TAIL_BYTES; sizeBytes += batch.bytes.length) {
    const header = readHeader(asBuffer(batch.bytes))
    const before = header.firstSequence > 1 ? batchHolding(store, header.firstSequence - 1) : null
    if (header.firstSequence !== batch.firstSequence) throw new Error(`the batch at sequence ${batch.firstSequence} has the wrong key`)
    if (header.firstSequence > 1 && (before === null || hashBatch(before.bytes) !== header.previousHash)) {
      throw new Error(`the batch at sequence ${header.firstSequence} does not continue the one before it`)
    }
    if (before === null) return
    batch = before
  }
}

async function checkArchive(path: string): Promise<void> {
  const store = openStore(path, true)
  const short = shortFile(path, store.lmdb)
  if (short !== null) throw new Error(short)
  const manifest = readManifest(store)
  if (manifest !== null) {
    for (const run of manifest.runs) readFilter(store, run.number)
    const reader = new IndexReader(store, manifest.runs)
    for (const half of [0, 0x4000_0000, 0x8000_0000, 0xc000_0000, 0xffff_ffff]) reader.find(half, 0, Number.MAX_SAFE_INTEGER, 1)
    if (manifest.image !== null) readSnapshot(store, manifest.image)
  }
  await store.close()
}

function say(line: CheckLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
