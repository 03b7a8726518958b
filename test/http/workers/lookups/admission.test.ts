// How many lookups of a merchant may be under way beside those of others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Admission } from '../../../../http/workers/lookups/admission.ts'

/** As many as it gets. */
function grab(admission: Admission<string>, owner: string): number {
  let got = 0
  while (admission.take(owner)) got++
  return got
}

test('a merchant alone gets its maximum, and never more than a sixteenth of what is free', () => {
  assert.equal(grab(new Admission<string>(1024), 'greedy'), 50)
  assert.equal(grab(new Admission<string>(160), 'greedy'), 10)
  assert.equal(grab(new Admission<string>(1024, 24), 'greedy'), 24)
})

for (const greedy of [1, 16, 64, 200]) {
  test(`beside ${greedy} merchants that hold all they can, the next one holds as many as each of them`, () => {
    const admission = new Admission<string>(1024)
    for (let round = 0; round < 100; round++) {
      for (let index = 0; index < greedy; index++) admission.take(`greedy-${index}`)
    }
    const each = admission.taken / greedy
    const honest = grab(admission, 'honest')
    assert.ok(honest >= Math.floor(each) - 1 && honest >= 4, `${honest} beside ${each} each`)
  })
}

test('merchants that hold all they can do not hinder one that holds one at a time', () => {
  const admission = new Admission<string>(1024)
  for (let index = 0; index < 64; index++) grab(admission, `greedy-${index}`)
  for (let round = 0; round < 1000; round++) {
    assert.ok(admission.take('honest'))
    admission.giveBack('honest')
    for (let index = 0; index < 64; index++) admission.take(`greedy-${index}`)
  }
})

test('places that are given back can be taken again', () => {
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

test('an owner without slots gets any number, and then only what its share has left', () => {
  const admission = new Admission<string>(1600, 200, 1 / 6)
  assert.ok(admission.take('large', 100))
  assert.ok(admission.take('large', 100))
  assert.equal(admission.take('large', 1), false)
  for (const owner of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm']) assert.ok(admission.take(owner, 100), owner)
  assert.ok(admission.take('last', 200), 'one slot is enough')
  assert.equal(admission.take('beyond', 1), false)
  admission.giveBack('last', 200)
  assert.ok(admission.take('beyond', 1))
})
