// Opens the log of a place for reading: a folder's LMDB store or PostgreSQL. Never writes. Runs in a child process, because a damaged
// file may end its reader.
import { existsSync } from 'node:fs'
import type { LogReader } from '../../engine/actor/ports.ts'
import { GENESIS_HASH, hashBatch } from '../../engine/actor/record-codec.ts'
import { logPathOf } from '../folder/folder.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { LmdbLogReader } from '../log/lmdb-log-reader.ts'
import { LogError } from '../log/log-error.ts'
import { closedText } from '../log/postgres-closed.ts'
import { PostgresLogReader } from '../log/postgres-log-reader.ts'
import { readKeyCheck } from './key-check.ts'
import type { LogPlace } from './log-place.ts'

export interface OpenSource {
  readonly log: LogReader
  readonly logId: string
  readonly keyCheck: string
  readonly epoch: number
  /** Place of the log itself when this one was moved; null for a log that servers may use. */
  readonly movedTo: string | null
  /** False for the target of a copy that has not finished. */
  readonly isComplete: boolean
  /** Line for the report when servers refuse this log; null for a log that they may use. */
  readonly note: string | null
  /** Hash of the last batch, hex. */
  lastHash(): Promise<string>
  /** Returns what contradicts the end of a sound log; null when nothing does. */
  endFault(lastHash: string): string | null
  close(): Promise<void>
}

export function openSource(place: LogPlace, program: string): Promise<OpenSource> {
  return place.kind === 'postgres' ? openPostgres(place, program) : openFolder(place.path)
}

async function openFolder(dataDir: string): Promise<OpenSource> {
  return openStore(logPathOf(dataDir), readKeyCheck(dataDir))
}

/** Opens the store of a log, which may be that of an unfinished copy. */
export async function openStore(path: string, keyCheck = ''): Promise<OpenSource> {
  if (!existsSync(dataFileOf(path))) throw new LogError('log_missing', `There is no log in ${path}.`)
  const log = LmdbLogReader.open(path)
  const { logId, epoch, original = null } = log.meta
  return {
    log,
    logId,
    keyCheck,
    epoch,
    movedTo: original,
    isComplete: true,
    note: original === null ? null : `This log is only a copy: the log itself is in ${original}.`,
    lastHash: () => lastHashOf(log),
    endFault: () => null,
    close: () => log.close(),
  }
}

async function openPostgres({ hosts }: LogPlace & { kind: 'postgres' }, program: string): Promise<OpenSource> {
  const log = await PostgresLogReader.open({ hosts, program })
  const { logId, keyCheck, epoch, closed, lastHash } = log.state
  return {
    log,
    logId,
    keyCheck,
    epoch,
    movedTo: closed?.reason === 'moved' ? closed.place : null,
    isComplete: closed?.reason !== 'incomplete',
    note: closed === null ? null : closedText(closed),
    lastHash: async () => lastHash,
    endFault: (found) => log.endFault(found),
    close: () => log.close(),
  }
}

async function lastHashOf(log: LogReader): Promise<string> {
  if (log.durableSequence === 0) return GENESIS_HASH
  for await (const batch of log.read(log.durableSequence)) return hashBatch(batch.bytes)
  throw new LogError('log_missing', `The batch of sequence ${log.durableSequence} is missing.`)
}
