// PostgreSQL servers of a test, in folders of their own, on free ports of the loopback: one alone, or a primary with a synchronous
// standby. Where PostgreSQL is not installed the tests that need it are skipped with one line.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../bench/process/free-port.ts'
import { findPrograms, type PostgresCluster, RivalUnavailable, SUPERUSER, startPostgres } from '../../bench/rivals/postgres-cluster.ts'

const SMALL = { listen_addresses: '127.0.0.1', shared_buffers: '16MB', wal_buffers: '4MB', max_wal_size: '256MB', max_connections: '40' }
const STANDBY_NAME = 'standby'

/** False where it is installed, else the line that says why tests are skipped. */
export function postgresMissing(): string | false {
  try {
    findPrograms()
    return false
  } catch (error) {
    if (error instanceof RivalUnavailable) return error.message
    throw error
  }
}

export class PostgresServer {
  readonly port: number
  readonly #folder: string
  readonly #settings: Readonly<Record<string, string>>
  #cluster: PostgresCluster

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>, cluster: PostgresCluster) {
    this.#folder = folder
    this.port = port
    this.#settings = settings
    this.#cluster = cluster
  }

  static async start(settings: Readonly<Record<string, string>> = {}, standbyOf?: PostgresServer): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'cauri-postgres-'))
    const port = await freePort()
    const source = standbyOf === undefined ? {} : { standbyOf: `${standbyOf.libpq} application_name=${STANDBY_NAME}` }
    const all = { ...SMALL, ...settings, port: String(port) }
    try {
      return new PostgresServer(folder, port, all, await startPostgres(folder, { settings: all, ...source }))
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  get libpq(): string {
    return `host=127.0.0.1 port=${this.port} user=${SUPERUSER} dbname=postgres`
  }

  /** Through another port where a proxy stands in front. */
  url(database: string, port = this.port): string {
    return `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`
  }

  async run<Row extends object>(sql: string, database = 'postgres'): Promise<readonly Row[]> {
    const client = new Client({ connectionString: this.url(database) })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  /** SIGSTOP and SIGCONT of the server and of its backends. */
  signal(signal: NodeJS.Signals): void {
    process.kill(this.#cluster.pid, signal)
  }

  /** SIGKILL of all its processes, as when the machine fails. The data folder stays. */
  async kill(): Promise<void> {
    const { pid } = this.#cluster
    // Stopped first, so that it starts no further process.
    process.kill(pid, 'SIGSTOP')
    for (const child of childrenOf(pid)) killProcess(child)
    process.kill(pid, 'SIGKILL')
    await this.#cluster.stop()
  }

  /** After `kill`: starts it on the same folder. */
  async startAgain(): Promise<void> {
    this.#cluster = await startPostgres(this.#folder, { settings: this.#settings, isMade: true })
  }

  /** Makes a standby the primary. Resolves when it takes writes. */
  async promote(): Promise<void> {
    await this.run('select pg_promote()')
  }

  async remove(): Promise<void> {
    await this.#cluster.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export interface PostgresPair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  remove(): Promise<void>
}

/** A primary whose commits wait for its standby. */
export async function startPair(): Promise<PostgresPair> {
  const primary = await PostgresServer.start()
  const standby = await startStandby(primary)
  await primary.run(`alter system set synchronous_standby_names = '${STANDBY_NAME}'`)
  await primary.run('select pg_reload_conf()')
  return {
    primary,
    standby,
    remove: async () => {
      await standby.remove()
      await primary.remove()
    },
  }
}

/** A synchronous standby of the primary. Its own commits wait for a standby too, once it is promoted. */
export function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  return PostgresServer.start({ synchronous_standby_names: STANDBY_NAME }, primary)
}

let databases = 0

/** A new empty database; answers its name. */
export async function newDatabase(server: PostgresServer): Promise<string> {
  const name = `test_${process.pid}_${++databases}`
  await server.run(`create database ${name}`)
  return name
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return list === '' ? [] : list.split(' ').map(Number)
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
