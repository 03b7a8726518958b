// The short form of `npm run crash -- --syscalls 900`.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runDiskFaults } from './disk-faults.ts'
import { straceMissing } from './system-calls.ts'

/** Places among the writes and flushes of the log since a start. Each fails in three ways. */
const CALLS = [1, 2, 3, 4, 5, 6, 7, 20, 50, 100] as const

it(`a server stops at each of ${CALLS.length * 3} failed writes and flushes, and nothing is lost or done after it`, {
  skip: straceMissing(),
}, async () => {
  const { cases, acknowledged, faults } = await runDiskFaults({ calls: CALLS })
  assert.deepEqual(faults, [])
  assert.equal(cases, CALLS.length * 3)
  assert.ok(acknowledged > 0)
})
