// Read-only access to a log in PostgreSQL, also while nodes use it: for verify, backup, restore and log-copy. Never writes, creates no
// tables. A lost connection is replaced, so a failover does not end a long read.
import type { Client } from 'pg'
import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { LogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { type BatchHeader, readHeader } from '../../engine/actor/record-codec.ts'
import { POSTGRES_COPY_TIMEOUT_MS, POSTGRES_READ_ATTEMPTS, POSTGRES_RETRY_MS } from '../limits.ts'
import { asBuffer } from '../lmdb-store.ts'
import { LogError } from './log-error.ts'
import { batchesBetween, batchesFrom, type PostgresBatch } from './postgres-batches.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresHosts } from './postgres-hosts.ts'
import { type PostgresLogState, readState, toolName } from './postgres-state.ts'
import { hasTables } from './postgres-tables.ts'

export interface PostgresReaderOptions {
  readonly hosts: PostgresHosts
  /** Name of the program, for `pg_stat_activity`. */
  readonly program: string
  readonly partition?: number
}

export class PostgresLogReader implements LogReader {
  /** State at the start. Batches that an owner appends later are not read. */
  readonly state: PostgresLogState
  readonly #connection: PostgresConnection
  readonly #partition: number

  private constructor(connection: PostgresConnection, state: PostgresLogState, partition: number) {
    this.#connection = connection
    this.state = state
    this.#partition = partition
  }

  /** Throws LogError: `log_missing` for a database without a log, `log_unreachable`. */
  static async open({ hosts, program, partition = 0 }: PostgresReaderOptions): Promise<PostgresLogReader> {
    const statementTimeoutMs = POSTGRES_COPY_TIMEOUT_MS
    const connection = new PostgresConnection({ hosts, node: toolName(program), onWarning: () => {}, statementTimeoutMs })
    try {
      const client = await connection.client()
      const state = (await hasTables(client)) ? await readState(client, partition) : null
      if (state === null || state.logId === '') throw new LogError('log_missing', 'There is no log in this PostgreSQL database.')
      return new PostgresLogReader(connection, state, partition)
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  get durableSequence(): number {
    return this.state.lastSequence
  }

  async *read(fromSequence: number): AsyncGenerator<StoredBatch> {
    let last: PostgresBatch | null = null
    for (let failures = 0; ; ) {
      try {
        for await (const batch of this.#from(await this.#connection.client(), last, fromSequence)) {
          if (batch.firstSequence > this.durableSequence) return
          checkRow(batch, last)
          yield batch
          last = batch
          failures = 0
        }
        return
      } catch (error) {
        if (!isLostConnection(error) || ++failures > POSTGRES_READ_ATTEMPTS) throw error
        await this.#connection.drop()
        await new Promise((resolve) => setTimeout(resolve, POSTGRES_RETRY_MS))
      }
    }
  }

  /** Returns the first contradiction between the owner row and the batches; null when they agree at the end of a sound log. */
  endFault(lastHash: string): string | null {
    const { lastSequence, newestBatch, lastHash: expected } = this.state
    if (newestBatch > lastSequence) return `the batch at sequence ${newestBatch} lies beyond the end ${lastSequence} of the owner row`
    return lastHash === expected ? null : `its last batch has the hash ${lastHash}, the owner row says ${expected}`
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  #from(client: Client, last: PostgresBatch | null, fromSequence: number): AsyncGenerator<PostgresBatch> {
    if (last === null) return batchesFrom(client, this.#partition, fromSequence)
    return batchesBetween(client, this.#partition, last.firstSequence, this.durableSequence)
  }
}

/** Checks the batch, and the columns that followers use against it. Throws LogFormatError, which names the row. */
function checkRow({ firstSequence, recordCount, epoch, bytes }: PostgresBatch, before: PostgresBatch | null): void {
  const inBatch = headerOf(firstSequence, bytes).recordCount
  if (recordCount !== inBatch) {
    const finding = `the row of sequence ${firstSequence} counts ${recordCount} records, its batch ${inBatch}`
    throw new LogFormatError('batch_damaged', finding)
  }
  if (before !== null && epoch < before.epoch) {
    throw new LogFormatError('chain_broken', `the row of sequence ${firstSequence} has epoch ${epoch} after epoch ${before.epoch}`)
  }
}

function headerOf(firstSequence: number, bytes: Uint8Array): BatchHeader {
  try {
    return readHeader(asBuffer(bytes))
  } catch (error) {
    if (!(error instanceof LogFormatError) || error.code !== 'batch_damaged') throw error
    throw new LogFormatError(error.code, `the row of sequence ${firstSequence} is damaged: ${error.finding}`)
  }
}

/** Codes of a lost connection and of a server that stops. A statement that timed out here has no code. */
const LOST = /^(?:08|57P|E[A-Z])/

function isLostConnection(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === undefined || code === 'log_unreachable' || (typeof code === 'string' && LOST.test(code))
}
