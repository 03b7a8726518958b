// Who computes when: places are held by one at a time, handed on, and never lost with their thread.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLACE_PATIENCE_MS, PLACE_SHARE_MS } from '../../sandbox-pool/limits.ts'
import { ProcessorPlace, sharedPlaces } from '../../sandbox-pool/processor-places.ts'
import { monotonicMs } from '../../sandbox-pool/thread-clock.ts'

const LONG_MS = 60_000

test('one place has one holder', () => {
  const [first, second] = contenders(1)
  first.take(true, soon())
  second.take(true, soon())
  assert.deepEqual([first.isHeld, second.isHeld], [true, false])
})

test('two places have two', () => {
  const [first, second] = contenders(2)
  first.take(true, soon())
  second.take(true, soon())
  assert.deepEqual([first.isHeld, second.isHeld], [true, true])
})

test('a place that was left is the next one’s', () => {
  const [first, second] = contenders(1)
  first.take(true, soon())
  first.leave()
  second.take(true, soon())
  assert.deepEqual([first.isHeld, second.isHeld], [false, true])
})

test('leaving twice, or what one never had, takes no place of another', () => {
  const [first, second, third] = contenders(1)
  first.take(true, soon())
  first.leave()
  second.take(true, soon())
  first.leave()
  third.leave()
  third.take(true, soon())
  assert.deepEqual([second.isHeld, third.isHeld], [true, false])
})

test('after its share a holder should let others have theirs, and may go on when no other waits', () => {
  const [first] = contenders(1)
  first.take(true, soon())
  sleep(PLACE_SHARE_MS + 5)
  assert.equal(first.isDue(true), true)
  first.take(true, soon())
  assert.equal(first.isHeld, true)
})

test('a lease that ended is free, and its holder cannot give it away again', () => {
  const shared = sharedPlaces(1)
  const leaseMs = 10
  const gone = new ProcessorPlace(shared, leaseMs)
  const next = new ProcessorPlace(shared, LONG_MS)
  const third = new ProcessorPlace(shared, LONG_MS)
  gone.take(true, soon())
  sleep(leaseMs + 5)
  next.take(true, monotonicMs() + LONG_MS)
  gone.leave()
  third.take(true, soon())
  assert.deepEqual([next.isHeld, third.isHeld], [true, false])
})

test('a holder that is not live gives way as soon as a live one waits', () => {
  const [trial, live] = contenders(1)
  assert.equal(trial.take(false, soon()), true)
  assert.equal(trial.isDue(false), false)
  assert.equal(live.take(true, soon()), false)
  assert.equal(trial.isDue(false), true)
  assert.equal(trial.isDue(true), false)
})

test('who is not live leaves the place to live ones, but not for ever', () => {
  const [holder, live, trial] = contenders(1)
  holder.take(true, soon())
  assert.equal(live.take(true, soon()), false)
  holder.leave()
  assert.equal(trial.take(false, soon()), false)
  assert.equal(live.take(true, soon()), true)
  const untilMs = monotonicMs() + PLACE_PATIENCE_MS
  while (monotonicMs() < untilMs) assert.equal(trial.take(false, soon()), false)
  live.take(true, soon())
  live.leave()
  assert.equal(trial.take(false, soon()), true)
})

function contenders(places: number): [ProcessorPlace, ProcessorPlace, ProcessorPlace] {
  const shared = sharedPlaces(places)
  const contender = (): ProcessorPlace => new ProcessorPlace(shared, LONG_MS)
  return [contender(), contender(), contender()]
}

/** Waits for nothing that is not there. */
function soon(): number {
  return monotonicMs() + 1
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
