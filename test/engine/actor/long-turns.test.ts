import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LongTurns } from '../../../engine/actor/long-turns.ts'

const NOW_MS = 1_000_000

interface Turn {
  readonly mailbox: number
  readonly work: number
  readonly number: number
}

const turn = (number: number, mailbox = 1, work = 64): Turn => ({ mailbox, work, number })
const numberOf = (taken: Turn | null): number | null => taken?.number ?? null

function withTurns(count: number): LongTurns<Turn> {
  const turns = new LongTurns<Turn>()
  for (let number = 1; number <= count; number++) turns.add(`${number}`, turn(number))
  return turns
}

test('long turns follow each other at once where no short turn comes', () => {
  const turns = withTurns(3)
  const taken = [1, 2, 3, 4].map(() => numberOf(turns.take(NOW_MS)))
  assert.deepEqual(taken, [1, 2, 3, null])
})

test('beside short turns the next long turn waits for the flush of the one before, and four times as long as both took', () => {
  const turns = withTurns(2)
  turns.sawShort(NOW_MS)
  assert.equal(numberOf(turns.take(NOW_MS)), 1)
  assert.equal(turns.dueMs(NOW_MS + 2), null)
  assert.equal(turns.take(NOW_MS + 2), null)
  turns.durable(NOW_MS + 3)
  assert.equal(turns.dueMs(NOW_MS + 3), NOW_MS + 15)
  assert.equal(turns.take(NOW_MS + 14), null)
  assert.equal(numberOf(turns.take(NOW_MS + 15)), 2)
  assert.equal(turns.dueMs(NOW_MS + 15), null)
})

test('a rest ends after 20 ms however long the flush took, and one within the clock is 4 ms', () => {
  const slow = withTurns(2)
  slow.sawShort(NOW_MS)
  slow.take(NOW_MS)
  slow.durable(NOW_MS + 900)
  assert.equal(slow.dueMs(NOW_MS + 900), NOW_MS + 920)
  const quick = withTurns(2)
  quick.sawShort(NOW_MS)
  quick.take(NOW_MS)
  quick.durable(NOW_MS)
  assert.equal(quick.dueMs(NOW_MS), NOW_MS + 4)
})

test('a second after the last short turn, long turns follow each other again', () => {
  const turns = withTurns(2)
  turns.sawShort(NOW_MS)
  turns.take(NOW_MS)
  assert.equal(turns.dueMs(NOW_MS + 1000), null)
  assert.equal(turns.dueMs(NOW_MS + 1001), NOW_MS + 1001)
  assert.equal(numberOf(turns.take(NOW_MS + 1001)), 2)
})

test('a turn that is added while others rest waits behind them', () => {
  const turns = withTurns(1)
  turns.sawShort(NOW_MS)
  turns.take(NOW_MS)
  turns.add('2', turn(2))
  turns.add('3', turn(3))
  turns.durable(NOW_MS + 1)
  assert.equal(turns.count, 2)
  assert.equal(numberOf(turns.take(NOW_MS + 5)), 2)
})

test('accounts take turns by their lines, however many one has', () => {
  const turns = withTurns(100)
  turns.add('a', turn(201, 2))
  turns.add('b', turn(202, 2))
  // It waits as long as its lines.
  turns.add('c', turn(301, 3, 256))
  const order = Array.from({ length: 10 }, () => numberOf(turns.take(NOW_MS)))
  assert.deepEqual(order, [1, 201, 2, 202, 3, 301, 4, 5, 6, 7])
})

test('the newest turn of a name replaces the one that waits, at its place', () => {
  const turns = withTurns(2)
  for (let number = 10; number < 1000; number++) turns.add('1', turn(number))
  assert.equal(turns.count, 2)
  assert.equal(numberOf(turns.take(NOW_MS)), 999)
  turns.add('1', turn(1000))
  assert.deepEqual([numberOf(turns.take(NOW_MS)), numberOf(turns.take(NOW_MS)), turns.count], [2, 1000, 0])
})
