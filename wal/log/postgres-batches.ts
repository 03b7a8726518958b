// Reads the batches of the log in PostgreSQL in order, a bounded number of bytes per statement. Each has the epoch of the owner that
// appended it.
import type { Client } from 'pg'
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { POSTGRES_READ_BATCHES, POSTGRES_READ_BYTES } from '../limits.ts'

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

/** The size of a batch is known without reading it, so the window costs little. A statement returns at least one batch. */
function textFrom(start: string): string {
  return `select sequence, epoch, record_count, batch from (
      select *, sum(octet_length(batch)) over (order by sequence) - octet_length(batch) as bytes_before from (
        select sequence, epoch, record_count, batch from cauri.log
        where partition = $1 and sequence <= $4 and ${start} order by sequence limit $3
      ) as rows
    ) as sized where bytes_before < $5 order by sequence`
}

const READ_FROM = textFrom('sequence >= coalesce((select max(sequence) from cauri.log where partition = $1 and sequence <= $2), 0)')
const READ_AFTER = textFrom('sequence > $2')

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
    const values = [partition, above, POSTGRES_READ_BATCHES, through, POSTGRES_READ_BYTES]
    const { rows } = await client.query<BatchRow>({ name: text === READ_AFTER ? 'read after' : 'read from', text, values })
    const batches = rows.map(batchOf)
    const sizeBytes = batches.reduce((sum, { bytes }) => sum + bytes.length, 0)
    yield* batches
    const last = batches[batches.length - 1]
    if (last === undefined || (batches.length < POSTGRES_READ_BATCHES && sizeBytes < POSTGRES_READ_BYTES)) return
    above = last.firstSequence
  }
}

function batchOf({ sequence, epoch, record_count, batch }: BatchRow): PostgresBatch {
  return { firstSequence: Number(sequence), epoch: Number(epoch), recordCount: record_count, bytes: batch }
}
