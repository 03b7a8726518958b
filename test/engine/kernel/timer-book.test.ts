// The timer queue: what is due comes out earliest first, once, unless it was cancelled or set anew.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DueTimer, TimerBook } from '../../../engine/kernel/timer-book.ts'

function takeAll(book: TimerBook, nowMs: number): DueTimer[] {
  const taken: DueTimer[] = []
  for (let timer = book.takeDue(nowMs); timer !== null; timer = book.takeDue(nowMs)) taken.push(timer)
  return taken
}

describe('a timer', () => {
  it('a timer comes out when it is due, once', () => {
    const book = new TimerBook()
    book.set('charge', 'a', 100)
    assert.equal(book.takeDue(99), null)
    assert.deepEqual(book.takeDue(100), { kind: 'charge', key: 'a', dueMs: 100 })
    assert.equal(book.takeDue(1000), null)
    assert.equal(book.size, 0)
    assert.equal(book.nextDueMs(), null)
  })

  it('a timer that was cancelled does not come out, and is not the next', () => {
    const book = new TimerBook()
    book.set('charge', 'a', 100)
    book.set('charge', 'b', 200)
    book.cancel('charge', 'a')
    assert.equal(book.nextDueMs(), 200)
    assert.deepEqual(takeAll(book, 1000), [{ kind: 'charge', key: 'b', dueMs: 200 }])
  })

  for (const dueMs of [50, 200]) {
    it(`a timer set anew from 100 to ${dueMs} comes out then, once`, () => {
      const book = new TimerBook()
      book.set('charge', 'a', 100)
      book.set('charge', 'a', dueMs)
      assert.equal(book.nextDueMs(), dueMs)
      assert.equal(book.size, 1)
      assert.deepEqual(takeAll(book, 1000), [{ kind: 'charge', key: 'a', dueMs }])
    })
  }

  it('a timer of one kind is not that of another with the same key', () => {
    const book = new TimerBook()
    book.set('charge', 'a', 1)
    book.set('quote', 'a', 2)
    book.cancel('charge', 'a')
    assert.deepEqual(takeAll(book, 10), [{ kind: 'quote', key: 'a', dueMs: 2 }])
  })

  it('a timer cancelled when it was never set is nothing', () => {
    const book = new TimerBook()
    book.cancel('charge', 'a')
    assert.equal(book.size, 0)
  })
})

describe('the timer queue', () => {
  it('the timer queue does not grow with timers that are set again and again', () => {
    const book = new TimerBook()
    for (let round = 0; round < 100_000; round++) book.set('delivery', 'a', 1_000_000 + round)
    assert.ok(book.heapSize < 5000, `${book.heapSize} entries for one timer`)
    assert.equal(book.nextDueMs(), 1_099_999)
  })

  it('the timer queue does not grow with timers that are set and cancelled', () => {
    const book = new TimerBook()
    for (let round = 0; round < 100_000; round++) {
      book.set('charge', String(round), 1_000_000 + round)
      book.cancel('charge', String(round))
    }
    assert.ok(book.heapSize < 5000, `${book.heapSize} entries for none`)
  })

  it('the timer queue agrees with a plain list after any operations', () => {
    const step = fc.record({ what: fc.constantFrom('set', 'cancel', 'take'), key: fc.nat(8), timeMs: fc.nat(50) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const book = new TimerBook()
        const plain = new Map<string, number>()
        for (const { what, key, timeMs } of steps) {
          if (what === 'take') takeFromBoth(book, plain, timeMs)
          else if (what === 'set') {
            book.set('k', String(key), timeMs)
            plain.set(String(key), timeMs)
          } else {
            book.cancel('k', String(key))
            plain.delete(String(key))
          }
          assert.equal(book.size, plain.size)
          assert.equal(book.nextDueMs(), plain.size === 0 ? null : Math.min(...plain.values()))
        }
      }),
    )
  })
})

function takeFromBoth(book: TimerBook, plain: Map<string, number>, nowMs: number): void {
  const taken = book.takeDue(nowMs)
  const earliest = Math.min(...plain.values())
  assert.equal(taken?.dueMs ?? null, earliest <= nowMs ? earliest : null)
  if (taken === null) return
  assert.equal(plain.get(taken.key), taken.dueMs)
  plain.delete(taken.key)
}
