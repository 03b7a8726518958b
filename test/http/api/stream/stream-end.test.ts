// What ends a stream from the server's side, and in which order.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { START_MS } from '../../../support/engine-fixture.ts'
import { HOUR_MS, PHONE, StreamFixture } from '../../../support/stream-fixture.ts'
import { unpaced } from '../../../support/unpaced.ts'
import { logIn } from '../../../support/wallet-engine.ts'

before(unpaced)

describe('the end', () => {
  test('a logout ends the streams of its session, after the frame that says so', async () => {
    const at = await StreamFixture.open()
    const first = at.sessionId
    assert.equal(logIn(at.fixture, PHONE, 'two').kind, 'ok')
    const second = at.fixture.state.auth.device(at.awa, 'two')?.session_id ?? ''
    const [one, two] = [at.listen(null, { sessionId: first }), at.listen(null, { deviceId: 'two', sessionId: second })]
    at.fixture.do({ type: 'LogOut', account: at.awa, deviceId: 'two' })
    await at.settle()
    assert.deepEqual([one.ended, two.ended], [null, 'end'])
    for (const reader of [one, two]) {
      const last = reader.frames.at(-1)
      assert.deepEqual(
        [last?.event, last?.data],
        ['session.revoked', { id: 'two', name: 'Phone two', platform: 'android', reason: 'logout' }],
      )
    }
  })

  test('a device that is removed, or signs in again, takes its streams along', async () => {
    const at = await StreamFixture.open()
    const before = at.listen()
    logIn(at.fixture, PHONE, 'one')
    await at.settle()
    assert.equal(before.ended, 'end')
    const after = at.listen()
    at.fixture.do({ type: 'RemoveDevice', account: at.awa, deviceId: 'one' })
    await at.settle()
    assert.equal(after.ended, 'end')
    assert.deepEqual(after.frames.at(-1)?.data, { id: 'one', name: 'Phone one', platform: 'android', reason: 'removed' })
  })

  test('a stream ends with the token that it was opened by, at its next heartbeat', async () => {
    const at = await StreamFixture.open()
    const reader = at.listen(null, { expiresAtMs: START_MS + HOUR_MS })
    at.advance(HOUR_MS - 10_000)
    assert.equal(reader.ended, null)
    at.advance(15_000)
    assert.equal(reader.ended, 'end')
    assert.equal(at.hub.count, 0)
  })

  test('a stop ends all of them at once, and takes no more', async () => {
    const at = await StreamFixture.open()
    const readers = [at.listen(), at.listen(), at.listen(0)]
    at.hub.close()
    assert.deepEqual(
      readers.map(({ ended }) => ended),
      ['end', 'end', 'end'],
    )
    assert.deepEqual(
      [
        at.hub.count,
        at.hub.open({ holder: { account: 1, deviceId: '', sessionId: '', expiresAtMs: 0 }, lastEventId: null, open: () => null }),
      ],
      [0, false],
    )
    at.pay()
    await at.settle()
  })
})
