// A cache of names may forget, and never gives a number that a name does not stand for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NameCache } from '../../../engine/kernel/name-cache.ts'

const NAME = fc.string({ minLength: 1, maxLength: 25 })
const STEPS = fc.array(fc.record({ space: fc.constantFrom<0 | 1>(0, 1), name: NAME, isSet: fc.boolean() }), { maxLength: 80 })

test('a cache of two sets gives the newest number of a name or none, after any steps', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const cache = new NameCache(2)
      const model = new Map<string, number>()
      for (const [number, { space, name, isSet }] of steps.entries()) {
        cache.delete(space, name)
        model.delete(`${space}${name}`)
        assert.equal(cache.get(space, name), -1)
        if (!isSet) continue
        cache.set(space, name, number)
        model.set(`${space}${name}`, number)
        for (const one of steps) {
          const found = cache.get(one.space, one.name)
          if (found !== -1) assert.equal(found, model.get(`${one.space}${one.name}`))
        }
      }
    }),
  )
})

test('the last two names of a set are found, in both spaces', () => {
  const cache = new NameCache(1)
  cache.set(0, 'awa', 7)
  cache.set(1, 'awa', 8)
  assert.deepEqual([cache.get(0, 'awa'), cache.get(1, 'awa'), cache.get(0, 'moussa')], [7, 8, -1])
  cache.set(0, 'moussa', 9)
  cache.set(0, 'fatou', 10)
  assert.deepEqual([cache.get(0, 'moussa'), cache.get(0, 'fatou'), cache.get(0, 'awa'), cache.get(1, 'awa')], [9, 10, -1, -1])
})
