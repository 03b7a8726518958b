// Child process of held-memory.ts: opens the folder of its argument and prints its memory.
import { setTimeout as pause } from 'node:timers/promises'
import type { HeldMemory } from './held-memory.ts'
import { OfflineEngine } from './offline-engine.ts'

/** Several collections: filters load in the background, and one collection may make more objects collectable. */
const COLLECTIONS = 5
const COLLECTION_MS = 200

const dataDir = process.argv[2]
const collect = globalThis.gc
if (dataDir === undefined || collect === undefined) throw new Error('wanted: --expose-gc and a data folder')

await OfflineEngine.using({ dataDir, snapshot: 'frozen' }, async () => {
  for (let count = 0; count < COLLECTIONS; count++) {
    await pause(COLLECTION_MS)
    collect()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  process.stdout.write(JSON.stringify({ heapBytes: heapUsed, bufferBytes: arrayBuffers } satisfies HeldMemory))
})
