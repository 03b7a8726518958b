// Backups and moves of logs in tests, and the commands as operators start them.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { type Copied, copyBetween } from '../../wal/tools/copy-between.ts'
import { readPlace } from '../../wal/tools/log-place.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export interface CommandEnd {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `npm run <name>` without npm. */
export function runTool(name: string, ...args: string[]): CommandEnd {
  return spawnSync(process.execPath, [...processEntry(new URL(`../../wal/tools/${name}-command.ts`, import.meta.url)), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
}

export function backUp(from: string, to: string): Promise<Copied> {
  return copyBetween({ from: readPlace(from), to: readPlace(to), program: 'backup', moves: false })
}

export function moveLog(from: string, to: string): Promise<Copied> {
  return copyBetween({ from: readPlace(from), to: readPlace(to), program: 'log-copy', moves: true })
}
