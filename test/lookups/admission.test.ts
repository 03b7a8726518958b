// How many lookups may be under way: nobody can take everything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Admission } from '../../http/lookups/admission.ts'

/** As many as it gets. */
function grab(admission: Admission<string>, owner: string): number {
  let got = 0
  while (admission.take(owner)) got++
  return got
}

test('a merchant alone gets its maximum, and never the last quarter', () => {
  assert.equal(grab(new Admission<string>(512), 'slow'), 24)
  assert.equal(grab(new Admission<string>(16), 'slow'), 12)
})

test('after any number of greedy ones there is a place for the next, until a quarter of all places is given out one by one', () => {
  const admission = new Admission<string>(512)
  for (let index = 0; index < 100; index++) assert.equal(grab(admission, `slow-${index}`), index < 16 ? 24 : 1)
  assert.ok(admission.take('quick'))
  assert.equal(admission.take('quick'), false)
})

test('what is given back can be taken again, and nothing is remembered of who has nothing', () => {
  const admission = new Admission<string>(8, 1)
  for (let round = 0; round < 100; round++) {
    assert.ok(admission.take('one'))
    assert.equal(admission.take('one'), false)
    admission.giveBack('one')
  }
  assert.equal(admission.taken, 0)
})

test('places are never more than there are', () => {
  const admission = new Admission<string>(16)
  let got = 0
  for (let index = 0; index < 1000; index++) if (admission.take(String(index))) got++
  assert.equal(got, 16)
})
