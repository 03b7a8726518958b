// Which thread a run goes to: one merchant each where there are enough, classes apart, merchants that compute apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SandboxPurpose } from '../../engine/actor/ports.ts'
import { HEAVY_FOR_MS, THREAD_IDLE_MS, THREADS_STRETCH } from '../../sandbox-pool/limits.ts'
import { type PlacedRun, Placement, threadsMax, threadsOf } from '../../sandbox-pool/placement.ts'

interface Thread {
  readonly name: string
  readonly purpose: SandboxPurpose
  computingMerchant: string | null
}

class Threads {
  readonly all: Thread[] = []
  readonly placement: Placement<Thread>

  constructor(liveThreads: number) {
    this.placement = new Placement(liveThreads)
  }

  /** As the child does it: where there is no thread, a new one. */
  place(merchant: string, purpose: SandboxPurpose = 'live', nowMs = 0): Thread {
    const run: PlacedRun = { merchant, purpose }
    let thread = this.placement.threadFor(run, nowMs)
    if (thread === null) {
      thread = { name: `t${this.all.length}`, purpose, computingMerchant: null }
      this.all.push(thread)
      this.placement.add(thread, nowMs)
    }
    this.placement.take(thread, run, nowMs)
    return thread
  }

  leave(thread: Thread, merchant: string, nowMs = 0): void {
    this.placement.leave(thread, { merchant, purpose: thread.purpose }, nowMs)
  }
}

test('a merchant keeps its thread, and another one gets another while there are enough', () => {
  const threads = new Threads(2)
  const a = threads.place('a')
  assert.equal(threads.place('a'), a)
  const b = threads.place('b')
  assert.notEqual(b, a)
  assert.ok([a, b].includes(threads.place('c')))
  assert.equal(threads.all.length, 2)
})

test('a thread serves its class alone, also when it has no runs', () => {
  const threads = new Threads(1)
  const live = threads.place('a', 'live')
  const trial = threads.place('b', 'trial')
  const rehearsal = threads.place('c', 'test')
  assert.equal(new Set([live, trial, rehearsal]).size, 3)
  threads.leave(trial, 'b')
  assert.equal(threads.placement.isIdle(trial), true)
  assert.notEqual(threads.place('d', 'live'), trial)
  assert.equal(threads.place('e', 'trial'), trial)
})

test('the same merchant has other threads for trials than for customers', () => {
  const threads = new Threads(4)
  assert.notEqual(threads.place('a', 'live'), threads.place('a', 'trial'))
})

test('an excluded thread counts and is not chosen, however busy the others are', () => {
  const threads = new Threads(2)
  const [a, b] = [threads.place('a'), threads.place('b')]
  for (let count = 0; count < 3; count++) threads.place('b')
  const next = (except: readonly Thread[]): Thread | null =>
    threads.placement.threadFor({ merchant: 'c', purpose: 'live' }, 0, new Set(except))
  assert.deepEqual([next([]), next([a]), next([b])], [a, b, a])
  assert.equal(next([a, b]), null)
  threads.leave(a, 'a')
  assert.equal(next([a]), null, 'there is room for one more thread')
})

test('no thread is added at the maximum because an idle one is excluded', () => {
  const threads = new Threads(1)
  const add = (name: string): Thread => {
    const thread: Thread = { name, purpose: 'live', computingMerchant: null }
    threads.placement.add(thread, 0)
    return thread
  }
  const [idle, busy] = [add('idle'), add('busy')]
  threads.placement.lower(idle)
  threads.placement.take(busy, { merchant: 'heavy', purpose: 'live' }, 0)
  threads.placement.markHeavy('heavy', 0)
  for (const merchant of ['light', 'heavy'])
    assert.equal(threads.placement.threadFor({ merchant, purpose: 'live' }, 0, new Set([idle])), busy)
})

test('a merchant whose code computed for long never joins others while there are threads', () => {
  const threads = new Threads(2)
  threads.placement.markHeavy('spinner', 0)
  const a = threads.place('a')
  const spinner = threads.place('spinner')
  assert.notEqual(spinner, a)
  assert.equal(threads.place('b'), a)
  threads.placement.markHeavy('other', 0)
  assert.equal(threads.place('other'), spinner)
})

test('merchants that compute take half of the threads, and it is forgotten after a while', () => {
  const threads = new Threads(4)
  for (const merchant of ['s1', 's2', 's3', 's4']) threads.placement.markHeavy(merchant, 0)
  const taken = new Set(['s1', 's2', 's3'].map((merchant) => threads.place(merchant)))
  assert.equal(taken.size, 2)
  assert.ok(!taken.has(threads.place('s4', 'live', HEAVY_FOR_MS)))
})

test('where all threads compute for others, a merchant gets one more', () => {
  const threads = new Threads(2)
  for (const merchant of ['a', 'b']) threads.place(merchant).computingMerchant = merchant
  const c = threads.place('c')
  assert.equal(c.computingMerchant, null)
  assert.equal(threads.all.length, 3)
  assert.equal(threads.place('d'), c)
})

test('a merchant does not wait in its thread for the code of another', () => {
  const threads = new Threads(1)
  const shared = threads.place('a')
  assert.equal(threads.place('b'), shared)
  shared.computingMerchant = 'a'
  assert.equal(threads.place('a'), shared)
  assert.notEqual(threads.place('b'), shared)
})

test('a lowered thread takes merchants that compute, and no others while there may be more threads', () => {
  const threads = new Threads(4)
  const low = threads.place('spinner')
  threads.placement.lower(low)
  threads.placement.markHeavy('spinner', 0)
  assert.notEqual(threads.place('other'), low)
  threads.leave(low, 'spinner')
  assert.notEqual(threads.place('third'), low)
  assert.equal(threads.place('spinner'), low)
})

test('a merchant leaves the lowered thread that it shared with a merchant that computes', () => {
  const threads = new Threads(1)
  const shared = threads.place('spinner')
  assert.equal(threads.place('a'), shared)
  threads.placement.markHeavy('spinner', 0)
  threads.placement.lower(shared)
  assert.equal(threads.place('spinner'), shared)
  assert.notEqual(threads.place('a'), shared)
})

test('a class wants one idle thread of its priority, up to the number of its threads', () => {
  const threads = new Threads(2)
  assert.deepEqual(threads.placement.lacking(), ['live', 'test', 'trial'])
  const a = threads.place('a')
  assert.ok(threads.placement.lacking().includes('live'))
  threads.leave(a, 'a')
  assert.ok(!threads.placement.lacking().includes('live'))
  threads.placement.lower(a)
  assert.ok(threads.placement.lacking().includes('live'))
  for (const merchant of ['a', 'b']) threads.place(merchant)
  assert.ok(!threads.placement.lacking().includes('live'))
})

test('an idle thread is surplus once the spare ones were enough for a while, a lowered one once it was idle for as long', () => {
  const threads = new Threads(4)
  const [a, b, c] = [threads.place('a'), threads.place('b'), threads.place('c')]
  const isSurplus = (thread: Thread, nowMs: number): boolean => threads.placement.isSurplus(thread, nowMs)
  assert.ok(!isSurplus(a, 10 * THREAD_IDLE_MS))
  for (const [thread, merchant] of [
    [a, 'a'],
    [b, 'b'],
    [c, 'c'],
  ] as const)
    threads.leave(thread, merchant)
  assert.ok(!isSurplus(a, THREAD_IDLE_MS))
  assert.ok(isSurplus(a, THREAD_IDLE_MS + 1))
  threads.placement.remove(a)
  threads.leave(threads.place('b', 'live', THREAD_IDLE_MS), 'b', THREAD_IDLE_MS)
  assert.ok(!isSurplus(c, THREAD_IDLE_MS + 1))
  threads.placement.lower(b)
  assert.ok(isSurplus(b, 2 * THREAD_IDLE_MS + 1))
  assert.ok(!isSurplus(c, 10 * THREAD_IDLE_MS))
})

test('each class has a thread, however few there are', () => {
  assert.deepEqual(threadsOf(1), { live: 1, test: 1, trial: 1 })
  assert.deepEqual(threadsOf(8), { live: 8, test: 4, trial: 2 })
  assert.equal(threadsMax(8), THREADS_STRETCH * 14)
})

test('after any operations every run finds a thread of its class alone, and there are never too many threads', () => {
  const purpose = fc.constantFrom<SandboxPurpose>('live', 'test', 'trial')
  const move = fc.record({
    merchant: fc.constantFrom(...'abcdefgh'),
    purpose,
    isHeavy: fc.boolean(),
    spins: fc.boolean(),
    isLowered: fc.boolean(),
    leaves: fc.nat(3),
  })
  const property = fc.property(fc.integer({ min: 1, max: 5 }), fc.array(move, { maxLength: 200 }), (live, moves) => {
    const threads = new Threads(live)
    const runs: { thread: Thread; run: PlacedRun }[] = []
    for (const { merchant, purpose: kind, isHeavy, spins, isLowered, leaves } of moves) {
      if (isHeavy) threads.placement.markHeavy(merchant, 0)
      const thread = threads.place(merchant, kind)
      if (spins) thread.computingMerchant = merchant
      if (isLowered) threads.placement.lower(thread)
      runs.push({ thread, run: { merchant, purpose: kind } })
      for (const left of runs.splice(0, leaves)) {
        threads.placement.leave(left.thread, left.run, 0)
        left.thread.computingMerchant = null
      }
      for (const one of runs) assert.equal(one.thread.purpose, one.run.purpose)
      assert.ok(threads.all.length <= threadsMax(live))
    }
  })
  fc.assert(property)
})
