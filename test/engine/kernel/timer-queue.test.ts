// The timer queue: what is due comes out earliest first, once, unless it was cancelled or set anew.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DueTimer, TimerQueue } from '../../../engine/kernel/timer-queue.ts'

function takeAll(queue: TimerQueue, nowMs: number): DueTimer[] {
  const taken: DueTimer[] = []
  for (let timer = queue.takeDue(nowMs); timer !== null; timer = queue.takeDue(nowMs)) taken.push(timer)
  return taken
}

describe('a timer', () => {
  it('a timer comes out when it is due, once', () => {
    const queue = new TimerQueue()
    queue.set('charge', 'a', 100)
    assert.equal(queue.takeDue(99), null)
    assert.deepEqual(queue.takeDue(100), { kind: 'charge', key: 'a', dueMs: 100 })
    assert.equal(queue.takeDue(1000), null)
    assert.equal(queue.size, 0)
    assert.equal(queue.nextDueMs(), null)
  })

  it('a timer that was cancelled does not come out, and is not the next', () => {
    const queue = new TimerQueue()
    queue.set('charge', 'a', 100)
    queue.set('charge', 'b', 200)
    queue.cancel('charge', 'a')
    assert.equal(queue.nextDueMs(), 200)
    assert.deepEqual(takeAll(queue, 1000), [{ kind: 'charge', key: 'b', dueMs: 200 }])
  })

  for (const dueMs of [50, 200]) {
    it(`a timer set anew from 100 to ${dueMs} comes out then, once`, () => {
      const queue = new TimerQueue()
      queue.set('charge', 'a', 100)
      queue.set('charge', 'a', dueMs)
      assert.equal(queue.nextDueMs(), dueMs)
      assert.equal(queue.size, 1)
      assert.deepEqual(takeAll(queue, 1000), [{ kind: 'charge', key: 'a', dueMs }])
    })
  }

  it('a timer of one kind is not that of another with the same key', () => {
    const queue = new TimerQueue()
    queue.set('charge', 'a', 1)
    queue.set('quote', 'a', 2)
    queue.cancel('charge', 'a')
    assert.deepEqual(takeAll(queue, 10), [{ kind: 'quote', key: 'a', dueMs: 2 }])
  })

  it('a timer cancelled when it was never set is nothing', () => {
    const queue = new TimerQueue()
    queue.cancel('charge', 'a')
    assert.equal(queue.size, 0)
  })
})

describe('the timer queue', () => {
  it('the timer queue does not grow with timers that are set again and again', () => {
    const queue = new TimerQueue()
    for (let round = 0; round < 100_000; round++) queue.set('delivery', 'a', 1_000_000 + round)
    assert.ok(queue.heapSize < 5000, `${queue.heapSize} entries for one timer`)
    assert.equal(queue.nextDueMs(), 1_099_999)
  })

  it('the timer queue does not grow with timers that are set and cancelled', () => {
    const queue = new TimerQueue()
    for (let round = 0; round < 100_000; round++) {
      queue.set('charge', String(round), 1_000_000 + round)
      queue.cancel('charge', String(round))
    }
    assert.ok(queue.heapSize < 5000, `${queue.heapSize} entries for none`)
  })

  it('the timer queue keeps every timer when it drops its stale entries', () => {
    const queue = new TimerQueue()
    const expected: DueTimer[] = []
    // Stale entries far beyond any number that is left alone, with current timers of each time between them.
    for (let round = 0; round < 20_000; round++) {
      const dueMs = (round * 7919) % 20_000
      queue.set('charge', String(round), dueMs)
      if (round % 100 === 0) expected.push({ kind: 'charge', key: String(round), dueMs })
      else queue.cancel('charge', String(round))
    }
    assert.ok(queue.heapSize < 20_000, 'stale entries were dropped')
    assert.deepEqual(
      takeAll(queue, 20_000),
      expected.sort((one, other) => one.dueMs - other.dueMs),
    )
  })

  it('the timer queue agrees with a plain list after any operations', () => {
    const step = fc.record({ what: fc.constantFrom('set', 'cancel', 'take'), key: fc.nat(8), timeMs: fc.nat(50) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new TimerQueue()
        const plain = new Map<string, number>()
        for (const { what, key, timeMs } of steps) {
          if (what === 'take') takeFromBoth(queue, plain, timeMs)
          else if (what === 'set') {
            queue.set('k', String(key), timeMs)
            plain.set(String(key), timeMs)
          } else {
            queue.cancel('k', String(key))
            plain.delete(String(key))
          }
          assert.equal(queue.size, plain.size)
          assert.equal(queue.nextDueMs(), plain.size === 0 ? null : Math.min(...plain.values()))
        }
      }),
    )
  })
})

function takeFromBoth(queue: TimerQueue, plain: Map<string, number>, nowMs: number): void {
  const taken = queue.takeDue(nowMs)
  const earliest = Math.min(...plain.values())
  assert.equal(taken?.dueMs ?? null, earliest <= nowMs ? earliest : null)
  if (taken === null) return
  assert.equal(plain.get(taken.key), taken.dueMs)
  plain.delete(taken.key)
}
