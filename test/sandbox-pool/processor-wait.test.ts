// Waits for a processor, as the system counts them.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { processorWaitMs } from '../../sandbox-pool/processor-wait.ts'

const IS_COUNTED = existsSync('/proc/self/schedstat') && spawnSync('taskset', ['-V']).status === 0

test('two processes that compute on one processor wait for it, one that sleeps does not', { skip: !IS_COUNTED }, async () => {
  const computing = [0, 1].map(() => spawn('taskset', ['-c', '0', 'sh', '-c', 'while :; do :; done']))
  const sleeping = spawn('sleep', ['600'])
  try {
    const waits = (): number[] => computing.map(({ pid }) => processorWaitMs(pid))
    while (Math.min(...waits()) < 50);
    assert.ok(processorWaitMs(sleeping.pid) < Math.min(...waits()))
  } finally {
    for (const child of [...computing, sleeping]) child.kill('SIGKILL')
    await Promise.all([...computing, sleeping].map((child) => once(child, 'close')))
  }
  assert.equal(processorWaitMs(sleeping.pid), 0, 'it is gone')
  assert.equal(processorWaitMs(undefined), 0)
})
