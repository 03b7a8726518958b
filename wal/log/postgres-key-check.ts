// Replaces the check of the master key of a log in PostgreSQL, by compare-and-set, while no node uses the log.
import { POSTGRES_COPY_TIMEOUT_MS } from '../limits.ts'
import { LogError } from './log-error.ts'
import { closedText } from './postgres-closed.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresWriterOptions } from './postgres-log-target.ts'
import { awaitSilence, toolName } from './postgres-state.ts'
import { checkServer, hasTables } from './postgres-tables.ts'

const REPLACE = 'update cauri.identity set key_check = $3 where partition = $1 and key_check = $2'

/**
 * Replaces the check by what `change` returns for it. Resolves with false when `change` returns null. Rejects with LogError: `log_in_use`
 * while nodes use the log, `log_missing`, `log_moved`, and errors of `change`.
 */
export async function replaceKeyCheck(options: PostgresWriterOptions, change: (keyCheck: string) => string | null): Promise<boolean> {
  const { hosts, program, partition = 0, onWarning } = options
  const connection = new PostgresConnection({
    ...{ hosts, node: toolName(program), onWarning, statementTimeoutMs: POSTGRES_COPY_TIMEOUT_MS },
    prepare: (client) => checkServer(client, options),
  })
  try {
    const client = await connection.client()
    const state = (await hasTables(client)) ? await awaitSilence(client, partition) : null
    if (state === null || state.logId === '') throw new LogError('log_missing', 'There is no log in this PostgreSQL database.')
    if (state.closed !== null) throw new LogError('log_moved', closedText(state.closed))
    const next = change(state.keyCheck)
    if (next === null) return false
    const { result, isWarned } = await connection.confirmed((writer) => writer.query(REPLACE, [partition, state.keyCheck, next]))
    if (isWarned) {
      throw new LogError('log_unreachable', 'The standby of PostgreSQL has not confirmed the change. Run the same command again.')
    }
    if (result.rowCount !== 1) throw new LogError('log_in_use', 'The log in PostgreSQL is in use by another command. Run this one again.')
    return true
  } finally {
    await connection.close()
  }
}
