// Logs in PostgreSQL for tests of the tools: owned by a test, filled with batches.
import { hostname } from 'node:os'
import type { TestContext } from 'node:test'
import { parsePostgresUrl } from '../../wal/log/postgres-hosts.ts'
import { identify } from '../../wal/log/postgres-identity.ts'
import { PostgresLog, type PostgresLogOptions } from '../../wal/log/postgres-log.ts'
import { BatchSource, mustAppend } from './log-batches.ts'
import { closeLater } from './scratch-folder.ts'

export function postgresOptions(url: string, node = 'a'): PostgresLogOptions {
  return { hosts: parsePostgresUrl(url), name: { node, url: `http://${hostname()}` }, allowsUnsafe: false, onWarning: () => {} }
}

/** Owns the log as a node does, with this identity. */
export async function ownLog(test: TestContext, url: string, logId = 'a log of the tests', keyCheck = 'key'): Promise<PostgresLog> {
  await identify(postgresOptions(url), { logId, keyCheck })
  return closeLater(test, await PostgresLog.own(postgresOptions(url)))
}

/** Fills the log with batches and releases it, as a node does when it stops. */
export async function fillLog(test: TestContext, url: string, batches: number, textBytes = 20): Promise<BatchSource> {
  const log = await ownLog(test, url)
  const source = new BatchSource()
  for (let count = 0; count < batches; count++) await mustAppend(log, { ...source.next(2, textBytes), epoch: log.epoch })
  await log.release()
  await log.close()
  return source
}
