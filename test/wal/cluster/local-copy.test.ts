// The parts of a cluster node that need no PostgreSQL: the local copy, the watch on the owner, shared barriers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { CopiedLog } from '../../../wal/cluster/copied-log.ts'
import { LocalCopy } from '../../../wal/cluster/local-copy.ts'
import { OwnerWatch, type TakeoverReason } from '../../../wal/cluster/owner-watch.ts'
import { OwnershipProof } from '../../../wal/cluster/ownership-proof.ts'
import { SharedQuestion } from '../../../wal/cluster/shared-question.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import type { PostgresBatch } from '../../../wal/log/postgres-batches.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { append, BatchSource } from '../../support/log-batches.ts'
import { MemoryLog } from '../../support/memory-log.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

const ROW = { epoch: 3, lastSequence: 10, lastHash: '', node: 'a', url: 'http://a', beat: 1, alive: 1, confirmed: 10, timeline: 1 }

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
  const rows: [title: string, steps: [atMs: number, row: typeof ROW | 'lost'][], atMs: number, reason: TakeoverReason | null][] = [
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
      'silent',
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
    [
      'counts a heartbeat as a sign of life while no commit completes',
      [
        [0, ROW],
        [2000, { ...ROW, alive: 2 }],
      ],
      4999,
      null,
    ],
    ['is due at once when the owner released the log', [[0, { ...ROW, node: '' }]], 0, 'released'],
    ['is due at once when the row names this node', [[0, { ...ROW, node: 'me', url: 'http://me' }]], 0, 'own'],
    ['is not due at once when another node has the name of this one', [[0, { ...ROW, node: 'me' }]], 0, null],
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
  for (const [title, steps, atMs, reason] of rows) {
    it(title, () => {
      const watch = new OwnerWatch(3000, { node: 'me', url: 'http://me' })
      for (const [seenMs, row] of steps) row === 'lost' ? watch.forget() : watch.see(row, seenMs)
      assert.equal(watch.due(atMs), reason)
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

describe('the proof of the ownership', () => {
  function given() {
    const reads: { resolve: () => void; reject: (error: Error) => void }[] = []
    const proof = new OwnershipProof(() => new Promise((resolve, reject) => reads.push({ resolve, reject })))
    const proven: string[] = []
    const wait = (name: string): void => {
      proof.whenProven(proof.mark()).then(
        () => proven.push(name),
        () => proven.push(`${name} rejected`),
      )
    }
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    return { proof, reads, proven, wait, turn }
  }

  it('the proof of the ownership reads the owner row once for all that wait, and again for those that came later', async () => {
    const { reads, proven, wait, turn } = given()
    wait('first')
    wait('second')
    assert.equal(reads.length, 1)
    reads[0]?.resolve()
    await turn()
    assert.deepEqual(proven, ['first'])
    reads[1]?.resolve()
    await turn()
    assert.deepEqual(proven, ['first', 'second'])
    assert.equal(reads.length, 2)
  })

  it('the proof of the ownership takes an append that began after the request, and reads nothing', async (test) => {
    // Its wait for the append never ends, however slow the machine is.
    test.mock.timers.enable({ apis: ['setTimeout'] })
    const { proof, reads, proven, wait, turn } = given()
    proof.beginAppend()
    wait('during the first')
    proof.endAppend(true)
    proof.beginAppend()
    proof.plan()
    await turn()
    assert.deepEqual(proven, [])
    const mark = proof.mark()
    proof.endAppend(true)
    assert.equal(proof.isProven(mark), false)
    await turn()
    assert.deepEqual([proven, reads.length], [['during the first'], 0])
  })

  it('the proof of the ownership reads the owner row when no append follows, or the append in progress takes long', async () => {
    const { proof, reads, proven, wait, turn } = given()
    proof.beginAppend()
    wait('one')
    proof.endAppend(true)
    proof.plan()
    assert.equal(reads.length, 1)
    reads[0]?.resolve()
    await turn()
    proof.beginAppend()
    wait('two')
    await eventuallyAsync(async () => reads.length === 2, 'a read of the owner row')
    reads[1]?.resolve()
    await turn()
    assert.deepEqual(proven, ['one', 'two'])
  })

  it('the proof of the ownership rejects those whose read failed, and an append that failed proves nothing', async () => {
    const { proof, reads, proven, wait, turn } = given()
    const mark = proof.mark()
    proof.beginAppend()
    proof.endAppend(false)
    assert.equal(proof.isProven(mark), false)
    wait('one')
    reads[0]?.reject(new Error('lost'))
    await turn()
    assert.deepEqual(proven, ['one rejected'])
  })
})
