// Verifies a log and optionally its archive, in a child process. argv: the log's folder, then the archive's or nothing. Prints
// progress and one report, each a line of JSON. Never writes.
import { writeSync } from 'node:fs'
import { findingOf } from '../../engine/actor/log-format-error.ts'
import { openStore } from '../archive/store.ts'
import { LmdbLogReader } from '../log/lmdb-log-reader.ts'
import { type ArchiveReport, ArchiveWalk } from './archive-walk.ts'
import { type LogReport, walkLog } from './log-walk.ts'

export type VerifyLine =
  | { readonly throughSequence: number }
  | { readonly reads: 'log' | 'archive' }
  | { readonly fault: string }
  | { readonly log: LogReport; readonly archive: ArchiveReport | null }

const [logPath, archivePath] = process.argv.slice(2) as [string, string | undefined]

try {
  say({ reads: 'log' })
  say(await verify())
} catch (error) {
  say({ fault: findingOf(error) })
}

async function verify(): Promise<VerifyLine> {
  const reader = LmdbLogReader.open(logPath)
  const store = archivePath === undefined ? null : openStore(archivePath, true)
  const archiveWalk = store === null ? null : new ArchiveWalk(store)
  const log = await walkLog(reader, {
    onProgress: (throughSequence) => say({ throughSequence }),
    onRecord: (record) => archiveWalk?.onRecord(record),
  })
  say({ reads: 'archive' })
  const archive = archiveWalk === null || log.fault !== null ? null : archiveWalk.report(reader.meta.logId, log.lastSequence)
  await store?.close()
  await reader.close()
  return { log, archive }
}

function say(line: VerifyLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
