// Answers that wait for room in the ring of a thread: shared out by owner, each with a share of what may wait.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AnswerQueue, type WaitingAnswer } from '../../../../http/server/threads/answer-queue.ts'
import { ANSWERS_WAITING_OWNER_BYTES_MAX, PART_BYTES } from '../../../../http/server/threads/thread-limits.ts'

/** A ring with room for so many parts, and what was sent through it. */
class Room {
  parts = 0
  readonly sent: string[] = []

  answer(owner: string, sizeBytes: number, isWanted = true): WaitingAnswer {
    return {
      ...{ owner, bytes: new Uint8Array(sizeBytes) },
      isWanted: () => isWanted,
      send: (from, to) => {
        if (this.parts === 0) return false
        this.parts--
        this.sent.push(`${owner} ${from}-${to}`)
        return true
      },
    }
  }
}

describe('the queue of answers', () => {
  it('a small answer leaves before the rest of a large one of another owner', () => {
    const [queue, room] = [new AnswerQueue(), new Room()]
    assert.ok(queue.add(room.answer('large', 3 * PART_BYTES)))
    room.parts = 1
    assert.equal(queue.flush(), false)
    assert.ok(queue.add(room.answer('small', 100)))
    room.parts = 10
    assert.equal(queue.flush(), true)
    const part = (index: number): string => `large ${index * PART_BYTES}-${(index + 1) * PART_BYTES}`
    assert.deepEqual(room.sent, [part(0), part(1), 'small 0-100', part(2)])
    assert.equal(queue.isEmpty, true)
  })

  it('an owner beyond its share loses its own further answers, and no one else does', () => {
    const [queue, room] = [new AnswerQueue(), new Room()]
    assert.ok(queue.add(room.answer('stranger', ANSWERS_WAITING_OWNER_BYTES_MAX + 1)), 'the first one waits, however large')
    assert.equal(queue.add(room.answer('stranger', 1)), false)
    for (let count = 0; count < 100; count++) assert.ok(queue.add(room.answer(`honest ${count}`, PART_BYTES)))
    room.parts = Number.POSITIVE_INFINITY
    assert.equal(queue.flush(), true)
    assert.ok(queue.add(room.answer('stranger', 1)), 'its share is free again')
  })

  it('what a client that has left was to get is not sent', () => {
    const [queue, room] = [new AnswerQueue(), new Room()]
    queue.add(room.answer('left', 2 * PART_BYTES, false))
    queue.add(room.answer('there', 0))
    room.parts = 10
    assert.equal(queue.flush(), true)
    assert.deepEqual(room.sent, ['there 0-0'])
  })
})
