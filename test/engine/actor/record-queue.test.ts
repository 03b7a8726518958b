import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RecordQueue } from '../../../engine/actor/record-queue.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'

describe('records that are not on disk yet', () => {
  it('records that are not on disk yet are found by their sequence until they are dropped', () => {
    const queue = filled(5, 9)
    queue.dropThrough(6)
    assert.deepEqual(
      [4, 5, 6, 7, 8, 9, 10].map((sequence) => queue.get(sequence)?.sequence),
      [undefined, undefined, undefined, 7, 8, 9, undefined],
    )
  })

  it('records that are not on disk yet are all found when more wait than the first ring has places for, wherever the ring begins', () => {
    const first = 2 ** 32 - 700
    const queue = filled(first, first + 5000)
    queue.dropThrough(first + 99)
    for (let sequence = first + 5001; sequence < first + 9000; sequence++) queue.add(record(sequence))
    assert.equal(queue.get(first + 99), undefined)
    for (let sequence = first + 100; sequence < first + 9000; sequence++) assert.equal(queue.get(sequence)?.sequence, sequence)
  })

  it('records that are not on disk yet join in order', () => {
    assert.throws(() => filled(1, 3).add(record(5)), /in order/)
  })

  it('records that are not on disk yet may begin anywhere once none is left', () => {
    const queue = filled(1, 3)
    queue.dropThrough(1_000_000)
    queue.add(record(1_000_001))
    assert.equal(queue.get(1_000_001)?.sequence, 1_000_001)
    assert.equal(queue.get(1), undefined)
  })
})

function filled(first: number, last: number): RecordQueue {
  const queue = new RecordQueue()
  for (let sequence = first; sequence <= last; sequence++) queue.add(record(sequence))
  return queue
}

function record(sequence: number): LogRecord {
  return { sequence, timeMs: 0, command: 'test', environment: 'test', transactions: [], events: [], frames: [], idempotency: null }
}
