// Copies the parts of a data folder that are not derived, for backups and restores, also while a server runs. It copies and checks
// batch by batch. That needs no long read transaction, which would prevent a running server from reusing pages, and it copies no
// damage of the B-tree, as a copy of pages would.
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { logPathOf } from '../folder/folder.ts'
import { DataFolderError, folderError } from '../folder/folder-error.ts'
import { describeEnd, runGuarded } from '../folder/guarded-child.ts'
import { COPY_FILE_MAX_BYTES } from '../limits.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { type Verdict, verifyPaths } from './verify.ts'

const CHILD = new URL('./copy-child.ts', import.meta.url)
/** Files that a copy leaves out: the marker of a clean stop describes the files of the source. */
const LEFT_OUT = new Set(['clean-stop.json'])

/** Copies the folder. Throws DataFolderError if the target is not empty or the copy is not sound; the target is then no data folder. */
export async function copyFolder(source: string, target: string): Promise<Verdict> {
  const finished = logPathOf(target)
  const partial = `${finished}.partial`
  if (statSync(dataFileOf(logPathOf(source)), { throwIfNoEntry: false }) === undefined) {
    throw new DataFolderError('log_missing', `There is no log in ${source}: name a data folder, or a backup of one.`)
  }
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 })
    if (readdirSync(target).length > 0)
      throw new DataFolderError('in_use', `The folder ${target} is not empty: name an empty folder or one that does not exist.`)
  } catch (error) {
    throw folderError(target, error)
  }
  try {
    await copyLog(logPathOf(source), partial)
    const verdict = await verifyPaths(partial, null, 'not copied: it is rebuilt from the log')
    if (verdict.faults.length > 0) throw new DataFolderError('log_damaged', `The copy is not sound. ${verdict.faults.join(' ')}`)
    copyFiles(source, target)
    renameSync(partial, finished)
    return verdict
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw folderError(target, error)
  }
}

async function copyLog(from: string, to: string): Promise<void> {
  const end = await runGuarded(CHILD, [from, to])
  const [fault] = end.lines as { fault: string | null }[]
  if (fault === undefined)
    throw new DataFolderError(
      'log_damaged',
      `The log in ${from} cannot be read: the process that copied it did not survive (${describeEnd(end)}).`,
    )
  if (fault.fault !== null) throw new DataFolderError('log_damaged', `The log in ${from} cannot be copied: ${fault.fault}.`)
}

/** Copies small files. A development server stores its master key beside the log, and the copy's secrets need it. */
function copyFiles(source: string, target: string): void {
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const path = join(source, entry.name)
    if (!entry.isFile() || LEFT_OUT.has(entry.name) || statSync(path).size > COPY_FILE_MAX_BYTES) continue
    copyFileSync(path, join(target, entry.name))
  }
}
