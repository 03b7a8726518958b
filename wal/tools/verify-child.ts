// Verifies a log and optionally its archive, in a child process. argv: a `VerifyTask` as JSON. Prints progress and one report, each a
// line of JSON. Never writes.
import { writeSync } from 'node:fs'
import { findingOf } from '../../engine/actor/log-format-error.ts'
import { openStore as openArchive } from '../archive/store.ts'
import { type ArchiveReport, ArchiveWalk } from './archive-walk.ts'
import { readPlace } from './log-place.ts'
import { type OpenSource, openSource, openStore } from './log-source.ts'
import { type LogReport, walkLog } from './log-walk.ts'

/** The store of a log, or the URL of a log in PostgreSQL. */
export type VerifiedLog = { readonly path: string } | { readonly url: string }

export interface VerifyTask {
  readonly log: VerifiedLog
  readonly archivePath: string | null
}

export type VerifyLine =
  | { readonly throughSequence: number }
  | { readonly reads: 'log' | 'archive' }
  | { readonly fault: string }
  | { readonly log: LogReport; readonly logNote: string | null; readonly archive: ArchiveReport | null }

const task = JSON.parse(process.argv[2] as string) as VerifyTask

try {
  say({ reads: 'log' })
  say(await verify())
} catch (error) {
  say({ fault: findingOf(error) })
}

async function verify(): Promise<VerifyLine> {
  const source = await open(task.log)
  const store = task.archivePath === null ? null : openArchive(task.archivePath, true)
  const archiveWalk = store === null ? null : new ArchiveWalk(store)
  const walked = await walkLog(source.log, {
    onProgress: (throughSequence) => say({ throughSequence }),
    onRecord: (record) => archiveWalk?.onRecord(record),
  })
  const log = { ...walked, fault: walked.fault ?? source.endFault(walked.lastHash) }
  say({ reads: 'archive' })
  const archive = archiveWalk === null || log.fault !== null ? null : archiveWalk.report(source.logId, log.lastSequence)
  await store?.close()
  await source.close()
  return { log, logNote: source.note, archive }
}

function open(log: VerifiedLog): Promise<OpenSource> {
  return 'path' in log ? openStore(log.path) : openSource(readPlace(log.url), 'verify')
}

function say(line: VerifyLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
