// The order of ids in which the oldest is found, against a list.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { OldestFirst } from '../../../engine/kernel/oldest-first.ts'
import { runs } from '../../support/property-runs.ts'

it('the oldest ids are those that were added first and not removed since, after any changes', () => {
  const step = fc.record({ what: fc.constantFrom('add', 'remove', 'look'), id: fc.nat(9).map(String), skipped: fc.nat(3) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const ids = new OldestFirst()
      let list: string[] = []
      for (const { what, id, skipped } of steps) {
        if (what === 'add') {
          ids.add(id)
          if (!list.includes(id)) list.push(id)
        } else if (what === 'remove') {
          ids.remove(id)
          list = list.filter((one) => one !== id)
        }
        assert.equal(ids.oldest(skipped), list[skipped] ?? null)
        assert.deepEqual([ids.size, ids.has(id)], [list.length, list.includes(id)])
      }
      assert.deepEqual([...ids.values()], list)
    }),
    { numRuns: runs(200) },
  )
})
