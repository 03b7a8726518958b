// Write access to a log in PostgreSQL for a copy, with many batches in one transaction. The log is closed to nodes from the first
// batch to the end of the copy. A copy that was interrupted continues where it ended.
import type { Client } from 'pg'
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { GENESIS_HASH, hashBatch, peekHeader } from '../../engine/actor/record-codec.ts'
import {
  POSTGRES_COPY_BATCHES,
  POSTGRES_COPY_BYTES,
  POSTGRES_COPY_TIMEOUT_MS,
  POSTGRES_READ_ATTEMPTS,
  POSTGRES_RETRY_MS,
} from '../limits.ts'
import { asBuffer } from '../lmdb-store.ts'
import { LogError } from './log-error.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresHosts } from './postgres-hosts.ts'
import { readOwner, STAMP } from './postgres-owner.ts'
import { awaitSilence, type PostgresLogState, readState, toolName } from './postgres-state.ts'
import { checkServer, hasTables, makeTables } from './postgres-tables.ts'

export interface PostgresWriterOptions {
  readonly hosts: PostgresHosts
  /** Name of the program, for `pg_stat_activity`. */
  readonly program: string
  readonly partition?: number
  readonly allowsUnsafe: boolean
  readonly onWarning: (message: string) => void
}

/** What a copy knows of the log that it copies. */
export interface CopiedIdentity {
  readonly logId: string
  /** Derived from the master key; empty when the source does not have it. */
  readonly keyCheck: string
  readonly epoch: number
  /** Description of the source. */
  readonly place: string
}

/** End of a log: its last sequence and the hash of its last batch. */
export interface LogEnd {
  readonly lastSequence: number
  readonly lastHash: string
}

const CLOSE = `insert into cauri.closed (partition, reason, place) values ($1, $2, $3)
  on conflict (partition) do update set reason = excluded.reason, place = excluded.place`
const IDENTIFY = `insert into cauri.identity (partition, log_id, key_check) values ($1, $2, $3)
  on conflict (partition) do update set log_id = excluded.log_id,
    key_check = case when excluded.key_check = '' then cauri.identity.key_check else excluded.key_check end`
/** Fences an owner that cannot be seen. */
const CLAIM = `update cauri.owner set epoch = greatest(epoch, $3) + 1, node = '', url = '', beat = beat + 1, ${STAMP}
  where partition = $1 and epoch = $2 returning epoch`
const MOVE = `with fenced as (
    update cauri.owner set epoch = epoch + 1, node = '', url = '', beat = beat + 1, ${STAMP}
    where partition = $1 and last_sequence = $2 and last_hash = $3 returning 1
  )
  insert into cauri.closed (partition, reason, place) select $1, 'moved', $4 from fenced
  on conflict (partition) do update set reason = 'moved', place = excluded.place`
const OPEN = `with whole as (
    update cauri.owner set beat = beat + 1, ${STAMP} where partition = $1 and last_sequence = $2 and last_hash = $3 returning 1
  )
  delete from cauri.closed using whole where partition = $1 and reason = 'incomplete'`

export class PostgresLogTarget {
  readonly #connection: PostgresConnection
  readonly #partition: number
  readonly #epoch: number
  #end: LogEnd

  private constructor(connection: PostgresConnection, partition: number, epoch: number, end: LogEnd) {
    this.#connection = connection
    this.#partition = partition
    this.#epoch = epoch
    this.#end = end
  }

  /**
   * Closes the log to nodes and prepares it for a copy: an empty log, or the beginning of the same one. Throws LogError: `log_in_use`,
   * `log_not_empty`, `log_unsafe`.
   */
  static async open(options: PostgresWriterOptions, identity: CopiedIdentity): Promise<PostgresLogTarget> {
    const { partition = 0 } = options
    const connection = connectionOf(options)
    try {
      const client = await connection.client()
      await makeTables(client)
      await readOwner(client, partition, GENESIS_HASH)
      const state = await awaitSilence(client, partition)
      if (state === null) throw new LogError('log_missing', 'The owner row of the log in PostgreSQL is gone.')
      checkFree(state, identity)
      const epoch = await claim(client, partition, state, identity)
      return new PostgresLogTarget(connection, partition, epoch, state)
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  get end(): LogEnd {
    return this.#end
  }

  /** Resolves when all batches are stored. They are durable on the standby after `openLog`. */
  async write(batches: readonly StoredBatch[]): Promise<void> {
    for (let from = 0; from < batches.length; ) {
      let [to, bytes] = [from, 0]
      while (to < batches.length && to - from < POSTGRES_COPY_BATCHES && (to === from || bytes < POSTGRES_COPY_BYTES)) {
        bytes += (batches[to++] as StoredBatch).bytes.length
      }
      await this.#store(batches.slice(from, to))
      from = to
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #store(batches: readonly StoredBatch[]): Promise<void> {
    const last = batches[batches.length - 1] as StoredBatch
    const end = { lastSequence: last.firstSequence + peekHeader(asBuffer(last.bytes)).recordCount - 1, lastHash: hashBatch(last.bytes) }
    const { lastSequence, lastHash } = this.#end
    const values: unknown[] = [this.#partition, this.#epoch, lastSequence, lastHash, end.lastSequence, end.lastHash]
    for (const { firstSequence, bytes } of batches) values.push(firstSequence, peekHeader(asBuffer(bytes)).recordCount, asBuffer(bytes))
    await retried(this.#connection, async (client, isFirst) => {
      const { rowCount } = await client.query(storeText(batches.length), values)
      if (rowCount === batches.length) return
      const state = await readState(client, this.#partition)
      // The statement before may have been stored although its connection was lost.
      if (!isFirst && state?.epoch === this.#epoch && state.lastSequence === end.lastSequence && state.lastHash === end.lastHash) return
      throw new LogError('log_in_use', 'Another process writes to the log in PostgreSQL: stop all nodes and other copies first.')
    })
    this.#end = end
  }
}

/**
 * Opens a complete copy to nodes by a synchronous commit, which makes all commits before it durable. Throws LogError when the log does
 * not end as expected.
 */
export async function openLog(options: PostgresWriterOptions, end: LogEnd): Promise<void> {
  await changeAtEnd(options, end, async (client, partition) => {
    await client.query(OPEN, [partition, end.lastSequence, end.lastHash])
    return (await readState(client, partition))?.closed === null
  })
}

/** Rejects with LogError `log_in_use` while nodes use the log. */
export async function checkUnused(options: PostgresWriterOptions): Promise<void> {
  const { partition = 0 } = options
  const connection = connectionOf(options)
  try {
    const client = await connection.client()
    if (await hasTables(client)) await awaitSilence(client, partition)
  } finally {
    await connection.close()
  }
}

/** Closes the log that was copied to `place`, if it still ends where the copy ends. Throws LogError. */
export async function closeMovedLog(options: PostgresWriterOptions, end: LogEnd, place: string): Promise<void> {
  await changeAtEnd(options, end, async (client, partition) => {
    await awaitSilence(client, partition)
    await client.query(MOVE, [partition, end.lastSequence, end.lastHash, place])
    return (await readState(client, partition))?.closed?.place === place
  })
}

async function changeAtEnd(
  options: PostgresWriterOptions,
  { lastSequence, lastHash }: LogEnd,
  change: (client: Client, partition: number) => Promise<boolean>,
): Promise<void> {
  const { partition = 0 } = options
  const connection = connectionOf(options)
  try {
    await retried(connection, async () => {
      const { result, isWarned } = await connection.confirmed((client) => change(client, partition))
      if (isWarned) throw new LogError('log_unreachable', 'the standby has not confirmed the commit')
      const state = await readState(await connection.client(), partition)
      if (result && state?.lastSequence === lastSequence && state.lastHash === lastHash) return
      throw new LogError(
        'log_in_use',
        `The log in PostgreSQL does not end at sequence ${lastSequence} any more. Run the same command again.`,
      )
    })
  } finally {
    await connection.close()
  }
}

function connectionOf({ hosts, program, allowsUnsafe, onWarning }: PostgresWriterOptions): PostgresConnection {
  const prepare = (client: Client): Promise<void> => checkServer(client, { allowsUnsafe, onWarning })
  return new PostgresConnection({ hosts, node: toolName(program), onWarning, prepare, statementTimeoutMs: POSTGRES_COPY_TIMEOUT_MS })
}

/** Runs the work again over new connections while PostgreSQL is away, a bounded number of times. */
async function retried(connection: PostgresConnection, work: (client: Client, isFirst: boolean) => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(await connection.client(), attempt === 0)
    } catch (error) {
      const isFinal = error instanceof LogError && error.code !== 'log_unreachable'
      if (isFinal || attempt === POSTGRES_READ_ATTEMPTS) throw error
      await connection.drop()
      await new Promise((resolve) => setTimeout(resolve, POSTGRES_RETRY_MS))
    }
  }
}

/** Throws LogError for a log that the copy would overwrite or continue with other records. */
function checkFree({ lastSequence, newestBatch, logId, closed }: PostgresLogState, identity: CopiedIdentity): void {
  if (lastSequence === 0 && newestBatch === 0) return
  if (closed !== null && logId === identity.logId) return
  const what = closed === null ? `a log of ${lastSequence} records` : `another log (${closed.reason}, ${closed.place})`
  throw new LogError('log_not_empty', `The PostgreSQL database holds ${what} already: name an empty database.`)
}

/** Returns the epoch of the copy. */
async function claim(client: Client, partition: number, state: PostgresLogState, identity: CopiedIdentity): Promise<number> {
  await client.query('begin')
  await client.query(CLOSE, [partition, 'incomplete', identity.place])
  await client.query(IDENTIFY, [partition, identity.logId, identity.keyCheck])
  const { rows } = await client.query<{ epoch: string }>(CLAIM, [partition, state.epoch, identity.epoch])
  const [row] = rows
  if (row === undefined) throw new LogError('log_in_use', 'A node took the log in PostgreSQL over at the same moment: stop it first.')
  await client.query('commit')
  return Number(row.epoch)
}

/** The owner row is checked and advanced in the same statement. */
function storeText(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const at = 7 + 3 * index
    return `($${at}::bigint, $${at + 1}::integer, $${at + 2}::bytea)`
  })
  return `with fenced as (
      update cauri.owner set last_sequence = $5, last_hash = $6, beat = beat + 1, ${STAMP}
      where partition = $1 and epoch = $2 and last_sequence = $3 and last_hash = $4 returning 1
    )
    insert into cauri.log (partition, sequence, epoch, record_count, batch)
    select $1, v.sequence, $2, v.record_count, v.batch from fenced, (values ${rows.join(', ')}) as v (sequence, record_count, batch)`
}
