// Reads the batches of the log in PostgreSQL in order, a bounded number per statement. Each has the epoch of the owner that appended
// it.
import type { Client } from 'pg'
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { POSTGRES_READ_BATCHES } from '../limits.ts'

export interface PostgresBatch extends StoredBatch {
  readonly epoch: number
  readonly recordCount: number
}

interface BatchRow {
  readonly sequence: string
  readonly epoch: string
  readonly record_count: number
  readonly batch: Buffer
}

const COLUMNS = 'select sequence, epoch, record_count, batch from cauri.log where partition = $1 and sequence <= $4'
const READ_FROM = `${COLUMNS} and sequence >=
  coalesce((select max(sequence) from cauri.log where partition = $1 and sequence <= $2), 0) order by sequence limit $3`
const READ_AFTER = `${COLUMNS} and sequence > $2 order by sequence limit $3`

/** Yields batches in order, from the one that holds `sequence` on. */
export function batchesFrom(client: Client, partition: number, sequence: number): AsyncGenerator<PostgresBatch> {
  return read(client, partition, sequence, READ_FROM)
}

/** Yields batches in order that begin after `sequence` and not after `through`. */
export function batchesBetween(client: Client, partition: number, sequence: number, through: number): AsyncGenerator<PostgresBatch> {
  return read(client, partition, sequence, READ_AFTER, through)
}

async function* read(
  client: Client,
  partition: number,
  sequence: number,
  first: string,
  through = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<PostgresBatch> {
  for (let above = sequence, text = first; ; text = READ_AFTER) {
    const { rows } = await client.query<BatchRow>(text, [partition, above, POSTGRES_READ_BATCHES, through])
    const batches = rows.map(batchOf)
    yield* batches
    const last = batches[batches.length - 1]
    if (last === undefined || batches.length < POSTGRES_READ_BATCHES) return
    above = last.firstSequence
  }
}

function batchOf({ sequence, epoch, record_count, batch }: BatchRow): PostgresBatch {
  return { firstSequence: Number(sequence), epoch: Number(epoch), recordCount: record_count, bytes: batch }
}
