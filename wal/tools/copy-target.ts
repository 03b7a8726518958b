// Opens and finishes the target of a copy: a log in a new data folder, or in an empty PostgreSQL database. Servers refuse both until
// the copy is finished.
import { copyFileSync, existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { logPathOf, partialLogPathOf } from '../folder/folder.ts'
import { COPY_FILE_MAX_BYTES } from '../limits.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { LmdbLogTarget } from '../log/lmdb-log-target.ts'
import { LogError } from '../log/log-error.ts'
import { newLogMeta } from '../log/log-meta.ts'
import { type CopiedIdentity, type LogEnd, openLog, PostgresLogTarget, type PostgresWriterOptions } from '../log/postgres-log-target.ts'
import { leaveKeyCheck } from './key-check.ts'
import type { LogTarget } from './log-copy.ts'
import type { LogPlace } from './log-place.ts'
import { openSource } from './log-source.ts'

export interface TargetOptions {
  readonly program: string
  readonly onWarning: (message: string) => void
}

/** Files that a copy leaves out: the marker of a clean stop describes the files of the source. */
const LEFT_OUT = new Set(['clean-stop.json'])

export function writerOptions({ hosts }: LogPlace & { kind: 'postgres' }, { program, onWarning }: TargetOptions): PostgresWriterOptions {
  return { hosts, program, onWarning, allowsUnsafe: process.env.WAL_POSTGRES_UNSAFE === 'true' }
}

/** Throws LogError for a target that holds anything else. */
export async function openTarget(to: LogPlace, identity: CopiedIdentity, options: TargetOptions): Promise<LogTarget> {
  if (to.kind === 'postgres') return PostgresLogTarget.open(writerOptions(to, options), identity)
  if (existsSync(dataFileOf(logPathOf(to.path)))) {
    throw new LogError('log_not_empty', `The folder ${to.path} is not empty: name an empty folder or one that does not exist.`)
  }
  const { logId, epoch } = identity
  return LmdbLogTarget.open(partialLogPathOf(to.path), { ...newLogMeta(0, logId), epoch })
}

/** Makes a complete and verified copy usable. Does nothing for one that is usable already. */
export async function finishTarget(from: LogPlace, to: LogPlace, end: LogEnd, options: TargetOptions): Promise<void> {
  if (to.kind === 'postgres') return openLog(writerOptions(to, options), end)
  const partial = partialLogPathOf(to.path)
  if (!existsSync(dataFileOf(partial))) return
  if (from.kind === 'folder') copyFiles(from.path, to.path)
  else leaveKeyCheck(to.path, await keyCheckOf(from, options))
  renameSync(partial, logPathOf(to.path))
}

/** Copies small files. A development server stores its master key beside the log, and the copy's secrets need it. */
function copyFiles(source: string, target: string): void {
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const path = join(source, entry.name)
    if (!entry.isFile() || LEFT_OUT.has(entry.name) || statSync(path).size > COPY_FILE_MAX_BYTES) continue
    copyFileSync(path, join(target, entry.name))
  }
}

async function keyCheckOf(from: LogPlace, { program }: TargetOptions): Promise<string> {
  const source = await openSource(from, program)
  await source.close()
  return source.keyCheck
}
