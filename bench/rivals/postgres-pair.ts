// A PostgreSQL primary whose commits wait for a synchronous standby, both on this machine and on its disk.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../process/free-port.ts'
import { SUPERUSER, startPostgres } from './postgres-cluster.ts'

const STANDBY_NAME = 'standby'
/** Two servers share the machine. */
const SETTINGS = { listen_addresses: '127.0.0.1', max_connections: '40', shared_buffers: '256MB', wal_buffers: '16MB' }

export interface PostgresPair {
  readonly url: string
  stop(): Promise<void>
}

/** Throws RivalUnavailable where PostgreSQL is not installed. */
export async function startPostgresPair(folder: string): Promise<PostgresPair> {
  // PostgreSQL may run as another user, which needs search permission.
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  const port = await freePort()
  const primary = await startPostgres(join(folder, 'primary'), { settings: { ...SETTINGS, port: String(port) } })
  try {
    const standbyOf = `host=127.0.0.1 port=${port} user=${SUPERUSER} dbname=postgres application_name=${STANDBY_NAME}`
    const standby = await startPostgres(join(folder, 'standby'), {
      settings: { ...SETTINGS, port: String(await freePort()) },
      standbyOf,
    })
    const url = `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`
    await run(url, [`alter system set synchronous_standby_names = '${STANDBY_NAME}'`, 'select pg_reload_conf()'])
    const stop = async (): Promise<void> => {
      await standby.stop()
      await primary.stop()
    }
    return { url, stop }
  } catch (error) {
    await primary.stop()
    throw error
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
