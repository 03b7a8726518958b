// The simulator's log does what it says: an acknowledged batch is never lost, a torn one never shows.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Scheduler } from '../../../engine/actor/ports.ts'
import { readHeader } from '../../../engine/actor/record-codec.ts'
import { asBuffer } from '../../../wal/lmdb-store.ts'
import { type CrashOutcome, type Faults, FaultyLog, NO_FAULTS } from '../../support/faulty-log.ts'
import { BatchSource, firstSequences } from '../../support/log-batches.ts'
import { MemoryLog } from '../../support/memory-log.ts'

/** Time that only moves when the test says so. */
class TestClock implements Scheduler {
  nowMs = 0
  #waiting: { timeMs: number; run: () => void }[] = []

  soon(run: () => void): void {
    this.at(this.nowMs, run)
  }

  at(timeMs: number, run: () => void): () => void {
    const entry = { timeMs, run }
    this.#waiting.push(entry)
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry)
    }
  }

  async advance(byMs: number): Promise<void> {
    this.nowMs += byMs
    const due = this.#waiting.filter((entry) => entry.timeMs <= this.nowMs)
    this.#waiting = this.#waiting.filter((entry) => entry.timeMs > this.nowMs)
    for (const entry of due) entry.run()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Mulberry32, public domain. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function openFaulty(disk: MemoryLog, clock: TestClock, seed: number, faults: Faults): FaultyLog {
  return new FaultyLog({ disk, faults, random: seeded(seed), scheduler: clock, nowMs: () => clock.nowMs })
}

async function crashOnce(seed: number): Promise<{ outcome: CrashOutcome; told: boolean; sequences: number[] }> {
  const disk = new MemoryLog()
  const clock = new TestClock()
  const faults = { appendFails: 0, delayMaxMs: 10 }
  const log = openFaulty(disk, clock, seed, faults)
  const source = new BatchSource()
  let acknowledged = 0
  log.append([source.next(2)], () => acknowledged++)
  await clock.advance(10)
  assert.equal(acknowledged, 1)
  let told = false
  log.append([source.next(3, 2000)], () => {
    told = true
  })
  const outcome = await log.crash()
  await clock.advance(100)
  const again = openFaulty(disk, clock, seed + 1, faults)
  for await (const batch of again.read(1)) readHeader(asBuffer(batch.bytes))
  return { outcome, told, sequences: await firstSequences(again, 1) }
}

it('the faulty log loses, keeps or tears the batch under way at a crash, without a report', async () => {
  const seen = new Set<CrashOutcome>()
  for (let seed = 1; seed <= 60; seed++) {
    const { outcome, told, sequences } = await crashOnce(seed)
    seen.add(outcome)
    assert.equal(told, false)
    assert.deepEqual(sequences, outcome === 'kept' ? [1, 3] : [1])
  }
  assert.deepEqual([...seen].sort(), ['kept', 'lost', 'torn'])
})

it('the faulty log keeps the first batches of a flush that is torn, and none out of order', async () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 80; seed++) {
    const disk = new MemoryLog()
    const clock = new TestClock()
    const log = openFaulty(disk, clock, seed, NO_FAULTS)
    const source = new BatchSource()
    log.append([source.next(2), source.next(1, 500), source.next(3)], () => assert.fail('the power is off'))
    const outcome = await log.crash()
    const left = (await firstSequences(openFaulty(disk, clock, seed, NO_FAULTS), 1)).join()
    assert.ok(outcome === 'kept' ? left === '1,3,4' : outcome === 'lost' ? left === '' : ['', '1', '1,3'].includes(left))
    seen.add(`${outcome} ${left}`)
  }
  assert.deepEqual([...seen].sort(), ['kept 1,3,4', 'lost ', 'torn ', 'torn 1', 'torn 1,3'])
})

it('the faulty log behaves the same for the same seed', async () => {
  for (const seed of [1, 2, 3, 4]) assert.deepEqual(await crashOnce(seed), await crashOnce(seed))
})

it('the faulty log fails an append on request, stores nothing of it and takes no other', async () => {
  const disk = new MemoryLog()
  const clock = new TestClock()
  const log = openFaulty(disk, clock, 7, { appendFails: 1, delayMaxMs: 0 })
  const errors: unknown[] = []
  const source = new BatchSource()
  log.append([source.next(1)], (error) => errors.push((error as { code?: string }).code))
  await clock.advance(1)
  log.append([source.next(1)], (error) => errors.push((error as { code?: string }).code))
  await clock.advance(1)
  assert.deepEqual(errors, ['append_failed', 'append_failed'])
  assert.equal(disk.durableSequence, 0)
})
