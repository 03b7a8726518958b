// Memory of an engine on a data folder, measured in a child process after a garbage collection.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { processEntry } from '../../engine/kernel/script-entry.ts'

export interface HeldMemory {
  /** Bytes of JavaScript objects. */
  readonly heapBytes: number
  /** Bytes of typed arrays: balances, filters of the index. */
  readonly bufferBytes: number
}

const CHILD = new URL('./held-memory-child.ts', import.meta.url)

/** Measures the memory. The folder must not be open. */
export async function measureHeldMemory(dataDir: string): Promise<HeldMemory> {
  const args = ['--expose-gc', ...processEntry(CHILD), dataDir]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as HeldMemory
}
