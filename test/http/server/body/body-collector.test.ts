// The memory of incomplete bodies is shared out: no caller takes the room of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyBudget } from '../../../../http/server/body/body-collector.ts'

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
