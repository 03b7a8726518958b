// What an engine holds in memory on a data folder: opened in a process of its own, and asked after everything that nobody
// needs was thrown away.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { processEntry } from '../../engine/kernel/script-entry.ts'

export interface HeldMemory {
  /** JavaScript objects. */
  readonly heapBytes: number
  /** Arrays of numbers: balances, filters of the index. */
  readonly bufferBytes: number
}

const CHILD = processEntry(new URL('./held-memory-child.ts', import.meta.url))

/** The folder must not be open. */
export async function measureHeldMemory(dataDir: string): Promise<HeldMemory> {
  const args = ['--expose-gc', ...CHILD, dataDir]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as HeldMemory
}
