// What tells one log in PostgreSQL from another: settled by the first node, read by all others.

import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresLogOptions } from './postgres-log.ts'
import { checkServer, type LogIdentity, makeTables, settleIdentity } from './postgres-tables.ts'

/** Makes the tables where they are missing; the log's identity is `offered` where it has none yet. Throws LogError. */
export async function identify(options: PostgresLogOptions, offered: LogIdentity): Promise<LogIdentity> {
  const { hosts, name, partition = 0, onWarning } = options
  const connection = new PostgresConnection({ hosts, node: name.node, onWarning })
  try {
    const client = await connection.client()
    await checkServer(client, options)
    await makeTables(client)
    return await settleIdentity(client, partition, offered)
  } finally {
    await connection.close()
  }
}
