// Opens a data folder: lock, check, log, archive, in that order. Closes it in reverse. http/main.ts calls it.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { hashBatch, peekHeader } from '../../engine/actor/record-codec.ts'
import { LmdbArchive, UNUSABLE_FILE } from '../archive/lmdb-archive.ts'
import { unfinishedWrites } from '../archive/write-mark.ts'
import { DiskSpace } from '../disk-space.ts'
import { UNFINISHED_WRITES_MAX } from '../limits.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { asBuffer } from '../lmdb-store.ts'
import { LmdbLog } from '../log/lmdb-log.ts'
import { LogError } from '../log/log-error.ts'
import { leaveCleanStop, takeCleanStop } from './clean-stop.ts'
import { type DataFolder, lockFolder, partialLogPathOf } from './folder.ts'
import { checkFolder, logFault } from './folder-check.ts'
import { DataFolderError, folderError, RESTORE_HINT } from './folder-error.ts'

export interface OpenDataFolderOptions {
  readonly dataDir: string
  /** Receives warnings for operators, in English, that do not stop the start. */
  readonly onWarning: (message: string) => void
  /** Receives the failure of a write that no caller waits for: the process must stop. */
  readonly onFailure?: (error: Error) => void
  /** Id of the log in PostgreSQL that this folder's log copies. Absent: the folder's log is the only one. */
  readonly copyOf?: string
  /** For tests. */
  readonly space?: DiskSpace
  /** For tests that check in a process of their own. */
  readonly check?: typeof checkFolder
}

export interface OpenDataFolder {
  readonly log: LmdbLog
  readonly archive: LmdbArchive
  /** Whether the log accepts appends: false if the disk is nearly full or an append failed. Checks the disk at most once a second. */
  canWrite(): boolean
  /** Free space of the disk, and the part of it that the log never uses. At most DISK_PROBE_MS old. */
  disk(): { readonly freeBytes: number; readonly reserveBytes: number }
  /** Closes the folder; call it after the engine's close. Writes the marker with which the next start skips its check. */
  close(): Promise<void>
}

/** Opens the folder. Throws DataFolderError with a message that says what to do. */
export async function openDataFolder(options: OpenDataFolderOptions): Promise<OpenDataFolder> {
  const folder = await lockFolder(options.dataDir, options.space ?? new DiskSpace(options.dataDir))
  try {
    await check(folder, options)
    const log = await openLog(folder, options.copyOf)
    try {
      const archive = await openArchive(folder, log, options)
      const { space } = folder
      const disk = () => ({ freeBytes: space.freeBytes(), reserveBytes: space.reserveBytes() })
      return { log, archive, canWrite: () => log.canWrite(), disk, close: () => closeAll(folder, log, archive) }
    } catch (error) {
      await log.close()
      throw error
    }
  } catch (error) {
    await folder.unlock()
    throw folderError(folder.path, error)
  }
}

async function check(folder: DataFolder, { onWarning, copyOf, check: checked = checkFolder }: OpenDataFolderOptions): Promise<void> {
  const hasLog = existsSync(dataFileOf(folder.logPath))
  const hasArchive = existsSync(dataFileOf(folder.archivePath))
  const clean = takeCleanStop(folder.path)
  if (!hasLog && existsSync(partialLogPathOf(folder.path))) {
    throw new DataFolderError(
      'log_missing',
      `The copy of a log into the data folder ${folder.path} is not complete: run the same command (backup, restore or log-copy) again.`,
    )
  }
  if (!hasLog && hasArchive && copyOf !== undefined) dropArchive(folder, 'the copy of the log is gone', onWarning)
  else if (!hasLog && hasArchive) {
    throw new DataFolderError(
      'log_missing',
      `The data folder ${folder.path} has an archive but no log. ${RESTORE_HINT} To start from nothing, remove the folder.`,
    )
  }
  if (existsSync(join(folder.archivePath, UNUSABLE_FILE))) dropArchive(folder, 'it could not be written', onWarning)
  else if (unfinishedWrites(folder.archivePath) >= UNFINISHED_WRITES_MAX)
    dropArchive(folder, `the last ${UNFINISHED_WRITES_MAX} processes ended while they wrote it`, onWarning)
  if (!hasLog || clean) return
  const fault = await checked(folder.path)
  if (fault !== null) dropArchive(folder, fault, onWarning)
}

async function openLog(folder: DataFolder, copyOf: string | undefined): Promise<LmdbLog> {
  try {
    return await LmdbLog.open({ path: folder.logPath, space: folder.space, ...(copyOf === undefined ? {} : { logId: copyOf }) })
  } catch (error) {
    if (error instanceof LogFormatError) throw logFault(folder.path, error.finding, error.code)
    if (error instanceof LogError && error.code === 'log_moved') throw new DataFolderError('log_moved', error.message, error)
    throw error
  }
}

async function openArchive(folder: DataFolder, log: LmdbLog, options: OpenDataFolderOptions): Promise<LmdbArchive> {
  const { onWarning, onFailure = () => {} } = options
  const open = (): Promise<LmdbArchive> =>
    LmdbArchive.open({ path: folder.archivePath, logPath: folder.logPath, logId: log.logId, onWarning, onFailure })
  let archive: LmdbArchive
  try {
    archive = await open()
  } catch (error) {
    dropArchive(folder, (error as Error).message, onWarning)
    return open()
  }
  const fault = contradiction(archive, log)
  if (fault === null) return archive
  await archive.close()
  throw new DataFolderError(
    'log_behind',
    `The log in the data folder ${folder.path} has lost its end: ${fault}. ${RESTORE_HINT} If the log was put back on purpose, remove ${folder.archivePath} and start again.`,
  )
}

/** Returns null if the log holds all records that the archive was derived from, which it must: both have the same log id. */
function contradiction(archive: LmdbArchive, log: LmdbLog): string | null {
  const { snapshotPoint, indexedThrough } = archive
  if (indexedThrough > log.durableSequence) return `the archive goes to sequence ${indexedThrough}, the log only to ${log.durableSequence}`
  if (snapshotPoint === null || snapshotPoint.sequence === 0) return null
  const batch = log.batchAt(snapshotPoint.sequence)
  if (batch === null || !endsAt(batch, snapshotPoint.sequence) || hashBatch(batch.bytes) !== snapshotPoint.batchHash) {
    return `the archive's snapshot of sequence ${snapshotPoint.sequence} does not belong to the batch of the log there`
  }
  return null
}

function endsAt(batch: StoredBatch, sequence: number): boolean {
  return batch.firstSequence + peekHeader(asBuffer(batch.bytes)).recordCount - 1 === sequence
}

function dropArchive(folder: DataFolder, fault: string, onWarning: (message: string) => void): void {
  onWarning(`The archive in ${folder.archivePath} is not usable (${fault}): it is deleted and rebuilt from the log, which takes a while.`)
  rmSync(folder.archivePath, { recursive: true, force: true })
}

async function closeAll(folder: DataFolder, log: LmdbLog, archive: LmdbArchive): Promise<void> {
  await archive.close()
  await log.close()
  leaveCleanStop(folder.path)
  await folder.unlock()
}
