// Checks of the parts of a data folder: they read what a start will read, and try a write that they take back. They never change a part.
// Reading a damaged LMDB file may end the process.
import { statSync } from 'node:fs'
import { hashBatch, readHeader } from '../../engine/actor/record-codec.ts'
import { IndexReader } from '../archive/index-reader.ts'
import { type Run, readManifest, writeManifest } from '../archive/manifest.ts'
import { readFilter, storedDigest } from '../archive/run-files.ts'
import { readSnapshot } from '../archive/snapshot-rows.ts'
import { type ArchiveStore, openStore } from '../archive/store.ts'
import { CHECK_INDEX_ENTRIES, CHECK_TAIL_BYTES, LOG_MAP_BYTES } from '../limits.ts'
import { dataFileOf, shortFile } from '../lmdb-file.ts'
import { asBuffer, type LmdbStore, openLmdbStore, tryWrite } from '../lmdb-store.ts'
import { readLogMeta } from '../log/log-meta.ts'
import { batchHolding, lastBatch, lastSequenceOf } from '../log-batches.ts'

/** Value of a trial: an append writes pages of its own for one that exceeds a page. */
const TRIAL_BYTES = Buffer.alloc(8192)

/** Throws for a log that must not be used. */
export async function checkLog(path: string): Promise<void> {
  if (statSync(dataFileOf(path)).size === 0) throw new Error('its file is empty')
  const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES, readOnly: true })
  try {
    const short = shortFile(path, store)
    if (short !== null) throw new Error(short)
    if (readLogMeta(store) === null) throw new Error('its first entry is missing')
    checkTail(store)
    const first = batchHolding(store, 1)
    if (first !== null) readHeader(asBuffer(first.bytes))
  } finally {
    await store.close()
  }
}

/** Throws for a log that can be read, but whose next append would fail for damage of LMDB's list of free pages. */
export async function tryAppend(path: string): Promise<void> {
  const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES })
  try {
    const last = lastBatch(store)
    const next = last === null ? 1 : lastSequenceOf(last) + 1
    tryWrite(
      store,
      () => void store.put(next, TRIAL_BYTES, { append: true }),
      () => store.getBinary(next)?.length === TRIAL_BYTES.length,
    )
  } finally {
    await store.close()
  }
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

/** Throws for an archive that must be rebuilt. */
export async function checkArchive(path: string): Promise<void> {
  const store = openStore(path, true)
  try {
    const short = shortFile(path, store.lmdb)
    if (short !== null) throw new Error(short)
    const manifest = readManifest(store)
    if (manifest === null) return
    checkRuns(store, manifest.runs)
    const reader = new IndexReader(store, manifest.runs)
    for (const half of [0, 0x4000_0000, 0x8000_0000, 0xc000_0000, 0xffff_ffff]) reader.find(half, 0, Number.MAX_SAFE_INTEGER, 1)
    if (manifest.snapshot !== null) readSnapshot(store, manifest.snapshot)
  } finally {
    await store.close()
  }
  await tryManifest(path)
}

/** Throws for an archive whose next write would fail for damage of LMDB's own pages. */
async function tryManifest(path: string): Promise<void> {
  const store = openStore(path)
  try {
    const manifest = readManifest(store)
    if (manifest === null) return
    tryWrite(
      store.lmdb,
      () => writeManifest(store, manifest),
      () => readManifest(store) !== null,
    )
  } finally {
    await store.close()
  }
}

/** Compares runs with their digests, the newest first, up to a maximum of entries. `npm run verify` compares all. */
function checkRuns(store: ArchiveStore, runs: readonly Run[]): void {
  let entries = 0
  for (const run of runs.toReversed()) {
    entries += run.count
    if (entries > CHECK_INDEX_ENTRIES) readFilter(store, run.number)
    else if (storedDigest(store, run.number) !== run.digest) throw new Error(`run ${run.number} of its index is damaged`)
  }
}
