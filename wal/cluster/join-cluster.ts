// First connection of a node to the log in PostgreSQL: checks the server, creates the tables, reads the log's id and checks that
// the node has the master key of the cluster.
import { randomUUID } from 'node:crypto'
import { LogError } from '../log/log-error.ts'
import { type FoundLog, identify } from '../log/postgres-identity.ts'
import type { PostgresLogOptions } from '../log/postgres-log.ts'

/** Resolves with the log and its owner. Throws LogError: `wrong_key` when other nodes of the cluster have another master key. */
export async function joinCluster(postgres: PostgresLogOptions, keyCheck: string): Promise<FoundLog> {
  const found = await identify(postgres, { logId: randomUUID(), keyCheck })
  if (found.keyCheck === keyCheck) return found
  throw new LogError(
    'wrong_key',
    'MASTER_KEY is not the key that this cluster was started with: nodes with different keys cannot decrypt the secrets of the others.',
  )
}
