// Copies a log, in a child process: reading a damaged file may end it. argv: a `CopyTask` as JSON. Prints progress and one result, each
// a line of JSON. Ends with its parent, whose locks protect the folders.
import { existsSync, writeSync } from 'node:fs'
import { logPathOf } from '../folder/folder.ts'
import { PROGRESS_MS } from '../limits.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { markMovedLog } from '../log/lmdb-log-target.ts'
import { LogError, type LogErrorCode } from '../log/log-error.ts'
import { checkUnused, closeMovedLog, type LogEnd } from '../log/postgres-log-target.ts'
import { finishTarget, openTarget, writerOptions } from './copy-target.ts'
import { type CopyFigures, copyLog } from './log-copy.ts'
import { type LogPlace, placeText, readPlace } from './log-place.ts'
import { type OpenSource, openSource } from './log-source.ts'

/** `end` is set in the second step, after the copy was verified: it moves the log if asked to and opens the target. */
export interface CopyTask {
  readonly from: string
  readonly to: string
  readonly program: string
  readonly moves: boolean
  readonly end: LogEnd | null
}

/** The target of a move that has been done before, and only its last line was not printed. */
export interface CopyResult extends CopyFigures {
  readonly isDoneBefore: boolean
}

export type CopyLine =
  | { readonly throughSequence: number; readonly ofSequence: number }
  | { readonly warning: string }
  | { readonly copied: CopyResult }
  | { readonly finished: true }
  | { readonly fault: string; readonly code: LogErrorCode | null }

process.stdin.on('end', () => process.exit(1))
process.stdin.resume()
process.stdin.unref()

const task = JSON.parse(process.argv[2] as string) as CopyTask
const [from, to] = [readPlace(task.from), readPlace(task.to)]
const options = { program: task.program, onWarning: (warning: string) => say({ warning }) }

try {
  const { end } = task
  if (end === null) say({ copied: await copy() })
  else await finish(end)
} catch (error) {
  say({ fault: (error as Error).message, code: error instanceof LogError ? error.code : null })
}

async function copy(): Promise<CopyResult> {
  if (task.moves && from.kind === 'postgres') await checkUnused(writerOptions(from, options))
  const source = await openSource(from, task.program)
  try {
    checkSource(source)
    const done = await doneBefore(source)
    return done === null ? { ...(await copyFrom(source)), isDoneBefore: false } : { ...done, isDoneBefore: true }
  } finally {
    await source.close()
  }
}

async function copyFrom(source: OpenSource): Promise<CopyFigures> {
  const { logId, keyCheck, epoch, log } = source
  const target = await openTarget(to, { logId, keyCheck, epoch, place: placeText(from) }, options)
  let saidMs = performance.now()
  try {
    return await copyLog(log, target, (throughSequence) => {
      if (performance.now() - saidMs < PROGRESS_MS) return
      saidMs = performance.now()
      say({ throughSequence, ofSequence: log.durableSequence })
    })
  } finally {
    await target.close()
  }
}

/** Throws LogError for an incomplete log, and for the move of a log that is only a copy. */
function checkSource({ isComplete, movedTo, note }: OpenSource): void {
  if (!isComplete) throw new LogError('log_moved', note ?? '')
  if (!task.moves || movedTo === null || movedTo === placeText(to)) return
  const message = `This is only a copy of a log: the log itself is in ${movedTo}. Name that one with --from. If it is lost, npm run restore makes a log of this copy.`
  throw new LogError('log_moved', message)
}

/** Returns the end of the target when the source was moved there and the target is open already. */
async function doneBefore(source: OpenSource): Promise<CopyFigures | null> {
  if (source.movedTo !== placeText(to) || (to.kind === 'folder' && !existsSync(dataFileOf(logPathOf(to.path))))) return null
  const target = await openSource(to, task.program)
  try {
    const { durableSequence } = source.log
    if (target.note !== null || target.logId !== source.logId || target.log.durableSequence !== durableSequence) return null
    const lastHash = await source.lastHash()
    if ((await target.lastHash()) !== lastHash) return null
    return { fromSequence: durableSequence, batches: 0, sizeBytes: 0, lastSequence: durableSequence, lastHash }
  } finally {
    await target.close()
  }
}

/** The source is closed before the target is opened, so servers never accept both. */
async function finish(end: LogEnd): Promise<void> {
  if (task.moves) await closeSource(from, end)
  await finishTarget(from, to, end, options)
  say({ finished: true })
}

async function closeSource(place: LogPlace, end: LogEnd): Promise<void> {
  if (place.kind === 'postgres') return closeMovedLog(writerOptions(place, options), end, placeText(to))
  const source = await openSource(place, task.program)
  const isSame = source.log.durableSequence === end.lastSequence && (await source.lastHash()) === end.lastHash
  await source.close()
  if (!isSame) throw new LogError('log_in_use', `The log in ${place.path} has changed during the copy. Run the same command again.`)
  await markMovedLog(logPathOf(place.path), placeText(to))
}

function say(line: CopyLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
