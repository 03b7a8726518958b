// A PostgreSQL cluster for the bench: created in a new folder, reachable only by a socket in that folder, ended with the bench.
// Durability has PostgreSQL's defaults: fsync, full_page_writes and synchronous_commit are on.
import { execFileSync, spawn } from 'node:child_process'
import { accessSync, chownSync, constants, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithParent, stopChild } from '../process/server-process.ts'

const DEBIAN_FOLDER = '/usr/lib/postgresql'
const START_DEADLINE_MS = 30_000
export const SUPERUSER = 'bench'

/** Settings other than PostgreSQL's defaults: sizes for a small server. None of them weakens a commit. */
export const CLUSTER_SETTINGS = {
  listen_addresses: '',
  max_connections: '200',
  shared_buffers: '1GB',
  wal_buffers: '64MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
} as const

/** Reason why a rival cannot run here. The row prints it instead of a figure. */
export class RivalUnavailable extends Error {
  override readonly name = 'RivalUnavailable'
}

export interface PostgresCluster {
  readonly pid: number
  readonly version: string
  readonly socketFolder: string
  stop(): Promise<void>
}

/** Options of a cluster. Default: a new cluster for the rival. */
export interface ClusterOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** Connection string of the primary when this server is a standby. */
  readonly standbyOf?: string
  /** Whether the folder already contains a cluster. */
  readonly isMade?: boolean
}

export async function startPostgres(folder: string, options: ClusterOptions = {}): Promise<PostgresCluster> {
  const programs = findPrograms()
  const user = unprivilegedUser()
  const dataFolder = join(folder, 'data')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (user !== null) chownSync(folder, user.uid, user.gid)
  const as = user ?? {}
  const make = (program: string, args: readonly string[]): void => {
    execFileSync(join(programs, program), ['-D', dataFolder, ...args], { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  if (options.standbyOf !== undefined) make('pg_basebackup', ['-d', options.standbyOf, '-R', '-c', 'fast'])
  else if (options.isMade !== true) make('initdb', ['-U', SUPERUSER, '--auth=trust', '--no-locale', '-E', 'UTF8'])
  const settings = Object.entries({ ...CLUSTER_SETTINGS, unix_socket_directories: folder, ...options.settings }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  const child = spawn(join(programs, 'postgres'), ['-D', dataFolder, ...settings], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithParent(child)
  await new Promise<void>((resolve, reject) => {
    const lines: string[] = []
    const deadline = setTimeout(() => reject(new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)), START_DEADLINE_MS)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended (${code}):\n${lines.join('\n')}`)))
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (lines.length < 100) lines.push(line)
      if (!/database system is ready to accept (?:read-only )?connections/.test(line)) return
      clearTimeout(deadline)
      resolve()
    })
  })
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
  // SIGINT is the fast shutdown: PostgreSQL disconnects clients and shuts down cleanly.
  return { pid: child.pid ?? 0, version, socketFolder: folder, stop: async () => void (await stopChild(child, 'SIGINT')) }
}

/** Returns the folder of the newest version in Debian's folder, else in PATH. */
export function findPrograms(): string {
  const versions = listFolder(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a))
  const folders = [...versions.map((version) => join(DEBIAN_FOLDER, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)]
  const found = folders.find((folder) => ['initdb', 'postgres'].every((program) => isExecutable(join(folder, program))))
  if (found === undefined) throw new RivalUnavailable('PostgreSQL not installed: apt-get install postgresql')
  return found
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root. Returns the user `postgres` or `nobody` in that case. */
export function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user === undefined) throw new RivalUnavailable('PostgreSQL refuses to run as root and there is no other user to run it')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}
