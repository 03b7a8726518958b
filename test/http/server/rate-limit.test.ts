// Token buckets: counts, refill, separation, and a bound on how many there are.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EXHAUSTED, RateLimiter, UNLIMITED } from '../../../http/server/rate-limit.ts'

describe('the rate limiter', () => {
  it('the rate limiter gives a second worth at once, then one token each time one has come back', () => {
    const limiter = new RateLimiter({ live: 4, test: 1 })
    assert.deepEqual(
      [0, 0, 0, 0, 0].map((nowMs) => limiter.take(1, 'live', nowMs)),
      [3, 2, 1, 0, EXHAUSTED],
    )
    assert.equal(limiter.take(1, 'live', 249), EXHAUSTED)
    assert.equal(limiter.take(1, 'live', 250), 0)
    assert.equal(limiter.take(1, 'live', 251), EXHAUSTED)
    assert.equal(limiter.take(1, 'live', 10_000), 3, 'never more than a second worth')
  })

  it('the rate limiter lets through what the rate says over a long time, in any rhythm', () => {
    const limiter = new RateLimiter({ live: 50, test: 0 })
    let passed = 0
    for (let nowMs = 0; nowMs < 10_000; nowMs += 3) if (limiter.take(1, 'live', nowMs) !== EXHAUSTED) passed++
    assert.ok(passed >= 545 && passed <= 550, `${passed} of 50 at once and 50 a second for 10 s`)
  })

  it('the rate limiter accounts do not share, and zero is no limit', () => {
    const limiter = new RateLimiter({ live: 1, test: 0 })
    assert.equal(limiter.take(1, 'live', 0), 0)
    assert.equal(limiter.take(2, 'live', 0), 0)
    assert.equal(limiter.take(1, 'live', 0), EXHAUSTED)
    assert.equal(limiter.take(3, 'test', 0), UNLIMITED)
    assert.equal(limiter.bucketCount, 2)
  })

  it('the rate limiter forgets full buckets when there are too many, and no account gets more for it', () => {
    const limiter = new RateLimiter({ live: 2, test: 0 }, 3)
    for (const account of [1, 2, 3]) limiter.take(account, 'live', 0)
    limiter.take(3, 'live', 900)
    limiter.take(3, 'live', 900)
    limiter.take(4, 'live', 1000)
    assert.equal(limiter.bucketCount, 2, 'the idle ones are gone')
    assert.equal(limiter.take(3, 'live', 1000), EXHAUSTED, 'the busy one still counts')
  })
})
