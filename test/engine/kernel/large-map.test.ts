// A map of several parts behaves as one Map, and no part has more entries than the maximum.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LargeMap } from '../../../engine/kernel/large-map.ts'

const STEPS = fc.array(fc.record({ key: fc.integer({ min: 0, max: 12 }), isSet: fc.boolean() }), { maxLength: 60 })

function sorted(entries: Iterable<[number, object]>): [number, object][] {
  return [...entries].sort(([one], [other]) => one - other)
}

test('a map of parts of three entries has the entries of one Map after any steps', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const large = new LargeMap<number, object>(3)
      const model = new Map<number, object>()
      for (const [index, { key, isSet }] of steps.entries()) {
        if (isSet) {
          const value = { index }
          large.set(key, value)
          model.set(key, value)
        } else {
          large.delete(key)
          model.delete(key)
        }
        assert.equal(large.size, model.size)
      }
      for (let key = 0; key <= 12; key++) assert.deepEqual([large.get(key), large.has(key)], [model.get(key), model.has(key)])
      assert.deepEqual(sorted(large.entries()), sorted(model))
      assert.equal(new Set(large.values()).size, model.size)
    }),
  )
})

test('a map below its maximum lists its entries in the order of insertion', () => {
  const large = new LargeMap<string, object>()
  for (const key of ['b', 'a', 'c']) large.set(key, {})
  large.set('b', {})
  assert.deepEqual(
    Array.from(large.entries(), ([key]) => key),
    ['b', 'a', 'c'],
  )
})
