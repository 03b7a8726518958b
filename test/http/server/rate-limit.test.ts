// Token buckets: counts, refill, separation, and a bound on how many there are.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from '../../../engine/contract/schema.ts'
import { EXHAUSTED, RateLimiter, UNLIMITED } from '../../../http/server/rate-limit.ts'
import { LARGE_BODY_BYTES } from '../../../http/server/server-limits.ts'
import { RawClient, request } from '../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, plainRoute } from '../../support/server-without-engine.ts'

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

  it('the rate limiter takes further ones where there are enough, or none and gives the first back', () => {
    const limiter = new RateLimiter({ live: 100, test: 0 })
    limiter.take(1, 'live', 0)
    assert.equal(limiter.takeFurther(1, 'live', 50, 0), 0)
    assert.equal(limiter.left(1), 49)
    limiter.take(1, 'live', 0)
    assert.equal(limiter.takeFurther(1, 'live', 50, 0), 20, 'two are missing')
    assert.equal(limiter.left(1), 49)
    limiter.take(1, 'live', 20)
    assert.equal(limiter.takeFurther(1, 'live', 50, 20), 0)
    assert.equal(limiter.left(1), 0)
    assert.equal(limiter.takeFurther(2, 'test', 1000, 0), 0, 'no limit')
  })

  it('the rate limiter lets more than a bucket holds wait for a full one, and takes it', () => {
    const limiter = new RateLimiter({ live: 10, test: 0 })
    limiter.take(1, 'live', 0)
    limiter.take(1, 'live', 0)
    assert.equal(limiter.takeFurther(1, 'live', 50, 0), 100)
    assert.equal(limiter.left(1), 9)
    limiter.take(1, 'live', 100)
    assert.equal(limiter.takeFurther(1, 'live', 50, 100), 0)
    assert.equal(limiter.take(1, 'live', 100), EXHAUSTED)
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

describe('a request that counts as several', () => {
  it('a request that counts as several is refused where too few are left, takes none then, and its repetitions are refused unread', async () => {
    const path = '/v1/biz/lines'
    const lines = {
      ...plainRoute('POST', path, 'key', (call) => call.spend(6) && call.answer(200, '{}')),
      body: Type.Object({}),
      idempotency: 'none' as const,
    }
    const server = await openFakeServer({ rates: { live: 0, test: 10 }, routes: [lines] })
    const send = async (body: string): Promise<readonly [number, number]> => {
      const client = await RawClient.open(server.port)
      const answer = await client.send(request({ method: 'POST', path, body, headers: CREDENTIALS })).answer()
      client.close()
      assert.equal(answer.headers.get('retry-after') ?? '1', '1')
      return [answer.status, Number(answer.headers.get('ratelimit-remaining'))]
    }
    const large = `{"a":"${'x'.repeat(LARGE_BODY_BYTES)}"}`
    const [first, second, third] = [await send(large), await send(large), await send(large)]
    assert.deepEqual([first[0], second[0], third[0]], [200, 429, 429])
    assert.ok(first[1] <= 4 && second[1] >= first[1] && third[1] >= first[1], 'a refusal takes none')
    assert.equal(server.calls.length, 0)
    await server.http.close()
  })
})
