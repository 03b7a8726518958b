// Health of the log: a read of its store and the wait of its oldest append.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchToAppend, StoredBatch } from '../../../engine/actor/ports.ts'
import { LogCheck } from '../../../http/app/log-health.ts'
import { MeteredLog } from '../../../http/app/metered-log.ts'
import { MemoryLog } from '../../support/memory-log.ts'

const STORED: StoredBatch = { firstSequence: 7, bytes: Buffer.alloc(0) }
const BATCH: BatchToAppend = { partition: 0, epoch: 1, expectedSequence: 1, recordCount: 1, bytes: Buffer.from('x') }

function refuse(error: unknown): void {
  assert.fail(String(error))
}

async function* readOf(batches: readonly StoredBatch[]): AsyncGenerator<StoredBatch> {
  yield* batches
}

describe('health of the log', () => {
  const rows: readonly (readonly [name: string, batches: readonly StoredBatch[], oldestAppendMs: number, isHealthy: boolean])[] = [
    ['the newest batch is read and nothing waits', [STORED], 0, true],
    ['the oldest append has waited for almost two seconds', [STORED], 1999.9, true],
    ['the oldest append has waited for two seconds', [STORED], 2000, false],
    ['the store does not have its newest batch', [], 0, false],
  ]
  for (const [name, batches, oldestAppendMs, isHealthy] of rows) {
    it(`${name}: ${isHealthy ? 'healthy' : 'unhealthy'}`, async () => {
      const check = new LogCheck({ read: () => readOf(batches), durableSequence: 8, oldestAppendMs }, refuse)
      assert.deepEqual(await check.health(), { isHealthy, oldestAppendMs: Math.floor(oldestAppendMs) })
    })
  }

  it('health of the log is bad when a read fails, and the failure is reported', async () => {
    const failure = new Error('MDB_CORRUPTED')
    const failures: unknown[] = []
    const read = (): AsyncIterable<StoredBatch> => {
      throw failure
    }
    const check = new LogCheck({ read, durableSequence: 8, oldestAppendMs: 0 }, (error) => failures.push(error))
    assert.equal((await check.health()).isHealthy, false)
    assert.deepEqual(failures, [failure])
  })

  it('health of the log is good for an empty log', async () => {
    const check = new LogCheck({ read: () => readOf([]), durableSequence: 0, oldestAppendMs: 0 }, refuse)
    assert.equal((await check.health()).isHealthy, true)
  })

  it('the wait of an append begins with the append and ends with its answer', async () => {
    const log = new MeteredLog(new MemoryLog())
    assert.equal(log.oldestAppendMs, 0)
    const startedMs = performance.now()
    const done = new Promise<Error | null>((resolve) => log.append([BATCH], resolve))
    while (performance.now() - startedMs < 1);
    assert.ok(log.oldestAppendMs > 0)
    await done
    assert.equal(log.oldestAppendMs, 0)
  })
})
