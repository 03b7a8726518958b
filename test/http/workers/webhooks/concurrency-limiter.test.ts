// The concurrency limiter alone: turns, shares, and that no waiting call is ever forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ConcurrencyLimiter, type Turn } from '../../../../http/workers/webhooks/concurrency-limiter.ts'

/** Takes everything that may be taken. */
function takeAll(limiter: ConcurrencyLimiter): Turn[] {
  const turns: Turn[] = []
  for (let turn = limiter.take(); turn !== null; turn = limiter.take()) turns.push(turn)
  return turns
}

const ownersOf = (turns: readonly Turn[]): string[] => turns.map(({ queue }) => queue.owner).sort()

test('one owner’s many places get their share of the slots, and the others theirs', () => {
  const limiter = new ConcurrencyLimiter({ slotsMax: 16, failingSlotsMax: 8, ownerShare: 0.25 })
  for (let place = 0; place < 16; place++) for (let id = 0; id < 10; id++) limiter.put(`greedy-${place}`, `${place}/${id}`, 'greedy')
  const hanging = takeAll(limiter)
  assert.deepEqual(ownersOf(hanging), ['greedy', 'greedy', 'greedy', 'greedy'])
  for (const owner of ['one', 'two', 'three']) for (let id = 0; id < 10; id++) limiter.put(owner, `${owner}/${id}`)
  assert.deepEqual(ownersOf(takeAll(limiter)), [...Array(4).fill('one'), ...Array(4).fill('three'), ...Array(4).fill('two')])
  // Answers make room for the owner's other places: none is left out.
  const places = new Set<string>()
  for (let answers = 0; answers < 60; answers++) {
    const turn = hanging.shift() as Turn
    places.add(turn.queue.key)
    limiter.done(turn, true)
    hanging.push(...takeAll(limiter))
    assert.equal(hanging.length, 4)
  }
  assert.equal(places.size, 16)
})

test('the oldest call of a place goes first', () => {
  const limiter = new ConcurrencyLimiter({ slotsMax: 8, failingSlotsMax: 4, ownerShare: 0.5 })
  const ids = Array.from({ length: 40 }, (_, id) => String(id))
  for (const id of ids) limiter.put('place', id)
  const running = takeAll(limiter)
  const taken: string[] = []
  for (let turn = running.shift(); turn !== undefined; turn = running.shift()) {
    taken.push(turn.id)
    limiter.done(turn, true)
    running.push(...takeAll(limiter))
  }
  assert.deepEqual(taken, ids)
})

test('for any answers in any order, every call that was put is taken once, within the bounds', () => {
  const put = fc.record({ owner: fc.nat(3), place: fc.nat(3) })
  const step = fc.oneof(put, fc.record({ answer: fc.nat(50), good: fc.boolean() }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const limiter = new ConcurrencyLimiter({ slotsMax: 6, failingSlotsMax: 4, ownerShare: 0.5 })
      const running: Turn[] = []
      const taken: string[] = []
      let count = 0
      const take = (): void => {
        for (const turn of takeAll(limiter)) {
          running.push(turn)
          taken.push(turn.id)
        }
        assert.equal(limiter.running, running.length)
        for (const owner of ['0', '1', '2', '3']) {
          const own = running.filter(({ queue }) => queue.owner === owner)
          // An endpoint may change its pool while its calls are under way: each call counts where it began.
          for (const pool of new Set(own.map((turn) => turn.pool))) {
            assert.ok(own.filter((turn) => turn.pool === pool).length <= pool.ownerMax)
          }
        }
      }
      for (const one of steps) {
        if ('owner' in one) limiter.put(`${one.owner}/${one.place}`, String(count++), String(one.owner))
        else if (running.length > 0) limiter.done(running.splice(one.answer % running.length, 1)[0] as Turn, one.good)
        take()
      }
      while (running.length > 0) {
        limiter.done(running.shift() as Turn, true)
        take()
      }
      assert.deepEqual(
        taken.map(Number).sort((a, b) => a - b),
        Array.from({ length: count }, (_, id) => id),
      )
    }),
  )
})
