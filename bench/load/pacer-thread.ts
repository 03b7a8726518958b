// Thread of the pacer: sleeps until the next request is due and posts a message to the generator's thread. Messages that would be late
// are joined. `Atomics.wait` sleeps in the kernel with microseconds.
import { parentPort, workerData } from 'node:worker_threads'
import type { PacerStart } from './pacer.ts'

const { stop, intervalUs } = workerData as PacerStart
const nowUs = (): number => Number(process.hrtime.bigint()) / 1000
const startUs = nowUs()
for (let next = 0; Atomics.load(stop, 0) === 0; ) {
  const waitUs = startUs + next * intervalUs - nowUs()
  if (waitUs > 0 && Atomics.wait(stop, 0, 0, waitUs / 1000) !== 'timed-out') break
  parentPort?.postMessage(null)
  next = Math.floor((nowUs() - startUs) / intervalUs) + 1
}
