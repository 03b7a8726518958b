// The memory of incomplete bodies is shared out: no caller takes the room of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BodyBudget, BodyCollector } from '../../../../http/server/body/body-collector.ts'

const MAXIMA = { bodiesBytesMax: 100, strangersBodiesBytesMax: 40, callerBodiesBytesMax: 30, strangerBodiesBytesMax: 10 }
const AN_ACCOUNT = { name: 7, isStranger: false }
const ANOTHER = { name: 8, isStranger: false }
const AN_ADDRESS = { name: '203.0.113.1', isStranger: true }
const UNKNOWN = { name: '', isStranger: true }

test('an account takes no more than its share of the memory of bodies, and another account has its own', () => {
  const budget = new BodyBudget(MAXIMA)
  assert.deepEqual(
    [budget.take(20, AN_ACCOUNT), budget.take(11, AN_ACCOUNT), budget.take(10, AN_ACCOUNT), budget.take(30, ANOTHER)],
    [true, false, true, true],
  )
  assert.equal(budget.usedBytes, 60)
})

test('an address takes a smaller share, and callers whose address is not read take the part of strangers together', () => {
  const budget = new BodyBudget(MAXIMA)
  assert.deepEqual([budget.take(10, AN_ADDRESS), budget.take(1, AN_ADDRESS)], [true, false])
  assert.deepEqual([budget.take(25, UNKNOWN), budget.take(6, UNKNOWN), budget.take(5, UNKNOWN)], [true, false, true])
})

test('what is given back may be taken again, by the same caller and in all', () => {
  const budget = new BodyBudget(MAXIMA)
  for (let round = 0; round < 10; round++) {
    assert.ok(budget.take(30, AN_ACCOUNT))
    assert.ok(budget.take(10, AN_ADDRESS))
    budget.giveBack(10, AN_ADDRESS)
    budget.giveBack(30, AN_ACCOUNT)
  }
  assert.equal(budget.usedBytes, 0)
})

test('a body of any chunks comes back whole, whatever length was declared, and its memory follows what has come', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 })
  fc.assert(
    fc.property(chunks, fc.integer({ min: 0, max: 300 }), (parts, declaredBytes) => {
      const all = Buffer.concat(parts)
      const maxima = { bodiesBytesMax: 1000, strangersBodiesBytesMax: 1000, callerBodiesBytesMax: 1000, strangerBodiesBytesMax: 1000 }
      const budget = new BodyBudget(maxima)
      const collector = new BodyCollector({ maxBytes: 240, declaredBytes }, budget, AN_ACCOUNT)
      for (const part of parts) assert.equal(collector.add(part.slice().buffer), 'more')
      assert.equal(budget.usedBytes, all.byteLength)
      const body = collector.take()
      assert.deepEqual(body, all)
      assert.ok(body.buffer.byteLength <= 4 * all.byteLength)
      assert.equal(budget.usedBytes, 0)
    }),
  )
})
