// The parts of a cluster node that need no PostgreSQL: the local copy, the watch on the owner, shared barriers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { CopiedLog } from '../../../wal/cluster/copied-log.ts'
import { LocalCopy } from '../../../wal/cluster/local-copy.ts'
import { OwnerWatch } from '../../../wal/cluster/owner-watch.ts'
import { SharedQuestion } from '../../../wal/cluster/shared-question.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import { MemoryLog } from '../../../wal/log/memory-log.ts'
import type { PostgresBatch } from '../../../wal/log/postgres-batches.ts'
import { append, BatchSource } from '../../support/log-batches.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

const ROW = { epoch: 3, lastSequence: 10, lastHash: '', node: 'a', url: 'http://a', beat: 1 }

describe('the local copy of the log', () => {
  async function given(test: TestContext, waitingMaxBytes?: number): Promise<{ copy: LocalCopy; failures: Error[]; log: LmdbLog }> {
    const path = join(scratchFolder(test), 'log')
    const log = closeLater(test, await LmdbLog.open({ path, logId: 'cluster' }))
    const failures: Error[] = []
    const bound = waitingMaxBytes === undefined ? {} : { waitingMaxBytes }
    const copy = new LocalCopy({ log, onStored: () => {}, onFailure: (error) => failures.push(error), ...bound })
    return { copy, failures, log }
  }

  function next(source: BatchSource, records: number, textBytes?: number): PostgresBatch {
    const { expectedSequence, recordCount, bytes } = source.next(records, textBytes)
    return { firstSequence: expectedSequence, epoch: 2, recordCount, bytes }
  }

  it('the local copy of the log gives a batch back at once, before its disk has it and after', async (test) => {
    const { copy } = await given(test)
    const source = new BatchSource()
    const batches = [next(source, 2), next(source, 1), next(source, 4)]
    for (const batch of batches) copy.put(batch)
    const holders = (): (number | undefined)[] => [0, 1, 2, 3, 4, 7, 8].map((sequence) => copy.batchAt(sequence)?.firstSequence)
    assert.equal(copy.durableSequence, 0)
    assert.deepEqual(holders(), [undefined, 1, 1, 3, 4, 4, undefined])
    await copy.flushed()
    assert.equal(copy.durableSequence, 7)
    assert.deepEqual(holders(), [undefined, 1, 1, 3, 4, 4, undefined])
    assert.equal(copy.waitingBytes, 0)
  })

  it('the local copy of the log makes the next batch wait when too many bytes wait for the disk', async (test) => {
    const { copy } = await given(test, 1000)
    const source = new BatchSource()
    assert.equal(copy.room(), null)
    copy.put(next(source, 1, 2000))
    const room = copy.room()
    assert.ok(room !== null)
    await room
    assert.equal(copy.durableSequence, 1)
  })

  it('the local copy of the log gets a batch of an owner only after the log has acknowledged it', async (test) => {
    const { copy } = await given(test)
    const acknowledge: (() => void)[] = []
    const log = new CopiedLog(new MemoryLog({ soon: (run) => acknowledge.push(run) }), copy)
    const done = append(log, new BatchSource().next(3))
    assert.equal(copy.throughSequence, 0)
    for (const run of acknowledge) run()
    assert.equal(await done, null)
    assert.equal(copy.throughSequence, 3)
    const refused = append(log, new BatchSource().next(1))
    for (const run of acknowledge.slice(1)) run()
    assert.notEqual(await refused, null)
    assert.equal(copy.throughSequence, 3)
  })

  it('the local copy of the log reports a disk that failed', async (test) => {
    const { copy, failures, log } = await given(test)
    await log.close()
    copy.put(next(new BatchSource(), 1))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(
      failures.map((error) => (error as { code?: string }).code),
      ['log_closed'],
    )
  })
})

describe('the watch on the owner', () => {
  const rows: [title: string, steps: [atMs: number, row: typeof ROW | 'lost'][], atMs: number, epoch: number | null][] = [
    ['knows nothing before the first look', [], 10_000, null],
    [
      'waits while the owner was seen to change',
      [
        [0, ROW],
        [2000, { ...ROW, beat: 2 }],
      ],
      4000,
      null,
    ],
    [
      'is due when nothing changed for long enough',
      [
        [0, ROW],
        [2000, ROW],
      ],
      3000,
      3,
    ],
    [
      'counts an append as a sign of life',
      [
        [0, ROW],
        [2000, { ...ROW, lastSequence: 11 }],
      ],
      4999,
      null,
    ],
    ['is due at once when the owner released the log', [[0, { ...ROW, node: '' }]], 0, 3],
    [
      'counts no silence of a time without a connection',
      [
        [0, ROW],
        [100, 'lost'],
        [9000, ROW],
      ],
      11_999,
      null,
    ],
  ]
  for (const [title, steps, atMs, epoch] of rows) {
    it(title, () => {
      const watch = new OwnerWatch(3000)
      for (const [seenMs, row] of steps) row === 'lost' ? watch.forget() : watch.see(row, seenMs)
      assert.equal(watch.takeableEpoch(atMs), epoch)
    })
  }
})

describe('a question that many share', () => {
  it('a question that many share is asked once more for all who came while it was under way, and never twice at a time', async () => {
    let asked = 0
    const answers: ((value: number) => void)[] = []
    const question = new SharedQuestion(() => {
      asked++
      return new Promise<number>((resolve) => answers.push(resolve))
    })
    const first = question.answer()
    const [second, third] = [question.answer(), question.answer()]
    assert.equal(asked, 1)
    answers[0]?.(1)
    assert.equal(await first, 1)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(asked, 2)
    answers[1]?.(2)
    assert.deepEqual(await Promise.all([second, third]), [2, 2])
    const fourth = question.answer()
    answers[2]?.(3)
    assert.equal(await fourth, 3)
  })

  it('a question that many share passes a failure on to those who asked and not to the next', async () => {
    let isBroken = true
    const question = new SharedQuestion(async () => {
      if (isBroken) throw new Error('lost')
      return 1
    })
    await assert.rejects(question.answer(), /lost/)
    isBroken = false
    assert.equal(await question.answer(), 1)
  })
})
