// Percentiles of the last durations of an operation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentTimes } from '../../../http/server/recent-times.ts'
import { RECENT_TIMES_MAX } from '../../../http/server/server-limits.ts'

test('recent times have no percentiles before the first duration', () => {
  assert.deepEqual(new RecentTimes().percentiles(), { p50Ms: null, p99Ms: null })
})

test('recent times have the percentiles of few durations', () => {
  const times = new RecentTimes()
  for (const value of [9, 1, 5]) times.add(value)
  assert.deepEqual(times.percentiles(), { p50Ms: 5, p99Ms: 9 })
})

test('recent times forget durations beyond their maximum', () => {
  const times = new RecentTimes()
  for (let index = 0; index < RECENT_TIMES_MAX; index++) times.add(1000)
  for (let index = 0; index < RECENT_TIMES_MAX; index++) times.add(index)
  assert.deepEqual(times.percentiles(), { p50Ms: RECENT_TIMES_MAX / 2 - 1, p99Ms: Math.ceil(RECENT_TIMES_MAX * 0.99) - 1 })
})
