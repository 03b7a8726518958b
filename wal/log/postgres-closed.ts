// Closed logs in PostgreSQL. No node may own or follow a log with a row in `cauri.closed`: a copy into it is not complete, or the log
// was moved to another place. Without that row an old log would acknowledge payments that the new one does not have.
import type { Client } from 'pg'
import { LogError } from './log-error.ts'

export interface ClosedLog {
  readonly reason: 'incomplete' | 'moved'
  /** Description of the place that the log is copied from, or was moved to. */
  readonly place: string
}

const READ = 'select reason, place from cauri.closed where partition = $1'

/** Throws LogError `log_moved` for a closed log. */
export async function checkOpen(client: Client, partition: number): Promise<void> {
  const { rows } = await client.query<ClosedLog>(READ, [partition])
  if (rows[0] !== undefined) throw closedError(rows[0])
}

export function closedError({ reason, place }: ClosedLog): LogError {
  return new LogError('log_moved', closedText({ reason, place }))
}

/** Returns the state of a closed log with its remedy. */
export function closedText({ reason, place }: ClosedLog): string {
  if (reason === 'incomplete') {
    return `The log in PostgreSQL is not complete: the copy from ${place} has not finished. Run the same command again.`
  }
  return `The log in PostgreSQL was moved to ${place}: start the server with that log. If that log is lost, npm run restore makes a log of this one in an empty database or a new folder.`
}
