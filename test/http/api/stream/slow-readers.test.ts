// Readers that take less than they are given: nothing is kept for them, nothing is lost to them.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { BEHIND_BYTES_MAX, RING_MAX, STALLED_MAX_MS } from '../../../../http/api/stream/stream-limits.ts'
import { payout } from '../../../support/commands.ts'
import { StreamFixture } from '../../../support/stream-fixture.ts'
import { unpaced } from '../../../support/unpaced.ts'

before(unpaced)

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('slow readers', () => {
  test('what does not fit is not kept, and read from the log once there is room', async () => {
    const at = await StreamFixture.open()
    const reader = at.listen()
    reader.takes = false
    at.pay(10)
    assert.deepEqual(reader.ids, [1, 2])
    reader.drain()
    await at.settle()
    assert.deepEqual(reader.ids, range(1, 20))
  })

  test('who stops again while it is caught up stays in order', async () => {
    const at = await StreamFixture.open()
    const reader = at.listen()
    reader.takes = false
    at.pay(30)
    for (let round = 0; round < 30 && reader.ids.length < 60; round++) {
      reader.listener?.onWritable()
      await at.settle()
    }
    assert.equal(reader.ended, null)
    assert.deepEqual(reader.ids, range(1, reader.ids.length))
    reader.drain()
    await at.settle()
    assert.deepEqual(reader.ids, range(1, 60))
  })

  test('64 KiB behind it is cut off, and resumes by id', async () => {
    const at = await StreamFixture.open()
    const reader = at.listen()
    reader.takes = false
    let paid = 0
    while (reader.ended === null && paid < 1000) {
      at.pay()
      paid++
    }
    assert.equal(reader.ended, 'cut')
    const missed = at.listen(1)
    await at.settle()
    assert.ok(missed.text.length > BEHIND_BYTES_MAX && missed.text.length < BEHIND_BYTES_MAX + 2000, String(missed.text.length))
    assert.equal(at.hub.count, 1)
  })

  test('one that takes nothing for some seconds is cut off, one that was slow for less is not', async () => {
    const at = await StreamFixture.open()
    const [dead, slow] = [at.listen(), at.listen()]
    dead.takes = false
    slow.takes = false
    at.pay()
    at.advance(STALLED_MAX_MS - 1000)
    slow.drain()
    at.advance(2 * STALLED_MAX_MS)
    await at.settle()
    assert.deepEqual([dead.ended, slow.ended], ['cut', null])
    assert.deepEqual(slow.ids, [1, 2])
  })

  test('one whose gap is longer than a reading may bring is cut off rather than left with a hole', async () => {
    const at = await StreamFixture.open()
    const reader = at.listen()
    reader.takes = false
    at.pay(2)
    // It missed them while the hub got no record: what the hub knows of is one payment.
    at.fixture.records.length = 0
    for (let time = 0; time < RING_MAX + 1; time++) at.fixture.do(payout(at.merchant, 'awa', 1))
    reader.drain()
    for (let round = 0; round < 40; round++) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([reader.ended, reader.ids], ['cut', [1, 2]])
  })
})
