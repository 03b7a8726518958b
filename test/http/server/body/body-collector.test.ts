// The memory of incomplete bodies is shared out: no caller takes the room of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BodyBudget, BodyCollector, type BodyOwner } from '../../../../http/server/body/body-collector.ts'
import { ADDRESS_BODIES, REQUEST_BODIES } from '../../../../http/server/server-limits.ts'
import { heldQuotasWith } from '../../../support/held-quotas.ts'

function openBudget(): BodyBudget {
  const sizes = { max: { live: 800, test: 800 }, share: 100, ofFree: 1 / 2 }
  return new BodyBudget(heldQuotasWith({ request_bodies: sizes, address_bodies: { max: { both: 400 }, share: 40 } }))
}

function account(holder: number, part: 'live' | 'test' = 'test', isProven = false): BodyOwner {
  return { quota: REQUEST_BODIES, part, holder, isProven }
}

function address(holder: string, isProven = false): BodyOwner {
  return { quota: ADDRESS_BODIES, part: 'both', holder, isProven }
}

/** Takes bytes one by one until there is no room, and returns how many. */
function fill(budget: BodyBudget, owner: BodyOwner): number {
  let bytes = 0
  while (budget.take(1, owner)) bytes++
  return bytes
}

test('an account takes no more than its share of the memory of bodies, and another account has its own', () => {
  const budget = openBudget()
  assert.deepEqual([budget.take(60, account(7)), budget.take(41, account(7)), budget.take(40, account(7))], [true, false, true])
  assert.equal(budget.take(60, account(8)), true)
  assert.equal(budget.usedBytes, 160)
})

test('accounts that no operator knows shrink each other, and take nothing of live, of proven accounts and of strangers', () => {
  const budget = openBudget()
  const taken = Array.from({ length: 8 }, (_, index) => fill(budget, account(index)))
  assert.deepEqual(taken, [100, 67, 45, 30, 20, 13, 9, 6], 'each has at most half of what is free')
  assert.ok(budget.take(100, account(100, 'live')))
  assert.ok(budget.take(100, account(101, 'test', true)))
  assert.ok(budget.take(40, address('203.0.113.1')))
})

test('an address takes a smaller share, and addresses that fill their part leave room for operators', () => {
  const budget = openBudget()
  assert.deepEqual([budget.take(40, address('203.0.113.1')), budget.take(1, address('203.0.113.1'))], [true, false])
  for (let index = 2; index < 250; index++) fill(budget, address(`203.0.113.${index}`))
  assert.equal(budget.take(10, address('198.51.100.1')), false)
  assert.equal(budget.take(10, address('198.51.100.2', true)), true)
})

test('what is given back may be taken again, by the same caller and in all', () => {
  const budget = openBudget()
  for (let round = 0; round < 10; round++) {
    assert.ok(budget.take(30, account(7)))
    assert.ok(budget.take(10, address('203.0.113.1')))
    budget.giveBack(10, address('203.0.113.1'))
    budget.giveBack(30, account(7))
  }
  assert.equal(budget.usedBytes, 0)
})

test('a body of any chunks comes back whole, whatever length was declared, and its memory follows what has come', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 })
  fc.assert(
    fc.property(chunks, fc.integer({ min: 0, max: 300 }), (parts, declaredBytes) => {
      const all = Buffer.concat(parts)
      const budget = new BodyBudget(heldQuotasWith())
      const collector = new BodyCollector({ maxBytes: 240, declaredBytes }, budget, account(7))
      for (const part of parts) assert.equal(collector.add(part.slice().buffer), 'more')
      assert.equal(budget.usedBytes, all.byteLength)
      const body = collector.take()
      assert.deepEqual(body, all)
      assert.ok(body.buffer.byteLength <= 4 * all.byteLength)
      assert.equal(budget.usedBytes, 0)
    }),
  )
})
