// Identity of a log in PostgreSQL. The first node sets it, all others read it.

import { checkOpen } from './postgres-closed.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresLogOptions } from './postgres-log.ts'
import { checkServer, type LogIdentity, makeTables, settleIdentity } from './postgres-tables.ts'

/** Creates missing tables. Returns the log's identity, which is `offered` for a new log. Throws LogError. */
export async function identify(options: PostgresLogOptions, offered: LogIdentity): Promise<LogIdentity> {
  const { hosts, name, partition = 0, onWarning } = options
  const connection = new PostgresConnection({ hosts, node: name.node, onWarning })
  try {
    const client = await connection.client()
    await checkServer(client, options)
    await makeTables(client)
    await checkOpen(client, partition)
    return await settleIdentity(client, partition, offered)
  } finally {
    await connection.close()
  }
}
