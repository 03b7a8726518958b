// What a merchant's runs outside the live environment may take: time as a token bucket, bytes of requests as a sum.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BytesUnderWay } from '../../sandbox-pool/bytes-under-way.ts'
import {
  BUDGETS_MAX,
  RUN_SECONDS_BURST,
  RUN_SECONDS_PER_SECOND,
  SEND_BYTES_UNCOUNTED,
  UNDER_WAY_BYTES_MAX,
  UNDER_WAY_PER_MERCHANT_BYTES_MAX,
} from '../../sandbox-pool/limits.ts'
import { RunSeconds } from '../../sandbox-pool/run-seconds.ts'

test('a merchant that spent all its run-seconds waits until some are back, and no other merchant does', () => {
  const budget = new RunSeconds()
  assert.equal(budget.waitFor('a', 0), 0)
  budget.spend('a', RUN_SECONDS_BURST + 99, 0)
  assert.equal(budget.waitFor('a', 0), 100 / RUN_SECONDS_PER_SECOND)
  assert.equal(budget.waitFor('b', 0), 0)
  assert.equal(budget.waitFor('a', 10_000), 0)
})

test('a budget fills up to its maximum and no further', () => {
  const budget = new RunSeconds()
  budget.spend('a', 1, 0)
  budget.spend('a', RUN_SECONDS_BURST, 3_600_000)
  assert.equal(budget.waitFor('a', 3_600_000), 1)
})

test('of too many merchants the one that ran longest ago is forgotten', () => {
  const budget = new RunSeconds()
  for (let count = 0; count <= BUDGETS_MAX; count++) budget.spend(`m${count}`, 2 * RUN_SECONDS_BURST, 0)
  assert.equal(budget.waitFor('m0', 0), 0)
  assert.ok(budget.waitFor('m1', 0) > 0)
})

test('large requests of a merchant have a maximum under way; small ones are not counted', () => {
  const bytes = new BytesUnderWay()
  const half = UNDER_WAY_PER_MERCHANT_BYTES_MAX / 2
  assert.deepEqual([bytes.take('a', half), bytes.take('a', half), bytes.take('a', half)], [true, true, false])
  assert.equal(bytes.take('a', SEND_BYTES_UNCOUNTED), true)
  assert.equal(bytes.take('b', half), true)
  bytes.giveBack('a', half)
  assert.equal(bytes.take('a', half), true)
})

test('large requests of all merchants have a maximum under way', () => {
  const bytes = new BytesUnderWay()
  const merchants = Array.from({ length: UNDER_WAY_BYTES_MAX / UNDER_WAY_PER_MERCHANT_BYTES_MAX }, (_, index) => `m${index}`)
  for (const merchant of merchants) assert.equal(bytes.take(merchant, UNDER_WAY_PER_MERCHANT_BYTES_MAX), true)
  assert.equal(bytes.take('z', SEND_BYTES_UNCOUNTED + 1), false)
  bytes.giveBack('m0', UNDER_WAY_PER_MERCHANT_BYTES_MAX)
  assert.equal(bytes.take('z', SEND_BYTES_UNCOUNTED + 1), true)
})
