// Memory of Cauri after a garbage collection, which V8's inspector triggers; read from the inspector and /proc. Without a collection
// the figure depends on when the last one ran.
import { setTimeout as pause } from 'node:timers/promises'
import { anonymousBytes } from '../process/memory.ts'
import type { CauriServer } from './cauri-server.ts'
import { Inspector } from './inspector.ts'

const SWEEPS = 3
/** V8 returns pages to the system shortly after the collection. */
const SETTLE_MS = 500

export interface SweptMemory {
  /** Used bytes of V8's heap. */
  readonly heapBytes: number
  /** Resident memory without mapped files; null without /proc. */
  readonly residentBytes: number | null
}

/** Returns the memory after a collection. The server must run with the inspector. */
export async function sweptMemory(server: CauriServer): Promise<SweptMemory> {
  const inspector = await Inspector.open(server)
  try {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      await inspector.ask('HeapProfiler.collectGarbage')
      await pause(SETTLE_MS)
    }
    const { usedSize } = (await inspector.ask('Runtime.getHeapUsage')) as { usedSize: number }
    return { heapBytes: usedSize, residentBytes: anonymousBytes(server.pids[0]) }
  } finally {
    inspector.close()
  }
}

/** Returns the growth between two readings: the larger of heap and resident memory. Existing pages hide small growth from the latter. */
export function grownBytes(before: SweptMemory, after: SweptMemory): number {
  const heapBytes = after.heapBytes - before.heapBytes
  if (before.residentBytes === null || after.residentBytes === null) return heapBytes
  return Math.max(heapBytes, after.residentBytes - before.residentBytes)
}
