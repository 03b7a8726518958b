// Verifies a data folder, a backup or a log in PostgreSQL, and returns the verdict. The verification runs in a child process, so that a file that
// crashes its reader is reported as a fault.
import { existsSync } from 'node:fs'
import { archivePathOf, lockFolder, logPathOf } from '../folder/folder.ts'
import { DataFolderError } from '../folder/folder-error.ts'
import { describeEnd, runGuarded } from '../folder/guarded-child.ts'
import { dataFileOf } from '../lmdb-file.ts'
import type { ArchiveReport } from './archive-walk.ts'
import type { LogPlace } from './log-place.ts'
import type { LogReport } from './log-walk.ts'
import type { VerifiedLog, VerifyLine, VerifyTask } from './verify-child.ts'

export interface Verdict {
  /** Null if the log could not be read to its end. */
  readonly log: LogReport | null
  /** Reason why servers refuse the log; null for a log that they may use. */
  readonly logNote: string | null
  readonly archive: ArchiveReport | null
  /** Reason why the archive was not verified. */
  readonly archiveNote: string | null
  /** Errors; empty for a sound folder. */
  readonly faults: readonly string[]
}

const CHILD = new URL('./verify-child.ts', import.meta.url)

/** Verifies a data folder, a backup, or a log in PostgreSQL. */
export function verifyPlace(place: LogPlace, onProgress: (throughSequence: number) => void = () => {}): Promise<Verdict> {
  return place.kind === 'postgres' ? verifyLog({ url: place.url }, onProgress) : verifyFolder(place.path, onProgress)
}

/** Verifies a folder. The log may be in use. The archive is verified only if no process writes to it. */
export async function verifyFolder(dataDir: string, onProgress: (throughSequence: number) => void = () => {}): Promise<Verdict> {
  const log = { path: logPathOf(dataDir) }
  if (!existsSync(dataFileOf(archivePathOf(dataDir)))) {
    return verified({ log, archivePath: null }, 'there is none: it is rebuilt from the log at the next start', onProgress)
  }
  try {
    const folder = await lockFolder(dataDir)
    try {
      return await verified({ log, archivePath: folder.archivePath }, null, onProgress)
    } finally {
      await folder.unlock()
    }
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    return verified({ log, archivePath: null }, `not verified (${error.message})`, onProgress)
  }
}

/** Verifies a log without an archive. */
export function verifyLog(log: VerifiedLog, onProgress: (throughSequence: number) => void = () => {}): Promise<Verdict> {
  const note = 'url' in log ? 'none in PostgreSQL: each node has its own' : 'not copied: it is rebuilt from the log'
  return verified({ log, archivePath: null }, note, onProgress)
}

async function verified(task: VerifyTask, archiveNote: string | null, onProgress: (throughSequence: number) => void): Promise<Verdict> {
  const { log: place } = task
  const nothing = { log: null, logNote: null, archive: null, archiveNote }
  if ('path' in place && !existsSync(dataFileOf(place.path))) return { ...nothing, faults: [`There is no log in ${place.path}.`] }
  let reading = 'log'
  let throughSequence = 0
  const end = await runGuarded(CHILD, [JSON.stringify(task)], (line) => {
    if ('throughSequence' in (line as VerifyLine)) {
      throughSequence = (line as { throughSequence: number }).throughSequence
      onProgress(throughSequence)
    }
    if ('reads' in (line as VerifyLine)) reading = (line as { reads: string }).reads
  })
  const result = (end.lines as VerifyLine[]).find((line) => 'log' in line || 'fault' in line)
  if (result === undefined) {
    const fault = `The ${reading} is damaged: the process that read it did not survive (${describeEnd(end)}), after sequence ${throughSequence}.`
    return { ...nothing, faults: [fault] }
  }
  if ('fault' in result) return { ...nothing, faults: [`The ${reading} cannot be read: ${withStop(result.fault)}`] }
  const { log, logNote, archive } = result as { log: LogReport; logNote: string | null; archive: ArchiveReport | null }
  return { log, logNote, archive, archiveNote, faults: faultsOf(log, archive) }
}

function withStop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

function faultsOf(log: LogReport, archive: ArchiveReport | null): string[] {
  const faults: string[] = []
  if (log.fault !== null) faults.push(log.isOtherFormat ? log.fault : `The log is damaged: ${log.fault}.`)
  if (archive !== null && archive.fault !== null) {
    faults.push(
      `The archive is damaged: ${archive.fault}. It is derived: remove it while the server is stopped, and the next start rebuilds it from the log.`,
    )
  }
  return faults
}
