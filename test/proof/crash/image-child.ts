// Opens images of a data folder: walks the log and the archive as `npm run verify` does, and looks for every answered write. Then it appends
// the batch that came next and walks the log again, or serves the image by a real engine. argv: a file with the references of all answered
// writes, which are their keys, and the log's store at the end.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findingOf } from '../../../engine/actor/log-format-error.ts'
import type { BatchToAppend } from '../../../engine/actor/ports.ts'
import { peekHeader } from '../../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { openStore } from '../../../wal/archive/store.ts'
import { shortFile } from '../../../wal/lmdb-file.ts'
import { asBuffer } from '../../../wal/lmdb-store.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import { LmdbLogReader } from '../../../wal/log/lmdb-log-reader.ts'
import { ArchiveWalk } from '../../../wal/tools/archive-walk.ts'
import { walkLog } from '../../../wal/tools/log-walk.ts'
import { type ScopedKey, servedFault } from './served-image.ts'

export interface ImageTask {
  readonly folder: string
  /** Writes that were answered, from the first of the file. */
  readonly answered: number
  /** Opens it by the engine as a start does, instead of an append of the batch that came next. */
  readonly isServed: boolean
}

export interface ImageVerdict {
  /** Null for a sound image. */
  readonly fault: string | null
  readonly hasAppended: boolean
}

const [referencesPath = '', endPath = ''] = process.argv.slice(2)
const references = JSON.parse(readFileSync(referencesPath, 'utf8')) as string[]
const following = await batchesOf(endPath)

process.on('message', (task: ImageTask) => {
  check(task).then(
    (verdict) => process.send?.(verdict),
    (error: unknown) => process.send?.({ fault: findingOf(error), hasAppended: false } satisfies ImageVerdict),
  )
})

async function check({ folder, answered, isServed }: ImageTask): Promise<ImageVerdict> {
  const { lastSequence, keys } = await checkImage(folder, answered)
  if (isServed) return { fault: await servedFault(folder, keys), hasAppended: false }
  const next = following.get(lastSequence + 1)
  if (next === undefined) return { fault: null, hasAppended: false }
  const log = await LmdbLog.open({ path: join(folder, 'log') })
  const error = await new Promise<Error | null>((resolve) => log.append([next], resolve))
  const { fault } = await walkLog(log)
  await log.close()
  return { fault: error?.message ?? fault, hasAppended: true }
}

interface CheckedImage {
  readonly lastSequence: number
  /** Of the answered writes. */
  readonly keys: readonly ScopedKey[]
}

/** Throws for everything that is lost, doubled or wrong. */
async function checkImage(folder: string, answered: number): Promise<CheckedImage> {
  const log = LmdbLogReader.open(join(folder, 'log'))
  const archivePath = join(folder, 'archive')
  const store = openStore(archivePath, true)
  const short = shortFile(archivePath, store.lmdb)
  if (short !== null) throw new Error(`the archive: ${short}`)
  const archive = new ArchiveWalk(store)
  const scopes = new Map<string, string[]>()
  const onRecord = (record: LogRecord): void => {
    archive.onRecord(record)
    if (record.idempotency === null) return
    const { scope, key } = record.idempotency
    scopes.set(key, [...(scopes.get(key) ?? []), scope])
  }
  const report = await walkLog(log, { onRecord })
  if (report.fault !== null) throw new Error(report.fault)
  const { fault } = archive.report(log.meta.logId, report.lastSequence)
  if (fault !== null) throw new Error(`the archive: ${fault}`)
  await store.close()
  await log.close()
  for (const [key, all] of scopes) {
    if (new Set(all).size < all.length) throw new Error(`the key ${key} was executed ${all.length} times`)
  }
  const keys = references.slice(0, answered).flatMap((key) => {
    const found = scopes.get(key)
    if (found === undefined) throw new Error(`the answered write ${key} is lost`)
    return found.map((scope) => ({ scope, key }))
  })
  return { lastSequence: report.lastSequence, keys }
}

async function batchesOf(path: string): Promise<ReadonlyMap<number, BatchToAppend>> {
  const log = LmdbLogReader.open(path)
  const batches = new Map<number, BatchToAppend>()
  for await (const { firstSequence, bytes: seen } of log.read(1)) {
    const bytes = Uint8Array.from(seen)
    const { recordCount } = peekHeader(asBuffer(bytes))
    batches.set(firstSequence, {
      partition: log.meta.partition,
      epoch: Math.max(log.meta.epoch, 1),
      expectedSequence: firstSequence,
      recordCount,
      bytes,
    })
  }
  await log.close()
  return batches
}
