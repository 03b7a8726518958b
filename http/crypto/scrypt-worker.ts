// A thread for scrypt, one hash at a time, synchronously. The asynchronous form uses libuv's pool, where the log
// commits (eight queued hashes delayed a commit from 0.9 to 726 ms). It knows no PIN.
import { scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { assert } from '../../engine/kernel/assert.ts'
import { yieldToEventLoop } from '../../wal/thread-priority.ts'

export interface ScryptJob {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  /** Base-2 logarithm of scrypt's N; r is 8, p is 1. */
  readonly log2Cost: number
}

export const SCRYPT_KEY_BYTES = 32

const BLOCK_SIZE = 8
/** scrypt needs 128 × N × r bytes, and a third more for its own state. */
const MEMORY_PER_COST_BYTES = 128 * BLOCK_SIZE * 1.34

yieldToEventLoop()

parentPort?.on('message', ({ password, salt, log2Cost }: ScryptJob) => {
  assert(log2Cost <= 20, 'the cost is one that was meant')
  const N = 2 ** log2Cost
  const maxmem = Math.ceil(N * MEMORY_PER_COST_BYTES)
  parentPort?.postMessage(scryptSync(password, salt, SCRYPT_KEY_BYTES, { N, r: BLOCK_SIZE, p: 1, maxmem }))
})
