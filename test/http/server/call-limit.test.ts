// How often one account may call one route: exact within its minute, and in a table that does not grow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallLimit } from '../../../http/server/call-limit.ts'

const MINUTE_MS = 60_000

test('as many calls as the maximum are taken within a minute, and not one more', () => {
  const limit = new CallLimit(600)
  for (let count = 0; count < 600; count++) assert.equal(limit.take(1, count), 0)
  assert.equal(limit.take(1, 600), 60)
  assert.equal(limit.take(1, MINUTE_MS - 1), 1)
  assert.equal(limit.take(1, MINUTE_MS), 0)
})

test('refused calls do not make the wait longer', () => {
  const limit = new CallLimit(1)
  limit.take(1, 0)
  for (let count = 0; count < 1000; count++) assert.ok(limit.take(1, 1000) > 0)
  assert.equal(limit.take(1, MINUTE_MS), 0)
})

test('each account has its own count', () => {
  const limit = new CallLimit(1)
  assert.equal(limit.take(1, 0), 0)
  assert.equal(limit.take(2, 0), 0)
  assert.ok(limit.take(1, 0) > 0)
})

test('a full table forgets the window that began longest ago', () => {
  const limit = new CallLimit(1, { keysMax: 3 })
  for (const account of [1, 2, 3, 4]) limit.take(account, account)
  assert.equal(limit.keysCount, 3)
  assert.ok(limit.take(2, 5) > 0)
  assert.equal(limit.take(1, 5), 0)
})

test('several calls are taken together or not at all', () => {
  const limit = new CallLimit(10)
  assert.equal(limit.take(1, 0, 8), 0)
  assert.equal(limit.take(1, 0, 3), 60)
  assert.equal(limit.take(1, 0, 2), 0)
  assert.equal(limit.take(1, 0), 60)
  assert.equal(limit.take(2, 0, 11), 0, 'the first of a window is always taken')
})

test('a count beyond the maximum makes its window longer, so that the rate holds', () => {
  const limit = new CallLimit(60)
  assert.equal(limit.take(1, 0, 150), 0)
  assert.equal(limit.waitS(1, 0, 0), 150)
  assert.equal(limit.take(1, 2 * MINUTE_MS), 30)
  assert.equal(limit.take(1, 2.5 * MINUTE_MS), 0)
})

test('the wait can be asked for without counting', () => {
  const limit = new CallLimit(1)
  assert.equal(limit.waitS(1, 0), 0)
  assert.equal(limit.take(1, 0), 0)
  assert.equal(limit.waitS(1, 30_000), 30)
  assert.equal(limit.waitS(1, MINUTE_MS), 0)
  assert.equal(limit.keysCount, 1)
})
