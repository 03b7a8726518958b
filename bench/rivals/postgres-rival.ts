// Rivals P and P2: cluster, schema, accounts and HTTP server, as a subject of the rows. The cluster runs during the whole run; the server may be
// restarted with another pool size. P and P2 share the cluster.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { MERCHANT_FUNDS, type MerchantKeys, walletTag } from '../load/population.ts'
import type { Subject } from '../measure.ts'
import { type ServerProcess, startServer } from '../process/server-process.ts'
import { type PostgresCluster, SUPERUSER, startPostgres } from './postgres-cluster.ts'

/** `single`: one transaction a payout (P). `grouped`: one for all payouts that wait (P2). */
export type PostgresMode = 'single' | 'grouped'

const NAMES: Readonly<Record<PostgresMode, string>> = { single: 'P', grouped: 'P2' }

export interface PostgresRivalSize {
  readonly folder: string
  readonly merchants: readonly MerchantKeys[]
  readonly wallets: number
  readonly projectFolder: string
}

export class PostgresRival {
  readonly #cluster: PostgresCluster
  readonly #projectFolder: string
  readonly #servers = new Map<PostgresMode, ServerProcess>()

  private constructor(cluster: PostgresCluster, projectFolder: string) {
    this.#cluster = cluster
    this.#projectFolder = projectFolder
  }

  /** Starts the cluster. Throws RivalUnavailable without PostgreSQL. */
  static async start(size: PostgresRivalSize): Promise<PostgresRival> {
    const cluster = await startPostgres(size.folder)
    try {
      await fill(cluster.socketFolder, size)
      return new PostgresRival(cluster, size.projectFolder)
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** Starts the server with this number of connections to the cluster. Stops the one of this mode before. */
  async serve(poolSize: number, mode: PostgresMode = 'single'): Promise<Subject> {
    await this.#servers.get(mode)?.stop()
    this.#servers.delete(mode)
    const script = processEntry(new URL('./postgres-server.ts', import.meta.url))
    const { socketFolder, pid } = this.#cluster
    const name = NAMES[mode]
    const server = await startServer({
      name,
      args: [...script, socketFolder, String(poolSize), mode],
      cwd: this.#projectFolder,
      env: { NODE_ENV: 'production' },
    })
    this.#servers.set(mode, server)
    return { name, port: server.port, pids: [server.pid, pid], lastLines: server.lastLines }
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.values()) await server.stop()
    await this.#cluster.stop()
  }
}

async function fill(socketFolder: string, { merchants, wallets }: PostgresRivalSize): Promise<void> {
  const client = new pg.Client({ host: socketFolder, user: SUPERUSER, database: 'postgres' })
  await client.connect()
  try {
    await client.query(readFileSync(new URL('./postgres.sql', import.meta.url), 'utf8'))
    const keys = merchants.map(({ publicKey }) => publicKey)
    const secrets = merchants.map(({ secretKey }) => hash('sha256', secretKey, 'buffer'))
    await client.query('INSERT INTO merchants SELECT n, k, s, $3 FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS m (k, s, n)', [
      keys,
      secrets,
      MERCHANT_FUNDS,
    ])
    const tags = Array.from({ length: wallets }, (_, index) => walletTag(index))
    await client.query('INSERT INTO wallets SELECT n, t, 0 FROM unnest($1::text[]) WITH ORDINALITY AS w (t, n)', [tags])
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}
