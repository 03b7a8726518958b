// What an outcome leaves in memory when its answer has left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { outcomeOfEvent } from '../../../engine/actor/event-outcome.ts'

const OUTCOMES = 40
const NUMBERS = 12_000
const BYTES_EACH = NUMBERS * 8

test('an outcome of many lines that has left holds its record through no scavenge', () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void
  gc()
  const before = oldBytes()
  for (let count = 0; count < OUTCOMES; count++) {
    assert.equal(bodyOfLongOutcome(), 'text')
    gc({ type: 'minor' })
    gc({ type: 'minor' })
  }
  const heldBytes = oldBytes() - before
  assert.ok(heldBytes < (OUTCOMES * BYTES_EACH) / 4, `${heldBytes} bytes are in old space`)
})

function bodyOfLongOutcome(): string | undefined {
  const lines = Array.from({ length: NUMBERS }, (_, index) => index + 0.5)
  const event = { type: 'batch.completed', version: 1, account: 1, payload: null, text: 'text', packed: 'packed', lines }
  const decision = { kind: 'created', environment: 'test', body: 0, events: [event], transactions: [], frames: [] } as const
  return outcomeOfEvent(decision, null)?.body
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN
}
