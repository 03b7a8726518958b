// Ids of stream frames: they go on from any number of accounts, through growth and through snapshots.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AccountCounters } from '../../../engine/kernel/account-counters.ts'

/** First and last account of each row of a snapshot, and those around the first capacity. */
const ACCOUNTS = [0, 1, 1023, 1024, 2047, 2048, 4095, 4096, 4097, 8191, 8192, 20_000]

function idsOf(counters: AccountCounters): number[] {
  return ACCOUNTS.map((account) => counters.last(account))
}

function givenCounters(): AccountCounters {
  const counters = new AccountCounters('frames')
  for (const [at, account] of ACCOUNTS.entries()) counters.set(account, at + 1)
  return counters
}

const IDS = ACCOUNTS.map((_, at) => at + 1)

describe('frame ids', () => {
  it('frame ids of all accounts stay when the number of accounts grows', () => {
    const counters = givenCounters()
    assert.deepEqual(idsOf(counters), IDS)
    counters.set(100_000, 7)
    assert.deepEqual(idsOf(counters), IDS)
    assert.deepEqual([counters.last(100_000), counters.last(99_999), counters.last(1_000_000)], [7, 0, 0])
  })

  it('frame ids of all accounts are in the rows of a snapshot', () => {
    const restored = new AccountCounters('frames')
    for (const [key, row] of givenCounters().rows()) restored.restore(key, JSON.parse(JSON.stringify(row)) as object)
    assert.deepEqual(idsOf(restored), IDS)
  })

  it('frame ids that change after a snapshot are in the next one, and only their rows', () => {
    const counters = givenCounters()
    const restored = new AccountCounters('frames')
    const take = (): string[] => {
      const changes = [...counters.capture()]
      for (const [key, json] of changes) restored.restore(key, JSON.parse(json ?? '') as object)
      return changes.map(([key]) => key)
    }
    take()
    counters.set(4096, 99)
    assert.deepEqual(take(), ['4'])
    assert.equal(restored.last(4096), 99)
    assert.deepEqual(take(), [])
  })
})
