// Heartbeats: each stream every five seconds, a crowd spread over them, at any change of the clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HeartbeatReceiver, HeartbeatScheduler } from '../../../../http/api/stream/heartbeat-scheduler.ts'
import { HEARTBEAT_MS, HEARTBEAT_SLOTS } from '../../../../http/api/stream/stream-limits.ts'
import { ManualLoop } from '../../../support/manual-loop.ts'

class Receiver implements HeartbeatReceiver {
  slot = 0
  place = 0
  readonly times: number[] = []
  onHeartbeat: () => void = () => {}

  heartbeat(nowMs: number): void {
    this.times.push(nowMs)
    this.onHeartbeat()
  }
}

const SLOT_MS = HEARTBEAT_MS / HEARTBEAT_SLOTS

function openScheduler(count: number): { loop: ManualLoop; scheduler: HeartbeatScheduler; all: Receiver[] } {
  const loop = new ManualLoop(1_000_000)
  const scheduler = new HeartbeatScheduler(loop, loop)
  const all = Array.from({ length: count }, () => new Receiver())
  for (const receiver of all) scheduler.add(receiver)
  return { loop, scheduler, all }
}

/** In steps that no slot is longer than. */
function run(loop: ManualLoop, forMs: number): void {
  for (let passed = 0; passed < forMs; passed += SLOT_MS / 2) loop.advance(SLOT_MS / 2)
}

test('a crowd that comes at once beats spread over the interval, each once in it', () => {
  const { loop, all } = openScheduler(HEARTBEAT_SLOTS * 4)
  run(loop, HEARTBEAT_MS)
  assert.ok(all.every(({ times }) => times.length === 1))
  const moments = new Map<number, number>()
  for (const { times } of all) moments.set(times[0] ?? 0, (moments.get(times[0] ?? 0) ?? 0) + 1)
  assert.deepEqual([moments.size, new Set(moments.values())], [HEARTBEAT_SLOTS, new Set([4])])
  run(loop, 3 * HEARTBEAT_MS)
  for (const { times } of all) {
    assert.deepEqual(
      times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? 0)),
      [HEARTBEAT_MS, HEARTBEAT_MS, HEARTBEAT_MS],
    )
  }
})

test('the first beat comes within the interval, whenever a stream comes', () => {
  const { loop, scheduler } = openScheduler(0)
  for (let count = 0; count < 70; count++) {
    const late = new Receiver()
    scheduler.add(late)
    run(loop, HEARTBEAT_MS)
    assert.equal(late.times.length, 1, `stream ${count}`)
    if (count % 3 === 0) scheduler.remove(late)
    loop.advance(37)
  }
})

test('a stream that leaves by its own heartbeat skips no other, and the last one stops the timer', () => {
  const { loop, scheduler, all } = openScheduler(HEARTBEAT_SLOTS * 3)
  for (const [index, receiver] of all.entries()) if (index % 2 === 0) receiver.onHeartbeat = () => scheduler.remove(receiver)
  run(loop, 2 * HEARTBEAT_MS)
  assert.deepEqual(
    all.map(({ times }) => times.length),
    all.map((_, index) => (index % 2 === 0 ? 1 : 2)),
  )
  for (const receiver of all) scheduler.remove(receiver)
  assert.deepEqual([scheduler.count, loop.alarmCount], [0, 0])
})

test('after a pause of the loop each stream beats once, not once for each turn that it missed', () => {
  const { loop, all } = openScheduler(HEARTBEAT_SLOTS)
  loop.nowMs += 10 * HEARTBEAT_MS
  loop.advance(0)
  assert.ok(all.every(({ times }) => times.length === 1))
  run(loop, HEARTBEAT_MS)
  assert.ok(all.every(({ times }) => times.length === 2))
})

test('alarms that ring early do not shorten the interval', () => {
  const { loop, all } = openScheduler(HEARTBEAT_SLOTS)
  for (let passed = 0; passed < 2 * HEARTBEAT_MS; passed += SLOT_MS - 1) {
    loop.nowMs += SLOT_MS - 1
    loop.ringThrough(loop.nowMs + 1)
  }
  for (const { times } of all) {
    const [first = 0, second] = times
    if (second !== undefined) assert.ok(second - first >= HEARTBEAT_MS - SLOT_MS, `${second - first} ms`)
  }
})

test('a clock that is set back by a day stops no heartbeat', () => {
  const { loop, all } = openScheduler(HEARTBEAT_SLOTS)
  // The alarm that is armed rings in its time: timers do not go by the wall clock. What is planned next must not.
  const armed = loop.nowMs + SLOT_MS
  loop.nowMs -= 86_400_000
  loop.ringThrough(armed)
  run(loop, HEARTBEAT_MS)
  assert.ok(
    all.every(({ times }) => times.length >= 1),
    JSON.stringify(all.map(({ times }) => times.length)),
  )
})
