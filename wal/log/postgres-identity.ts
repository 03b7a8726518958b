// Identity of a log in PostgreSQL. The first node sets it, all others read it.

import { GENESIS_HASH } from '../../engine/actor/record-codec.ts'
import { checkOpen } from './postgres-closed.ts'
import { PostgresConnection, startError } from './postgres-connection.ts'
import type { PostgresLogOptions } from './postgres-log.ts'
import { type OwnerRow, readOwner } from './postgres-owner.ts'
import { checkServer, type LogIdentity, makeTables, settleIdentity } from './postgres-tables.ts'

export interface FoundLog extends LogIdentity {
  readonly owner: OwnerRow
}

/** Creates missing tables. Returns the log's identity, which is `offered` for a new log, and its owner. Throws LogError. */
export async function identify(options: PostgresLogOptions, offered: LogIdentity): Promise<FoundLog> {
  const { hosts, name, partition = 0, onWarning } = options
  const connection = new PostgresConnection({ hosts, node: name.node, onWarning })
  try {
    const client = await connection.client()
    await checkServer(client, options)
    await makeTables(client)
    await checkOpen(client, partition)
    const identity = await settleIdentity(client, partition, offered)
    return { ...identity, owner: await readOwner(client, partition, GENESIS_HASH) }
  } catch (error) {
    throw startError(error)
  } finally {
    await connection.close()
  }
}
