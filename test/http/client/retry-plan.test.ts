// The wait before a request is sent again: the service's wish, or backoff. Values stand between the bounds, not only at them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BACKOFF_BASE_MS, BACKOFF_CEILING_MS, RETRIES, RETRY_AFTER_MAX_MS } from '../../../http/client/src/client-limits.ts'
import { retryAfterMs, waitMs } from '../../../http/client/src/retry-plan.ts'

const LEAST = () => 0
const MOST = () => 1

for (const wish of [0, 1, BACKOFF_CEILING_MS - 1, BACKOFF_CEILING_MS, BACKOFF_CEILING_MS + 1, 20_000, 59_999, RETRY_AFTER_MAX_MS]) {
  test(`a Retry-After of ${wish} ms is waited for whole, and hardly longer, after any number of failures`, () => {
    for (let failures = 1; failures <= RETRIES; failures++) {
      assert.deepEqual([waitMs({}, failures, wish, LEAST), waitMs({}, failures, wish, MOST)], [wish, wish + BACKOFF_BASE_MS])
    }
  })
}

test('a Retry-After beyond the maximum is not waited for, nor anything once the retries are used', () => {
  assert.equal(waitMs({}, 1, RETRY_AFTER_MAX_MS + 1), null)
  assert.equal(waitMs({ retryAfterMaxMs: 20_000 }, 1, 20_001), null)
  assert.equal(waitMs({ retryAfterMaxMs: 90_000 }, 1, 90_000, LEAST), 90_000)
  for (const wish of [null, 0, 20_000]) assert.equal(waitMs({}, RETRIES + 1, wish), null)
  assert.equal(waitMs({ retries: 0 }, 1, null), null)
})

test('without a wish the wait doubles from its base to its ceiling, and is at least half of that', () => {
  const steps = [250, 500, 1000, 2000, 4000, 8000, 8000]
  for (const [at, step] of steps.entries()) {
    assert.deepEqual([waitMs({ retries: 9 }, at + 1, null, LEAST), waitMs({ retries: 9 }, at + 1, null, MOST)], [step / 2, step])
  }
})

test('Retry-After is seconds or a date, and anything else is no wish', () => {
  const nowMs = Date.UTC(2026, 10, 27, 21, 0, 0)
  const rows: readonly (readonly [header: string | null, waitMs: number | null])[] = [
    [null, null],
    ['', null],
    ['0', 0],
    ['20', 20_000],
    [' 45 ', 45_000],
    ['-1', null],
    ['1.5', null],
    ['2026-11-27', null],
    ['soon', null],
    ['Fri, 27 Nov 2026 21:00:30 GMT', 30_000],
    ['Fri, 27 Nov 2026 20:59:00 GMT', 0],
  ]
  for (const [header, wait] of rows) assert.equal(retryAfterMs(header, nowMs), wait, String(header))
})
