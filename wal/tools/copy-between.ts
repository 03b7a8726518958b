// Copies a log from one place to another, also while servers use the source: backups, restores, and moves between LMDB and PostgreSQL.
// It copies and checks batch by batch, which needs no long read transaction and copies no damage of a B-tree, as a copy of pages would.
//
//   step     effect                                              interrupted here
//   copy     batches are written, the target stays closed        the same command continues
//   verify   the whole target is read and compared               the same command verifies again
//   finish   a move closes the source; then the target opens     the same command finishes
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type DataFolder, lockFolder, logPathOf, partialLogPathOf } from '../folder/folder.ts'
import { DataFolderError, folderError } from '../folder/folder-error.ts'
import { describeEnd, runGuarded } from '../folder/guarded-child.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { LogError } from '../log/log-error.ts'
import type { CopyLine, CopyResult, CopyTask } from './copy-child.ts'
import { type LogPlace, placeText } from './log-place.ts'
import { type Verdict, verifyLog } from './verify.ts'

const CHILD = new URL('./copy-child.ts', import.meta.url)
/** Entries of a target folder that an interrupted copy leaves. */
const LEFT_BY_A_COPY = new Set(['lock', 'log.partial', 'log.partial.new'])

export interface CopyRequest {
  readonly from: LogPlace
  readonly to: LogPlace
  readonly program: 'backup' | 'restore' | 'log-copy'
  /** Whether servers refuse the source afterwards. No server may use it meanwhile. */
  readonly moves: boolean
  readonly onProgress?: (line: string) => void
}

export interface Copied {
  readonly verdict: Verdict
  readonly figures: CopyResult
}

/** Throws DataFolderError and LogError when the copy is not complete and sound. Servers then refuse the target. */
export async function copyBetween(request: CopyRequest): Promise<Copied> {
  const { from, to, moves } = request
  if (placeText(from) === placeText(to)) throw new DataFolderError('in_use', 'Source and target are the same.')
  if (from.kind === 'folder' && !existsSync(dataFileOf(logPathOf(from.path)))) {
    throw new DataFolderError('log_missing', `There is no log in ${from.path}: name a data folder, or a backup of one.`)
  }
  const locks: DataFolder[] = []
  try {
    if (moves && from.kind === 'folder') locks.push(await lockFolder(from.path))
    if (to.kind === 'folder') locks.push(await lockTarget(to.path, moves))
    return await copyAndVerify(request)
  } finally {
    for (const lock of locks) await lock.unlock()
  }
}

async function lockTarget(path: string, moves: boolean): Promise<DataFolder> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const entries = readdirSync(path)
    // A log in the target of a move may be a complete copy: the child compares it.
    if (entries.some((entry) => !LEFT_BY_A_COPY.has(entry)) && !(moves && entries.includes('log'))) {
      throw new DataFolderError('in_use', `The folder ${path} is not empty: name an empty folder or one that does not exist.`)
    }
    return await lockFolder(path)
  } catch (error) {
    throw folderError(path, error)
  }
}

async function copyAndVerify(request: CopyRequest): Promise<Copied> {
  const { to, onProgress = () => {} } = request
  const copied = await runChild(request, null)
  if (!('copied' in copied)) throw new Error('the copying process printed no result')
  const figures = copied.copied
  const target = to.kind === 'postgres' ? { url: to.url } : { path: figures.isDoneBefore ? logPathOf(to.path) : partialLogPathOf(to.path) }
  onProgress(`copied ${figures.batches} batches, verifying the copy`)
  const verdict = await verifyLog(target, (sequence) => onProgress(`verified sequence ${sequence} of ${figures.lastSequence}`))
  const faults = [...verdict.faults, ...differences(verdict, figures)]
  if (faults.length > 0) {
    if (to.kind === 'folder') rmSync(partialLogPathOf(to.path), { recursive: true, force: true })
    throw new DataFolderError('log_damaged', `The copy is not sound. ${faults.join(' ')}`)
  }
  await runChild(request, figures)
  return { verdict, figures }
}

/** Compares the end of the verified target with that of the source. The hash of the last batch covers all batches before it. */
function differences({ log }: Verdict, { fromSequence, batches, lastSequence, lastHash }: CopyResult): string[] {
  if (log === null) return []
  const faults: string[] = []
  if (log.lastSequence !== lastSequence) faults.push(`It ends at sequence ${log.lastSequence}, the source at ${lastSequence}.`)
  if (log.lastHash !== lastHash) faults.push(`Its last batch has the hash ${log.lastHash}, that of the source ${lastHash}.`)
  if (fromSequence === 0 && log.batches !== batches) faults.push(`It holds ${log.batches} batches, ${batches} were copied.`)
  return faults
}

async function runChild({ from, to, program, moves, onProgress = () => {} }: CopyRequest, end: CopyResult | null): Promise<CopyLine> {
  const task: CopyTask = { from: argumentOf(from), to: argumentOf(to), program, moves, end }
  const ended = await runGuarded(CHILD, [JSON.stringify(task)], (line) => {
    const said = line as CopyLine
    if ('warning' in said) onProgress(said.warning)
    if ('throughSequence' in said) onProgress(`copied sequence ${said.throughSequence} of ${said.ofSequence}`)
  })
  const result = (ended.lines as CopyLine[]).find((line) => 'copied' in line || 'finished' in line || 'fault' in line)
  if (result === undefined) {
    const message = `${placeText(from)} cannot be copied: the process that copied it did not survive (${describeEnd(ended)}).`
    throw new DataFolderError('log_damaged', message)
  }
  if (!('fault' in result)) return result
  if (result.code !== null) throw new LogError(result.code, result.fault)
  throw new DataFolderError('log_damaged', `The log in ${placeText(from)} cannot be copied: ${result.fault}.`)
}

function argumentOf(place: LogPlace): string {
  return place.kind === 'folder' ? place.path : place.url
}
