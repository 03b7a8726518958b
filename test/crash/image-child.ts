// Opens images of a data folder: walks the log and the archive as `npm run verify` does, looks for every answered payout, appends the batch
// that came next, and walks the log again. argv: a file with the references of all payouts, and the log's store at the end.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findingOf } from '../../engine/actor/log-format-error.ts'
import type { BatchToAppend } from '../../engine/actor/ports.ts'
import { peekHeader } from '../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import { openStore } from '../../wal/archive/store.ts'
import { shortFile } from '../../wal/lmdb-file.ts'
import { asBuffer } from '../../wal/lmdb-store.ts'
import { LmdbLog } from '../../wal/log/lmdb-log.ts'
import { LmdbLogReader } from '../../wal/log/lmdb-log-reader.ts'
import { ArchiveWalk } from '../../wal/tools/archive-walk.ts'
import { walkLog } from '../../wal/tools/log-walk.ts'

export interface ImageTask {
  readonly folder: string
  /** Payouts that were answered, from the first of the file. */
  readonly answered: number
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

async function check({ folder, answered }: ImageTask): Promise<ImageVerdict> {
  const lastSequence = await checkImage(folder, answered)
  const next = following.get(lastSequence + 1)
  if (next === undefined) return { fault: null, hasAppended: false }
  const log = await LmdbLog.open({ path: join(folder, 'log') })
  const error = await new Promise<Error | null>((resolve) => log.append([next], resolve))
  const { fault } = await walkLog(log)
  await log.close()
  return { fault: error?.message ?? fault, hasAppended: true }
}

/** Returns the last sequence. Throws for everything that is lost, doubled or wrong. */
async function checkImage(folder: string, answered: number): Promise<number> {
  const log = LmdbLogReader.open(join(folder, 'log'))
  const archivePath = join(folder, 'archive')
  const store = openStore(archivePath, true)
  const short = shortFile(archivePath, store.lmdb)
  if (short !== null) throw new Error(`the archive: ${short}`)
  const archive = new ArchiveWalk(store)
  const payouts = new Map<string, number>()
  const onRecord = (record: LogRecord): void => {
    archive.onRecord(record)
    if (record.command !== 'CreatePayout' && record.command !== 'CreateBatch') return
    const { key = '' } = record.idempotency ?? {}
    payouts.set(key, (payouts.get(key) ?? 0) + 1)
  }
  const report = await walkLog(log, { onRecord })
  if (report.fault !== null) throw new Error(report.fault)
  const { fault } = archive.report(log.meta.logId, report.lastSequence)
  if (fault !== null) throw new Error(`the archive: ${fault}`)
  await store.close()
  await log.close()
  for (const reference of references.slice(0, answered)) {
    if (!payouts.has(reference)) throw new Error(`the answered payout ${reference} is lost`)
  }
  for (const [key, count] of payouts) if (count > 1) throw new Error(`the payout ${key} was executed ${count} times`)
  return report.lastSequence
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
