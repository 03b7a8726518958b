// Checks a data folder in a child process. A damaged log is fatal: it is the source of truth. A damaged archive is not: it is
// derived from the log.
import type { LogFormatError } from '../../engine/actor/log-format-error.ts'
import { DataFolderError, folderError, RESTORE_HINT } from './folder-error.ts'
import { describeEnd, runGuarded } from './guarded-child.ts'

/** `free pages`: those of the log, which only appends read. */
type CheckedPart = 'log' | 'free pages' | 'archive'

/** A line that the child process prints. */
export type CheckLine =
  | { readonly reads: CheckedPart | 'nothing' }
  | { readonly fault: string; readonly code: LogFormatError['code'] }
  /** The system denied access: the check found no damage. */
  | { readonly refused: string; readonly systemCode: string | number }

const CHILD = new URL('./check-child.ts', import.meta.url)

/** Returns null for a sound folder, else why the archive must be rebuilt. Throws DataFolderError for the log. */
export async function checkFolder(dataDir: string): Promise<string | null> {
  const end = await runGuarded(CHILD, [dataDir])
  let reading: CheckedPart | 'nothing' | 'not yet' = 'not yet'
  let archiveFault: string | null = null
  for (const line of end.lines as readonly CheckLine[]) {
    if ('reads' in line) reading = line.reads
    else if ('refused' in line) throw folderError(dataDir, { code: line.systemCode, message: line.refused })
    else if (reading === 'log') throw logFault(dataDir, line.fault, line.code)
    else if (reading === 'free pages') throw appendFault(dataDir, line.fault)
    else archiveFault = line.fault
  }
  if (reading === 'nothing') return archiveFault
  if (reading === 'not yet') throw notChecked(dataDir, describeEnd(end))
  if (reading === 'free pages') throw appendFault(dataDir, describeEnd(end))
  if (reading === 'archive') return `the process that checked it did not survive (${describeEnd(end)})`
  throw logFault(dataDir, `the process that checked it did not survive (${describeEnd(end)})`, 'batch_damaged')
}

/** Error for a child that ended before it opened a file. It must not advise a restore over good data. */
function notChecked(dataDir: string, ending: string): DataFolderError {
  const message = `The data folder ${dataDir} could not be checked: the process that checks it ended before it read anything (${ending}). Start again.`
  return new DataFolderError('unusable', message)
}

/** Error for a log that holds its batches, and takes no more. A copy of them loses nothing, a restore of a backup would. */
export function appendFault(dataDir: string, fault: string): DataFolderError {
  const message = `The log in the data folder ${dataDir} can be read, but not appended to: its list of free pages is damaged (${fault}). Copy it by npm run restore -- ${dataDir} <new folder>, then set DATA_DIR to the new folder.`
  return new DataFolderError('log_damaged', message)
}

export function logFault(dataDir: string, fault: string, code: LogFormatError['code']): DataFolderError {
  if (code === 'format_too_new' || code === 'format_too_old') {
    return new DataFolderError(
      code === 'format_too_new' ? 'log_too_new' : 'log_too_old',
      `The data folder ${dataDir} cannot be opened: ${fault}`,
    )
  }
  return new DataFolderError('log_damaged', `The log in the data folder ${dataDir} is damaged: ${fault}. ${RESTORE_HINT}`)
}
