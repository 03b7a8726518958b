// The three hosts of the page "Several hosts" as processes of this machine: etcd and PostgreSQL under Patroni, from the very files that the
// page installs, on three addresses of the loopback, with the certificates of its script. Where they are not installed the tests that
// need them are skipped with one line.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../bench/process/free-port.ts'
import { endWithParent, stopChild } from '../../bench/process/server-process.ts'
import { findPrograms, unprivilegedUser } from '../../bench/rivals/postgres-cluster.ts'
import { eventuallyAsync } from './eventually.ts'
import { Patience } from './patience.ts'

const FILES = join(import.meta.dirname, '..', '..', 'http', 'app', 'deployment', 'hosts')
export const HOSTS = ['node-1', 'node-2', 'node-3'] as const
export type HostName = (typeof HOSTS)[number]

const ADDRESSES: Readonly<Record<HostName, string>> = { 'node-1': '127.0.0.11', 'node-2': '127.0.0.12', 'node-3': '127.0.0.13' }
const PORTS = ['2379', '2380', '8008', '5432'] as const
const PROGRAMS = ['/usr/bin/etcd', '/usr/bin/patroni']
const WAL_PASSWORD = 'wal-secret'
const SUPERUSER_PASSWORD = 'superuser-secret'
const START_MAX_MS = 120_000

/** False where the programs are installed, else the line that says why tests are skipped. */
export function hostsMissing(): string | false {
  if (PROGRAMS.every((path) => existsSync(path))) return false
  return 'etcd and Patroni are not installed: apt-get install etcd-server patroni python3-idna'
}

interface Running {
  readonly etcd: ChildProcess
  readonly patroni: ChildProcess
}

export class DeployedHosts {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cauri-hosts-'))
  readonly #user = unprivilegedUser()
  readonly #ports: Readonly<Record<string, number>>
  readonly #running = new Map<HostName, Running>()
  #output = ''

  private constructor(ports: Readonly<Record<string, number>>) {
    this.#ports = ports
    chmodSync(this.#folder, 0o755)
    const names = HOSTS.map((name) => `${name}=${ADDRESSES[name]}`)
    execFileSync('sh', [join(FILES, 'certificates.sh'), ...names], { cwd: this.#folder, stdio: 'ignore' })
    copyFileSync(join(FILES, 'database.sh'), join(this.#folder, 'database.sh'))
    chmodSync(join(this.#folder, 'database.sh'), 0o755)
    chmodSync(join(this.#folder, 'ca.pem'), 0o644)
  }

  /** Starts all three. Resolves when a primary has its synchronous standby. */
  static async start(): Promise<DeployedHosts> {
    const ports: Record<string, number> = {}
    for (const port of PORTS) ports[port] = await freePort()
    const hosts = new DeployedHosts(ports)
    try {
      for (const name of HOSTS) hosts.begin(name)
      await hosts.untilSynchronous()
      return hosts
    } catch (error) {
      await hosts.remove()
      throw new Error(`${(error as Error).message}\n${hosts.#output.slice(-4000)}`)
    }
  }

  /** As the nodes have it: certificate and name are verified. */
  get url(): string {
    const servers = HOSTS.map((name) => `${ADDRESSES[name]}:${this.#ports['5432']}`).join(',')
    return `postgres://cauri:${WAL_PASSWORD}@${servers}/cauri?sslmode=verify-full&sslrootcert=${join(this.#folder, 'ca.pem')}`
  }

  /** Starts etcd and Patroni of a host, which start PostgreSQL. */
  begin(name: HostName): void {
    const folder = join(this.#folder, name)
    for (const part of ['', 'tls', 'run']) this.#makeFolder(join(folder, part))
    for (const [from, to] of [
      ['ca.pem', 'ca.pem'],
      [`${name}.pem`, 'host.pem'],
      [`${name}-key.pem`, 'host-key.pem'],
    ] as const) {
      copyFileSync(join(this.#folder, from), join(folder, 'tls', to))
      this.#give(join(folder, 'tls', to), 0o600)
    }
    const etcd = this.#textOf('etcd.env', name)
    const variables = etcd.split('\n').flatMap((line) => (/^[A-Z]/.test(line) ? [line.split(/=(.*)/, 2)] : []))
    const settings = join(folder, 'patroni.yaml')
    writeFileSync(settings, this.#textOf('patroni.yaml', name))
    const passwords = { PATRONI_SUPERUSER_PASSWORD: SUPERUSER_PASSWORD, PATRONI_REPLICATION_PASSWORD: 'replication-secret', WAL_PASSWORD }
    this.#running.set(name, {
      etcd: this.#spawn('/usr/bin/etcd', [], folder, Object.fromEntries(variables)),
      patroni: this.#spawn('/usr/bin/patroni', [settings], folder, passwords),
    })
  }

  /** The host fails: SIGKILL of all its processes. Its disk stays. */
  async lose(name: HostName): Promise<void> {
    const running = this.#running.get(name)
    this.#running.delete(name)
    // Patroni first: it would start PostgreSQL again, or give its lock away.
    if (running !== undefined) await Promise.all([stopChild(running.patroni, 'SIGKILL'), stopChild(running.etcd, 'SIGKILL')])
    await this.#killPostgres(name)
  }

  async primary(): Promise<HostName> {
    const found: HostName[] = []
    await eventuallyAsync(async () => {
      const primary = await this.primaryNow()
      if (primary !== null) found.push(primary)
      return primary !== null
    }, 'a primary')
    return found[0] as HostName
  }

  /** Returns null while no server is the primary. */
  async primaryNow(): Promise<HostName | null> {
    const states = await Promise.all(HOSTS.map(async (name) => ((await this.#isPrimary(name)) ? name : null)))
    return states.find((name) => name !== null) ?? null
  }

  /** Resolves when the primary has a synchronous standby. */
  async untilSynchronous(): Promise<void> {
    const sql = "select from pg_stat_replication where sync_state in ('sync', 'quorum') and application_name like 'node-%'"
    const patience = new Patience(START_MAX_MS)
    for (;;) {
      const rows = await Promise.all(HOSTS.map((name) => this.#run(name, sql).catch(() => [])))
      if (rows.some(({ length }) => length > 0)) return
      if (patience.isOver) throw new Error(`no synchronous standby after ${START_MAX_MS} ms`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** Standbys that are connected to the primary. */
  async standbys(): Promise<readonly { readonly sync_state: string }[]> {
    return this.#run(await this.primary(), "select sync_state from pg_stat_replication where application_name like 'node-%'")
  }

  async remove(): Promise<void> {
    for (const name of HOSTS) await this.lose(name)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #isPrimary(name: HostName): Promise<boolean> {
    return this.#run<{ standby: boolean }>(name, 'select pg_is_in_recovery() as standby').then(
      ([row]) => row?.standby === false,
      () => false,
    )
  }

  async #run<Row extends object>(name: HostName, sql: string): Promise<readonly Row[]> {
    const address = { host: ADDRESSES[name], port: this.#ports['5432'] as number }
    const client = new Client({
      ...{ ...address, user: 'postgres', password: SUPERUSER_PASSWORD, database: 'postgres', connectionTimeoutMillis: 2000 },
      ssl: { ca: readFileSync(join(this.#folder, 'ca.pem'), 'utf8') },
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  /** The file as the page installs it, with the addresses and folders of this machine. */
  #textOf(file: string, name: HostName): string {
    const folder = join(this.#folder, name)
    let text = readFileSync(join(FILES, file), 'utf8').replaceAll('NODE', name)
    for (const [from, to] of [
      ['/etc/cauri/tls', join(folder, 'tls')],
      ['/var/lib/etcd/cauri', join(folder, 'etcd')],
      ['/var/lib/postgresql/15/cauri', join(folder, 'data')],
      ['/var/run/postgresql', join(folder, 'run')],
      ['/etc/patroni/database.sh', join(this.#folder, 'database.sh')],
      ['/usr/lib/postgresql/15/bin', findPrograms()],
      ['0.0.0.0', ADDRESSES[name]],
    ] as const)
      text = text.replaceAll(from, to)
    for (const [host, address] of Object.entries(ADDRESSES)) text = text.replaceAll(`${host}:`, `${address}:`)
    for (const [from, to] of Object.entries(this.#ports)) text = text.replaceAll(`:${from}`, `:${to}`)
    return text
  }

  #spawn(program: string, words: readonly string[], folder: string, variables: Readonly<Record<string, string>>): ChildProcess {
    const child = spawn(program, words, {
      ...(this.#user ?? {}),
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    endWithParent(child)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-100_000)
      })
    }
    return child
  }

  /** By the folder that PostgreSQL works in: a server that starts has no file with its process id yet. */
  async #killPostgres(name: HostName): Promise<void> {
    const data = join(this.#folder, name, 'data')
    const patience = new Patience(START_MAX_MS)
    for (let left = processesIn(data); left.length > 0; left = processesIn(data)) {
      if (patience.isOver) throw new Error(`processes ${left.join(', ')} of ${name} do not end`)
      for (const pid of left) signal(pid)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    rmSync(join(data, 'postmaster.pid'), { force: true })
  }

  #makeFolder(path: string): void {
    mkdirSync(path, { recursive: true })
    this.#give(path, 0o700)
  }

  #give(path: string, mode: number): void {
    chmodSync(path, mode)
    if (this.#user !== null) chownSync(path, this.#user.uid, this.#user.gid)
  }
}

/** Processes whose working directory is `folder`. One that has ended has none. */
function processesIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => workingFolderOf(pid) === folder).map(Number)
}

function workingFolderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // It has ended, or belongs to another user.
    return ''
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
