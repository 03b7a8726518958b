// Who gets which frame, in which order, and what becomes of readers that come back.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { RING_MAX, STREAMS_PER_WALLET_MAX, WRITES_PER_TURN_MAX } from '../../../../http/api/stream/stream-limits.ts'
import { payout } from '../../../support/commands.ts'
import { StreamFixture } from '../../../support/stream-fixture.ts'
import { unpaced } from '../../../support/unpaced.ts'

before(unpaced)

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('live', () => {
  test('frames come in order, to every stream of the wallet and to no other', async () => {
    const at = await StreamFixture.open()
    const [one, other] = [at.listen(), at.listen()]
    at.pay(2)
    assert.deepEqual(one.ids, [1, 2, 3, 4])
    assert.equal(other.text, one.text)
    assert.deepEqual(
      one.frames.map(({ event }) => event),
      ['payment.received', 'balance.updated', 'payment.received', 'balance.updated'],
    )
    at.fixture.do(payout(at.merchant, 'nobody', 1))
    await at.settle()
    assert.equal(one.ids.length, 4)
  })

  test('of two streams of a wallet the other goes on when one has left, and one that comes later too', async () => {
    const at = await StreamFixture.open()
    const [one, other] = [at.listen(), at.listen()]
    one.listener?.onClosed()
    at.pay()
    other.listener?.onClosed()
    at.pay()
    const later = at.listen()
    at.pay()
    assert.deepEqual([one.ids, other.ids, later.ids], [[], [1, 2], [5, 6]])
    assert.equal(at.hub.count, 1)
  })

  test('no frame is sent before its record is on disk', async () => {
    const at = await StreamFixture.open()
    const reader = at.listen(0)
    await at.settle()
    at.fixture.send(payout(at.merchant, 'awa', 1), { mailbox: at.merchant })
    at.fixture.loop.turn()
    assert.equal(at.fixture.state.frames.last(at.awa), 2)
    const late = at.listen(0)
    for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([reader.text, late.text], ['', ''])
    await at.settle()
    assert.deepEqual(
      [reader.ids, late.ids],
      [
        [1, 2],
        [1, 2],
      ],
    )
  })

  test('a reader without an id begins now', async () => {
    const at = await StreamFixture.open()
    at.pay(3)
    const reader = at.listen()
    at.pay()
    await at.settle()
    assert.deepEqual(reader.ids, [7, 8])
  })

  test('with one stream more than the maximum the oldest ends, in order', async () => {
    const at = await StreamFixture.open()
    const readers = range(0, STREAMS_PER_WALLET_MAX).map(() => at.listen())
    assert.deepEqual(
      readers.map(({ ended }) => ended),
      ['end', ...readers.slice(1).map(() => null)],
    )
    assert.equal(at.hub.count, STREAMS_PER_WALLET_MAX)
    at.pay()
    assert.equal(readers[0]?.text, '')
  })

  test('a flush that is too much for one turn of the loop is sent over several, in order', async () => {
    const at = await StreamFixture.open()
    const readers = range(1, STREAMS_PER_WALLET_MAX).map(() => at.listen())
    const payments = (3 * WRITES_PER_TURN_MAX) / STREAMS_PER_WALLET_MAX
    at.pay(payments)
    const first = readers.map(({ ids }) => ids.length)
    assert.deepEqual(new Set(first), new Set([(2 * WRITES_PER_TURN_MAX) / STREAMS_PER_WALLET_MAX]))
    // What comes meanwhile does not overtake.
    at.pay()
    at.fixture.do({ type: 'LogOut', account: at.awa, deviceId: 'one' })
    await at.settle()
    for (const reader of readers) {
      assert.deepEqual(reader.ids, range(1, 2 * payments + 3))
      assert.deepEqual([reader.frames.at(-1)?.event, reader.ended], ['session.revoked', 'end'])
    }
  })

  test('a stop in between sends the rest first', async () => {
    const at = await StreamFixture.open()
    const readers = range(1, STREAMS_PER_WALLET_MAX).map(() => at.listen())
    at.pay(WRITES_PER_TURN_MAX / 2)
    at.hub.close()
    for (const { ids, ended } of readers) assert.deepEqual([ids.length, ended], [WRITES_PER_TURN_MAX, 'end'])
    await at.settle()
  })

  test('a reader that left gets nothing, and takes no room', async () => {
    const at = await StreamFixture.open()
    const reader = at.listen()
    reader.listener?.onClosed()
    reader.listener?.onClosed()
    at.pay()
    assert.deepEqual([reader.text, at.hub.count, at.fixture.loop.alarmCount], ['', 0, at.fixture.loop.alarmCount])
  })
})

describe('coming back', () => {
  test('within the ring it goes on where it was, without a reset', async () => {
    const at = await StreamFixture.open()
    at.pay(5)
    for (const [lastEventId, first] of [
      [0, 1],
      [4, 5],
      [9, 10],
    ] as const) {
      const reader = at.listen(lastEventId)
      await at.settle()
      assert.deepEqual(reader.ids, range(first, 10))
    }
    const upToDate = at.listen(10)
    at.pay()
    await at.settle()
    assert.deepEqual(upToDate.ids, [11, 12])
  })

  test('the ring holds 256 frames: the id before its first is in it, the one before that is not', async () => {
    const at = await StreamFixture.open()
    at.pay((RING_MAX + 20) / 2)
    const [inRing, outside] = [at.listen(20), at.listen(19)]
    await at.settle()
    assert.deepEqual(inRing.ids, range(21, 276))
    const [reset, ...rest] = outside.frames
    assert.deepEqual([reset?.event, reset?.data, reset?.id], ['stream.reset', { oldest_id: 21, latest_id: 276 }, 20])
    assert.deepEqual(
      rest.map(({ id }) => id),
      range(21, 276),
    )
    // A reader that is cut off right after the reset and comes back with its id misses nothing.
    const again = at.listen(reset?.id)
    await at.settle()
    assert.equal(again.text, inRing.text)
  })

  test('an id that the wallet has not had yet is a reset too, also where it has had none', async () => {
    const at = await StreamFixture.open()
    const empty = at.listen(999_999_999_999_999)
    await at.settle()
    assert.deepEqual(
      empty.frames.map(({ event, data }) => [event, data]),
      [['stream.reset', { oldest_id: 1, latest_id: 0 }]],
    )
    at.pay()
    await at.settle()
    assert.deepEqual(empty.ids, [0, 1, 2])
    const ahead = at.listen(3)
    await at.settle()
    assert.deepEqual(
      ahead.frames.map(({ event, id }) => [event, id]),
      [
        ['stream.reset', 0],
        ['payment.received', 1],
        ['balance.updated', 2],
      ],
    )
  })

  test('a reader that has had all frames does not get those again whose delivery is still queued', async () => {
    const at = await StreamFixture.open()
    const first = at.listen()
    // More than one turn of the event loop writes: the rest is queued while it is durable.
    at.pay(WRITES_PER_TURN_MAX + 10)
    const newestId = at.fixture.state.frames.last(at.awa)
    assert.ok((first.ids.at(-1) ?? 0) < newestId, 'some frames are queued')
    const upToDate = at.listen(newestId)
    const behind = at.listen(newestId - 1)
    await at.settle()
    at.pay()
    await at.settle()
    assert.deepEqual(upToDate.ids, range(newestId + 1, newestId + 2))
    assert.deepEqual(behind.ids, range(newestId, newestId + 2))
    assert.deepEqual(first.ids, range(1, newestId + 2))
  })

  test('a reader that another node showed frames which are not durable here yet gets the next ones, without a reset', async () => {
    const at = await StreamFixture.open()
    at.pay()
    for (let payment = 0; payment < 2; payment++) at.fixture.send(payout(at.merchant, 'awa', 1), { mailbox: at.merchant })
    at.fixture.loop.turn()
    assert.equal(at.fixture.state.frames.last(at.awa), 6)
    const reader = at.listen(4)
    assert.equal(reader.text, '')
    await at.settle()
    assert.deepEqual(reader.ids, [5, 6])
  })

  test('frames that come while the log is read are neither lost nor sent twice', async () => {
    const at = await StreamFixture.open()
    at.pay(60)
    const reader = at.listen(0)
    for (let round = 0; round < 6; round++) {
      at.pay(2)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await at.settle()
    at.pay()
    await at.settle()
    assert.deepEqual(reader.ids, range(1, 2 * (60 + 12 + 1)))
  })

  test('a restart changes neither ids nor text of frames', async () => {
    const at = await StreamFixture.open()
    at.pay(10)
    const before = at.listen(5)
    await at.settle()
    await at.restart()
    const after = at.listen(5)
    await at.settle()
    assert.equal(after.text, before.text)
    at.pay()
    assert.deepEqual(after.ids, range(6, 22))
  })

  test('a restart with a deleted archive changes neither ids nor text of frames', async () => {
    const at = await StreamFixture.open()
    at.pay(RING_MAX)
    const before = at.listen(300)
    await at.settle()
    await at.fixture.startWithoutArchive()
    await at.restart()
    const after = at.listen(300)
    await at.settle()
    assert.equal(after.text, before.text)
  })
})
