// Servers with a known bug each, built from a copy of the sources in which one place is changed. Rounds must find every bug.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from './faults.ts'

interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface PlantedBug {
  readonly name: string
  /** The fault that shows it. */
  readonly fault: Fault
  readonly changes: readonly Change[]
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'no epoch check',
    fault: 'owner frozen',
    changes: [
      { file: 'wal/log/postgres-owner.ts', from: 'and epoch = $2 and last_sequence', to: 'and $2::bigint > 0 and last_sequence' },
      { file: 'wal/log/postgres-log.ts', from: 'if (row.epoch !== this.epoch) throw staleEpoch()', to: '' },
      { file: 'wal/log/postgres-heartbeats.ts', from: 'where partition = $1 and epoch = $2', to: 'where partition = $1' },
      { file: 'wal/cluster/ownership.ts', from: 'epoch === this.log.epoch', to: 'epoch > 0' },
    ],
  },
  {
    name: 'read without barrier',
    fault: 'follower stopped in order',
    changes: [
      { file: 'wal/cluster/cluster-node.ts', from: 'async barrier(): Promise<void> {', to: 'async barrier(): Promise<void> { return' },
    ],
  },
  {
    name: 'acknowledgement before the standby',
    fault: 'standby killed',
    changes: [
      {
        file: 'wal/log/postgres-owner.ts',
        from: '  const { rows } = await client.query<{ has_standby: boolean }>({ name:',
        to: "  await client.query('set synchronous_commit = local')\n  const { rows } = await client.query<{ has_standby: boolean }>({ name:",
      },
    ],
  },
  {
    name: 'read-back without the further commit',
    fault: 'standby killed and waiting commits ended',
    changes: [
      {
        file: 'wal/log/postgres-log.ts',
        from: 'await this.#connection.confirmed((client) => commitOwned(client, this.partition, this.epoch))',
        to: "{ result: 'waited' as string, isWarned: false }",
      },
    ],
  },
]

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SOURCES = ['engine', 'http', 'sandbox-pool', 'wal', 'package.json', 'tsconfig.json']

export interface PlantedServer {
  /** Path of the bundled server. */
  readonly program: string
  remove(): void
}

/** Throws when a place that a bug changes is not in the sources any more. */
export function buildPlanted({ name, changes }: Omit<PlantedBug, 'fault'>): PlantedServer {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-planted-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    for (const source of SOURCES) cpSync(join(ROOT, source), join(folder, source), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const { file, from, to } of changes) {
      const text = readFileSync(join(folder, file), 'utf8')
      if (!text.includes(from)) throw new Error(`${file} has no place for the bug "${name}": ${from}`)
      writeFileSync(
        join(folder, file),
        text.replace(from, () => to),
      )
    }
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'http/app/build.ts'], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`the server with the bug "${name}" was not built: ${stderr}`)
    return { program: join(folder, 'dist', 'main.js'), remove }
  } catch (error) {
    remove()
    throw error
  }
}
