// Rival P as a whole: cluster, schema, accounts, HTTP server. It reaches the rows as one more subject.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { MERCHANT_FUNDS, type MerchantKeys, walletTag } from '../load/population.ts'
import type { Subject } from '../measure.ts'
import { startServer } from '../process/server-process.ts'
import { SUPERUSER, startPostgres } from './postgres-cluster.ts'

/** On two cores 16 to 64 connections do the same within the noise; fewer leave the group commit half empty. */
const POOL_SIZE = 32

export interface PostgresRival extends Subject {
  readonly version: string
  stop(): Promise<void>
}

export interface PostgresRivalSize {
  readonly folder: string
  readonly merchants: readonly MerchantKeys[]
  readonly wallets: number
  readonly projectFolder: string
  readonly poolSize?: number
}

export async function startPostgresRival(size: PostgresRivalSize): Promise<PostgresRival> {
  const cluster = await startPostgres(size.folder)
  try {
    await fill(cluster.socketFolder, size)
    const poolSize = String(size.poolSize ?? POOL_SIZE)
    const server = await startServer({
      name: 'P',
      args: [
        '--import',
        import.meta.resolve('tsx'),
        fileURLToPath(new URL('./postgres-server.ts', import.meta.url)),
        cluster.socketFolder,
        poolSize,
      ],
      cwd: size.projectFolder,
      env: { NODE_ENV: 'production' },
    })
    const stop = async (): Promise<void> => {
      await server.stop()
      await cluster.stop()
    }
    return { name: 'P', port: server.port, pids: [server.pid, cluster.pid], lastLines: server.lastLines, version: cluster.version, stop }
  } catch (error) {
    await cluster.stop()
    throw error
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
