// Where a time begins in the log: held against looking at every record, while the log grows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TimeSearch } from '../../../engine/actor/time-search.ts'

test('the first record that is not before a time is found after any searches before it and any growth of the log', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 200 }), fc.array(fc.tuple(fc.nat(400), fc.nat(200)), { maxLength: 20 }), (gaps, asked) => {
      let timeMs = 0
      const times = gaps.map((gap) => {
        timeMs += gap
        return timeMs
      })
      const search = new TimeSearch((sequence) => times[sequence - 1] ?? assert.fail(`there is no record ${sequence}`))
      let last = 0
      for (const [wantedMs, more] of asked) {
        last = Math.min(times.length, last + more)
        const then = times.slice(0, last).findIndex((time) => time >= wantedMs)
        assert.equal(search.first(wantedMs, last), then < 0 ? last + 1 : then + 1)
      }
    }),
  )
})

test('a second search reads little, and a long log is read in few places', () => {
  const reads: number[] = []
  const search = new TimeSearch((sequence) => {
    reads.push(sequence)
    return sequence * 10
  })
  assert.equal(search.first(123_456_789, 20_000_000), 12_345_679)
  assert.ok(reads.length <= 26, `${reads.length} reads`)
  reads.length = 0
  assert.equal(search.first(123_456_790, 20_000_003), 12_345_679)
  assert.ok(reads.length <= 2, `${reads.length} reads`)
})
