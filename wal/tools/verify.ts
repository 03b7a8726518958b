// Verifies a data folder or a backup and returns the verdict. The verification runs in a child process, so that a file that
// crashes its reader is reported as a fault.
import { existsSync } from 'node:fs'
import { archivePathOf, lockFolder, logPathOf } from '../folder/folder.ts'
import { DataFolderError } from '../folder/folder-error.ts'
import { describeEnd, runGuarded } from '../folder/guarded-child.ts'
import { dataFileOf } from '../lmdb-file.ts'
import type { ArchiveReport } from './archive-walk.ts'
import type { LogReport } from './log-walk.ts'
import type { VerifyLine } from './verify-child.ts'

export interface Verdict {
  /** Null if the log could not be read to its end. */
  readonly log: LogReport | null
  readonly archive: ArchiveReport | null
  /** Reason why the archive was not verified. */
  readonly archiveNote: string | null
  /** Errors; empty for a sound folder. */
  readonly faults: readonly string[]
}

const CHILD = new URL('./verify-child.ts', import.meta.url)

/** Verifies a folder. The log may be in use. The archive is verified only if no process writes to it. */
export async function verifyFolder(dataDir: string, onProgress: (throughSequence: number) => void = () => {}): Promise<Verdict> {
  if (!existsSync(dataFileOf(archivePathOf(dataDir)))) {
    return verifyPaths(logPathOf(dataDir), null, 'there is none: it is rebuilt from the log at the next start', onProgress)
  }
  try {
    const folder = await lockFolder(dataDir)
    try {
      return await verifyPaths(folder.logPath, folder.archivePath, null, onProgress)
    } finally {
      await folder.unlock()
    }
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    return verifyPaths(logPathOf(dataDir), null, `not verified (${error.message})`, onProgress)
  }
}

export async function verifyPaths(
  logPath: string,
  archivePath: string | null,
  archiveNote: string | null,
  onProgress: (throughSequence: number) => void = () => {},
): Promise<Verdict> {
  if (!existsSync(dataFileOf(logPath))) return { log: null, archive: null, archiveNote, faults: [`There is no log in ${logPath}.`] }
  let reading = 'log'
  let throughSequence = 0
  const end = await runGuarded(CHILD, archivePath === null ? [logPath] : [logPath, archivePath], (line) => {
    if ('throughSequence' in (line as VerifyLine)) {
      throughSequence = (line as { throughSequence: number }).throughSequence
      onProgress(throughSequence)
    }
    if ('reads' in (line as VerifyLine)) reading = (line as { reads: string }).reads
  })
  const result = (end.lines as VerifyLine[]).find((line) => 'log' in line || 'fault' in line)
  if (result === undefined) {
    const fault = `The ${reading} is damaged: the process that read it did not survive (${describeEnd(end)}), after sequence ${throughSequence}.`
    return { log: null, archive: null, archiveNote, faults: [fault] }
  }
  if ('fault' in result) return { log: null, archive: null, archiveNote, faults: [`The ${reading} cannot be read: ${result.fault}.`] }
  const { log, archive } = result as { log: LogReport; archive: ArchiveReport | null }
  return { log, archive, archiveNote, faults: faultsOf(log, archive) }
}

function faultsOf(log: LogReport, archive: ArchiveReport | null): string[] {
  const faults: string[] = []
  if (log.fault !== null) faults.push(`The log is damaged: ${log.fault}.`)
  if (archive !== null && archive.fault !== null) {
    faults.push(
      `The archive is damaged: ${archive.fault}. It is derived: remove it while the server is stopped, and the next start rebuilds it from the log.`,
    )
  }
  return faults
}
