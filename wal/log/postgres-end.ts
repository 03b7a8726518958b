// Compares the end of a node's log with PostgreSQL's. A node whose log differs must stop: one of the two has lost records.
import type { Client } from 'pg'
import { hashBatch } from '../../engine/actor/record-codec.ts'
import { lastSequenceOf } from '../log-batches.ts'
import { LogError } from './log-error.ts'
import { batchesFrom } from './postgres-batches.ts'
import type { OwnerRow } from './postgres-owner.ts'

/** End of the log that the node has applied. */
interface LocalEnd {
  readonly lastSequence: number
  /** Hash of the last batch, hex. */
  readonly batchHash: string
}

/** Throws LogError `log_contradiction` when the log in PostgreSQL is shorter than this node's. */
export function checkEnd(row: OwnerRow, { lastSequence }: LocalEnd): void {
  if (row.lastSequence < lastSequence) throw logBehind(row.lastSequence, lastSequence)
}

/** Checks that PostgreSQL holds the same batch at the end of this node's log. Throws LogError `log_contradiction`. */
export async function checkBatch(client: Client, partition: number, { lastSequence, batchHash }: LocalEnd): Promise<void> {
  if (lastSequence === 0) return
  for await (const batch of batchesFrom(client, partition, lastSequence)) {
    if (lastSequenceOf(batch) === lastSequence && hashBatch(batch.bytes) === batchHash) return
    break
  }
  throw new LogError(
    'log_contradiction',
    `The batch at sequence ${lastSequence} of this node is not the one that PostgreSQL holds: the two logs are different. ${REMEDY}`,
  )
}

const REMEDY =
  'If the log in PostgreSQL is the right one, delete the log and the archive in DATA_DIR; they are fetched again. If PostgreSQL lost data, restore it first.'

function logBehind(postgres: number, node: number): LogError {
  return new LogError(
    'log_contradiction',
    `The log in PostgreSQL ends at sequence ${postgres}, this node has applied sequence ${node}: PostgreSQL has lost its end. ${REMEDY}`,
  )
}
