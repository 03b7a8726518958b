// Errors of data folders. Operators read them at start, so every message says what to do.

export type DataFolderErrorCode =
  | 'not_a_folder'
  | 'not_writable'
  | 'disk_full'
  | 'in_use'
  | 'log_missing'
  | 'log_moved'
  | 'log_behind'
  | 'log_damaged'
  | 'log_too_new'
  | 'log_too_old'
  | 'unusable'

export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
  readonly code: DataFolderErrorCode
  constructor(code: DataFolderErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

export const RESTORE_HINT = 'Restore the data folder from a backup (npm run restore -- --help); npm run verify -- <folder> shows details.'

const ADVICE: Readonly<Record<string, readonly [code: DataFolderErrorCode, advice: string]>> = {
  ENOTDIR: ['not_a_folder', 'is not a folder, or lies below something that is not: set DATA_DIR to a folder.'],
  EEXIST: ['not_a_folder', 'exists and is not a folder: set DATA_DIR to a folder.'],
  EACCES: ['not_writable', 'is not writable for this user: change its owner or mode, or set DATA_DIR to another folder.'],
  EPERM: ['not_writable', 'is not writable for this user: change its owner or mode, or set DATA_DIR to another folder.'],
  EROFS: ['not_writable', 'lies on a file system that is mounted read-only: mount it for writing, or set DATA_DIR to another folder.'],
  ENOSPC: ['disk_full', 'lies on a full disk: free some space, then start again.'],
  EDQUOT: ['disk_full', 'has used up its quota: free some space, then start again.'],
}

/** Names of the error numbers that lmdb reports. */
const NAME_BY_NUMBER: Readonly<Record<number, string>> = {
  13: 'EACCES',
  1: 'EPERM',
  30: 'EROFS',
  28: 'ENOSPC',
  122: 'EDQUOT',
  20: 'ENOTDIR',
}

/** Returns the code of a system error, a name or a number; null for other errors. */
export function systemCodeOf(error: unknown): string | number | null {
  if (error instanceof DataFolderError) return null
  const { code } = error as { code?: unknown }
  if (typeof code === 'number') return code > 0 ? code : null
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : null
}

/** Returns a system error as a message for operators. */
export function folderError(path: string, cause: unknown): DataFolderError {
  if (cause instanceof DataFolderError) return cause
  const { code, message } = cause as { code?: string | number; message?: string }
  const name = typeof code === 'number' ? (NAME_BY_NUMBER[code] ?? '') : (code ?? '')
  const [errorCode, advice] = ADVICE[name] ?? ['unusable', `cannot be used: ${message ?? String(cause)}.`]
  return new DataFolderError(errorCode, `The data folder ${path} ${advice}`, cause)
}
