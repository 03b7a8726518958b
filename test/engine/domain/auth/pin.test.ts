// What PIN checks count for: attempts, locks, their doubling, and races between right and wrong ones.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PIN_ATTEMPTS_MAX, PIN_LOCK_MAX_MS, PIN_LOCK_MS } from '../../../../engine/domain/auth/auth-limits.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { openWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import { logIn, PHONE, restartAndCompare, signUp, told } from '../../../support/wallet-engine.ts'

function check(account: AccountNumber, ok: boolean, generation = 0): Command {
  return { type: 'RecordPinCheck', account, ok, generation }
}

/** Status and tries left of each. */
function tries(fixture: EngineFixture, account: AccountNumber, count: number): (string | number)[] {
  return Array.from({ length: count }, () => {
    const { kind, body } = fixture.do(check(account, false))
    return (JSON.parse(body) as { attempts_left?: number }).attempts_left ?? outcomeStatus({ kind })
  })
}

async function openSetup(): Promise<{ fixture: EngineFixture; account: AccountNumber }> {
  const fixture = await EngineFixture.open()
  return { fixture, account: openWallet(fixture, 'awa') }
}

describe('wrong PINs', () => {
  it('wrong PINs count down and lock with the fifth', async () => {
    const { fixture, account } = await openSetup()
    assert.deepEqual(tries(fixture, account, 5), [4, 3, 2, 1, 423])
    assert.equal(told(fixture.do(check(account, false))), 'pin_locked')
  })

  it('wrong PINs in a row: a right one starts over', async () => {
    const { fixture, account } = await openSetup()
    tries(fixture, account, 4)
    assert.equal(told(fixture.do(check(account, true))), '200')
    assert.deepEqual(tries(fixture, account, 2), [4, 3])
  })

  it('wrong PINs each count when they come at the same moment; a right one behind the fifth is refused', async () => {
    const { fixture, account } = await openSetup()
    const oks = [false, false, false, false, false, true]
    const sent = oks.map((ok) => fixture.send(check(account, ok), { mailbox: account }))
    fixture.settle()
    assert.deepEqual(
      sent.map(({ outcome }) => outcomeStatus(outcome)),
      [401, 401, 401, 401, 423, 423],
    )
  })

  it('wrong PINs while it is locked neither count nor prolong', async () => {
    const { fixture, account } = await openSetup()
    tries(fixture, account, 5)
    const until = fixture.state.auth.pin(account).locked_until_ms
    const records = fixture.engine.lastSequence
    for (let time = 0; time < 20; time++) assert.equal(told(fixture.do(check(account, false))), 'pin_locked')
    assert.equal(fixture.state.auth.pin(account).locked_until_ms, until)
    assert.equal(fixture.engine.lastSequence, records, 'they leave no record either')
  })

  it('wrong PINs of one wallet are nothing to another', async () => {
    const { fixture, account } = await openSetup()
    const other = openWallet(fixture, 'kofi')
    tries(fixture, account, 5)
    assert.deepEqual(tries(fixture, other, 1), [4])
  })
})

describe('a lock', () => {
  it('a lock refuses the right PIN too, until the very millisecond when it ends', async () => {
    const { fixture, account } = await openSetup()
    tries(fixture, account, 5)
    fixture.loop.nowMs += PIN_LOCK_MS - 1
    assert.equal(told(fixture.do(check(account, true))), 'pin_locked')
    fixture.loop.nowMs += 1
    assert.equal(told(fixture.do(check(account, true))), '200')
  })

  it('a lock is twice as long each time, up to the longest, and a right PIN starts over', async () => {
    const { fixture, account } = await openSetup()
    const lengthMs = (): number => fixture.state.auth.pin(account).locked_until_ms - fixture.engine.nowMs()
    const lengths: number[] = []
    for (let time = 0; time < 14; time++) {
      assert.deepEqual(tries(fixture, account, PIN_ATTEMPTS_MAX).at(-1), 423)
      lengths.push(lengthMs())
      fixture.loop.nowMs += lengthMs()
    }
    assert.deepEqual(
      lengths,
      Array.from({ length: 14 }, (_, time) => Math.min(PIN_LOCK_MS * 2 ** time, PIN_LOCK_MAX_MS)),
    )
    assert.equal(told(fixture.do(check(account, true))), '200')
    tries(fixture, account, 5)
    assert.equal(lengthMs(), PIN_LOCK_MS)
  })

  it('a lock survives a restart, from the log and from a snapshot', async () => {
    const { fixture, account } = await openSetup()
    tries(fixture, account, 5)
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(check(account, true))), 'pin_locked')
    await fixture.close()
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(check(account, true))), 'pin_locked')
  })

  it('a lock does not end sooner when the clock goes back, also over a restart', async () => {
    const { fixture, account } = await openSetup()
    tries(fixture, account, 5)
    fixture.loop.nowMs -= 10 * PIN_LOCK_MS
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(check(account, true))), 'pin_locked')
    // Ahead of a clock that was set back, the engine's time goes on at half speed.
    fixture.loop.nowMs += PIN_LOCK_MS
    assert.equal(told(fixture.do(check(account, true))), 'pin_locked')
    fixture.loop.nowMs += PIN_LOCK_MS
    assert.equal(told(fixture.do(check(account, true))), '200')
  })
})

describe('a registered device', () => {
  const onDevice = (account: AccountNumber, deviceId: string, ok: boolean): Command => ({ ...check(account, ok, 1), deviceId }) as Command

  async function openDevices(): Promise<{ fixture: EngineFixture; account: AccountNumber }> {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa', 'one')
    logIn(fixture, PHONE, 'two')
    return { fixture, account }
  }

  it('a registered device passes a lock that was caused without a device, and its right PIN does not reset that count', async () => {
    const { fixture, account } = await openDevices()
    tries(fixture, account, 4)
    assert.equal(told(fixture.do(onDevice(account, 'one', true))), '200')
    assert.deepEqual(tries(fixture, account, 1), [423])
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(onDevice(account, 'one', true))), '200')
    assert.equal(told(fixture.do(check(account, true, 1))), 'pin_locked')
  })

  it('a registered device is locked by its own fifth wrong PIN with everything but the other devices, doubling, also over a restart', async () => {
    const { fixture, account } = await openDevices()
    const wrong = (): string => told(fixture.do(onDevice(account, 'one', false)))
    assert.deepEqual(Array.from({ length: 5 }, wrong), ['pin_incorrect', 'pin_incorrect', 'pin_incorrect', 'pin_incorrect', 'pin_locked'])
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(onDevice(account, 'one', true))), 'pin_locked')
    assert.equal(told(fixture.do(check(account, true, 1))), 'pin_locked')
    assert.equal(told(fixture.do(onDevice(account, 'two', true))), '200')
    fixture.loop.nowMs += PIN_LOCK_MS
    assert.equal(told(fixture.do(check(account, true, 1))), '200')
    for (let count = 0; count < 5; count++) wrong()
    fixture.loop.nowMs += 2 * PIN_LOCK_MS - 10_000
    assert.equal(told(fixture.do(onDevice(account, 'one', true))), 'pin_locked')
  })

  it('a registered device that is removed or registered anew starts over, and one that is not registered counts for the wallet', async () => {
    const { fixture, account } = await openDevices()
    for (let count = 0; count < 3; count++) for (const id of ['one', 'two']) fixture.do(onDevice(account, id, false))
    fixture.do({ type: 'RemoveDevice', account, deviceId: 'one' })
    logIn(fixture, PHONE, 'two')
    assert.equal(fixture.state.auth.devicePins.size, 0)
    fixture.do(onDevice(account, 'one', false))
    assert.equal(fixture.state.auth.pin(account).failures, 1)
    await restartAndCompare(fixture)
  })
})

describe('a new PIN', () => {
  it('a new PIN starts over, ends the sessions of other devices and no others', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa', 'one')
    logIn(fixture, PHONE, 'two')
    logIn(fixture, PHONE, 'three')
    const sessions = (): (string | undefined)[] => ['one', 'two', 'three'].map((id) => fixture.state.auth.device(account, id)?.session_id)
    const before = sessions()
    tries(fixture, account, 3)
    assert.equal(told(fixture.do({ type: 'ChangePin', account, pinHash: 'new', generation: 1, deviceId: 'two' })), '200')
    const after = sessions()
    assert.deepEqual(
      after.map((session, index) => session === before[index]),
      [false, true, false],
    )
    const { hash, generation, failures } = fixture.state.auth.pin(account)
    assert.deepEqual({ hash, generation, failures }, { hash: 'new', generation: 2, failures: 0 })
    assert.deepEqual(
      fixture.records.at(-1)?.frames.map(({ type }) => type),
      ['session.revoked', 'session.revoked'],
    )
    await restartAndCompare(fixture)
  })

  it('a new PIN has one winner: the other change was checked against the PIN before', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    const both = ['a', 'b'].map((pinHash) => fixture.send({ type: 'ChangePin', account, pinHash, generation: 1, deviceId: 'one' }))
    fixture.settle()
    assert.deepEqual(
      both.map(({ outcome }) => outcomeStatus(outcome)),
      [200, 401],
    )
    assert.equal(fixture.state.auth.pin(account).hash, 'a')
  })

  it('a new PIN makes a check that began before it count as wrong', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    fixture.do({ type: 'ChangePin', account, pinHash: 'new', generation: 1, deviceId: 'one' })
    assert.equal(told(fixture.do(check(account, true, 1))), 'pin_incorrect')
    assert.equal(told(fixture.do(check(account, true, 2))), '200')
  })
})
