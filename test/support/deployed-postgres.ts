// The pair of PostgreSQL servers that compose.yaml starts, from the very scripts that it mounts, as processes of this machine. Both have
// the same port, on two addresses of the loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../bench/process/free-port.ts'
import { endWithParent, stopChild } from '../../bench/process/server-process.ts'
import { findPrograms, unprivilegedUser } from '../../bench/rivals/postgres-cluster.ts'
import { eventuallyAsync } from './eventually.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DEPLOYMENT = join(ROOT, 'http', 'app', 'deployment')
const ADDRESSES = { 'postgres-a': '127.0.0.2', 'postgres-b': '127.0.0.3' } as const
const PASSWORDS = { POSTGRES_PASSWORD: 'superuser-secret', WAL_PASSWORD: 'wal-secret', REPLICATION_PASSWORD: 'replication-secret' }

export type ServerName = keyof typeof ADDRESSES

export class DeployedPostgres {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cauri-deployed-'))
  readonly #user = unprivilegedUser()
  readonly #port: number
  readonly #children = new Map<ServerName, ChildProcess>()
  #output = ''

  private constructor(port: number) {
    this.#port = port
    chmodSync(this.#folder, 0o755)
    const programs = join(this.#folder, 'bin')
    const scripts = join(this.#folder, 'init')
    for (const folder of [programs, scripts]) mkdirSync(folder)
    copyFileSync(join(import.meta.dirname, 'deployment', 'docker-entrypoint.sh'), join(programs, 'docker-entrypoint.sh'))
    copyFileSync(join(DEPLOYMENT, 'postgres-init.sh'), join(scripts, '10-cauri.sh'))
    copyFileSync(join(DEPLOYMENT, 'postgres-start.sh'), join(this.#folder, 'postgres-start.sh'))
  }

  static async open(): Promise<DeployedPostgres> {
    return new DeployedPostgres(await freePort())
  }

  /** As the nodes of compose.yaml have it. */
  get url(): string {
    const [a, b] = Object.values(ADDRESSES)
    return `postgres://cauri:${PASSWORDS.WAL_PASSWORD}@${a}:${this.#port},${b}:${this.#port}/cauri`
  }

  /** What the servers and their scripts printed. */
  get output(): string {
    return this.#output
  }

  /** Starts a server as its service of compose.yaml does. Resolves when it takes connections. */
  async start(name: ServerName, standbyOf: ServerName | null, command: readonly string[]): Promise<void> {
    const folder = join(this.#folder, name)
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
    for (const path of [folder, join(folder, 'data')]) if (this.#user !== null) chownSync(path, this.#user.uid, this.#user.gid)
    const own = ['-c', `listen_addresses=${ADDRESSES[name]}`, '-c', `unix_socket_directories=${folder}`, '-c', 'shared_buffers=16MB']
    const child = spawn('/bin/bash', [join(this.#folder, 'postgres-start.sh'), ...command, ...own], {
      ...(this.#user ?? {}),
      cwd: folder,
      env: {
        ...PASSWORDS,
        PATH: [join(this.#folder, 'bin'), findPrograms(), process.env.PATH].join(':'),
        PGDATA: join(folder, 'data'),
        PGHOST: folder,
        PGPORT: String(this.#port),
        POSTGRES_USER: 'postgres',
        INIT_FOLDER: join(this.#folder, 'init'),
        SERVER_NAME: name,
        STANDBY_OF: standbyOf === null ? '' : ADDRESSES[standbyOf],
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    endWithParent(child)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
    this.#children.set(name, child)
    await eventuallyAsync(() => this.#answers(name), `${name} to take connections: ${this.#output}`)
  }

  /** The machine is lost: SIGKILL, and its data folder is gone. */
  async lose(name: ServerName): Promise<void> {
    await this.#end(name, 'SIGQUIT')
    rmSync(join(this.#folder, name), { recursive: true, force: true })
  }

  async run<Row extends object>(name: ServerName, sql: string): Promise<readonly Row[]> {
    const client = new Client({
      ...{ host: ADDRESSES[name], port: this.#port, user: 'postgres', password: PASSWORDS.POSTGRES_PASSWORD, database: 'postgres' },
    })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async remove(): Promise<void> {
    for (const name of this.#children.keys()) await this.#end(name, 'SIGINT')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answers(name: ServerName): Promise<boolean> {
    return this.run(name, 'select 1').then(
      () => true,
      () => false,
    )
  }

  async #end(name: ServerName, signal: NodeJS.Signals): Promise<void> {
    const child = this.#children.get(name)
    if (child !== undefined) await stopChild(child, signal)
  }
}
