// In the place of `http/crypto/scrypt-worker.ts` in servers that `npm test` starts: the same derivation at a cost that is 512 times lower.
// A hash of the real cost takes a tenth of a second of processor time, and tests sign in thousands of times. `npm test` builds it outside
// of dist/.
import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { ScryptJob } from '../../http/crypto/scrypt-worker.ts'

const LOG2_SAVED = 9
const KEY_BYTES = 32

parentPort?.on('message', ({ password, salt, log2Cost }: ScryptJob) => {
  assert.ok(log2Cost > LOG2_SAVED, 'a cost that a server uses')
  parentPort?.postMessage(scryptSync(password, salt, KEY_BYTES, { N: 2 ** (log2Cost - LOG2_SAVED), r: 8, p: 1 }))
})
