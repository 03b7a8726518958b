// First connection of a node to the log in PostgreSQL: checks the server, creates the tables, reads the log's id and checks that
// the node has the master key of the cluster.
import { randomUUID } from 'node:crypto'
import { LogError } from '../log/log-error.ts'
import { type FoundLog, identify } from '../log/postgres-identity.ts'
import type { PostgresLogOptions } from '../log/postgres-log.ts'

/**
 * Resolves with the log and its owner. `keyCheck` is kept for a new log; `fits` says whether this node has the key of the check found.
 * Throws LogError: `wrong_key` when other nodes of the cluster have another master key.
 */
export async function joinCluster(
  postgres: PostgresLogOptions,
  keyCheck: string,
  fits = (found: string): boolean => found === keyCheck,
): Promise<FoundLog> {
  const found = await identify(postgres, { logId: randomUUID(), keyCheck })
  if (fits(found.keyCheck)) return found
  throw new LogError(
    'wrong_key',
    'MASTER_KEY is not the key of this cluster: nodes with different keys cannot decrypt the secrets of the others.',
  )
}
