// Prints the largest young generation that a thread of the archive reaches, then that of its process, in MB.
import { getHeapSpaceStatistics } from 'node:v8'
import { isMainThread, Worker } from 'node:worker_threads'
import { threadEntry } from '../../../engine/kernel/script-entry.ts'
import { workerHeap } from '../../../wal/archive/worker-heap.ts'

/** Keeps new objects alive until the young generation has grown as far as it may. */
function fillYoungGeneration(): number {
  const living: unknown[] = []
  let largest = 0
  for (let count = 0; count < 3_000_000; count++) {
    living[count % 200_000] = { count: [count] }
    if (count % 10_000 > 0) continue
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    largest = Math.max(largest, young?.space_size ?? 0)
  }
  return largest / 2 ** 20
}

if (isMainThread) {
  const entry = threadEntry(new URL(import.meta.url))
  const worker = new Worker(entry.source, { ...entry.options, resourceLimits: workerHeap() })
  worker.once('exit', () => console.log(fillYoungGeneration()))
} else console.log(fillYoungGeneration())
