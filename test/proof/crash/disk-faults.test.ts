// The short form of `npm run crash -- --syscalls 900`.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runDiskFaults } from './disk-faults.ts'
import { everyError, type FaultCase } from './fault-cases.ts'
import { straceMissing } from './system-calls.ts'

/** Places among the writes and flushes of the log since a start. Each fails in three ways. */
const CALLS = [1, 2, 4, 7, 50] as const
const CASES: readonly FaultCase[] = [
  ...everyError('log', CALLS),
  ...everyError('growth', [{ name: 'write', nth: 1 }]),
  { target: 'index', call: { name: 'fdatasync', nth: 1 }, error: 'EIO' },
  { target: 'index', call: { name: 'pwrite64', nth: 1 }, error: 'short' },
  { target: 'snapshot', call: { name: 'pwrite64', nth: 1 }, error: 'ENOSPC' },
  { target: 'snapshot', call: { name: 'fdatasync', nth: 2 }, error: 'EIO' },
]

it(`a server stops within a second of each of ${CASES.length} failed writes and flushes, and nothing is lost or done after it`, {
  skip: straceMissing(),
}, async () => {
  const { cases, kinds, acknowledged, readings, absent, mixed, threads, faults } = await runDiskFaults({ cases: CASES })
  assert.deepEqual(faults, [])
  assert.equal(cases, CASES.length)
  assert.ok(acknowledged > 0 && readings > 0 && absent > 0 && mixed > 0, `${acknowledged}, ${readings}, ${absent}, ${mixed}`)
  assert.ok(Object.keys(kinds).some((kind) => kind.endsWith('of the snapshot')))
  assert.deepEqual(Object.keys(threads), ['0', '1', '2'])
})
