// The data folder: created on first use with owner-only access, locked by one process, with a path for each part. Does not know
// the content of the parts.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DiskSpace } from '../disk-space.ts'
import { DataFolderError, folderError } from './folder-error.ts'
import { FolderLock } from './folder-lock.ts'

const OWNER_ONLY = 0o700
/** File with the check of the master key, in the data folder. */
export const KEY_CHECK_FILE = 'master.check'

export interface DataFolder {
  readonly path: string
  readonly logPath: string
  readonly archivePath: string
  readonly space: DiskSpace
  unlock(): Promise<void>
}

export function logPathOf(dataDir: string): string {
  return join(dataDir, 'log')
}

/** Path of a log that a copy has not finished. */
export function partialLogPathOf(dataDir: string): string {
  return `${logPathOf(dataDir)}.partial`
}

export function archivePathOf(dataDir: string): string {
  return join(dataDir, 'archive')
}

/** Creates and locks the folder. Throws DataFolderError. */
export async function lockFolder(dataDir: string, space: DiskSpace = new DiskSpace(dataDir)): Promise<DataFolder> {
  const path = resolve(dataDir)
  try {
    makeFolder(path)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    if (!space.hasRoom()) throw noRoom(path, space)
    const lockPath = join(path, 'lock')
    makeFolder(lockPath)
    const lock = await FolderLock.take(lockPath, path)
    return { path, logPath: logPathOf(path), archivePath: archivePathOf(path), space, unlock: () => lock.release() }
  } catch (error) {
    throw folderError(path, error)
  }
}

/** Creates parents one by one: Node 20's recursive mkdir never returns if a parent cannot contain folders, as in /proc. */
function makeFolder(path: string): void {
  if (!existsSync(dirname(path))) makeFolder(dirname(path))
  if (existsSync(path) && statSync(path).isDirectory()) return
  mkdirSync(path, { mode: OWNER_ONLY })
}

function noRoom(path: string, space: DiskSpace): DataFolderError {
  const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024)
  return new DataFolderError(
    'disk_full',
    `The disk of the data folder ${path} has ${megabytes(space.freeBytes())} MB left, less than the reserve of ${megabytes(space.reserveBytes())} MB: free some space, then start again.`,
  )
}
