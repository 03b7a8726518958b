// The steps of sign-up and login in the engine: their order, their tokens, and who wins when two want the same.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEVICES_MAX } from '../../../../engine/domain/auth/auth-limits.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { testWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import {
  device,
  LOGIN_LIFETIME_MS,
  logIn,
  PHONE,
  restartAndCompare,
  SIGNUP_LIFETIME_MS,
  shownCode,
  signUp,
  told,
} from '../../../support/wallet-engine.ts'

const OTHER_PHONE = '+2250000099002'

function identity(tokenHash: string): Command {
  return { type: 'SetSignupIdentity', tokenHash, familyName: 'Diallo', givenName: 'Awa' }
}

function tag(tokenHash: string, wanted: string): Command {
  return { type: 'SetSignupTag', tokenHash, tag: wanted }
}

function complete(tokenHash: string): Command {
  return { type: 'CompleteSignup', tokenHash, pinHash: 'pin', device: device('one') }
}

describe('a sign-up', () => {
  it('a sign-up makes a wallet that holds nothing, with a PIN and a device', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    const { id: _, ...wallet } = fixture.state.wallets.byAccount(account) ?? {}
    assert.deepEqual(wallet, { account, phone: PHONE, tag: 'awa', family_name: 'Diallo', given_name: 'Awa', blocked: false })
    assert.equal(fixture.state.accounts.balance(account), 0)
    assert.equal(fixture.state.accounts.environment(account), 'test')
    assert.deepEqual(fixture.state.auth.pin(account).hash, 'pin')
    assert.deepEqual(
      fixture.state.auth.devicesOf(account).map(({ id }) => id),
      ['one'],
    )
    assert.equal(fixture.state.auth.signups.size, 0, 'nothing of the sign-up is left')
    await restartAndCompare(fixture)
  })

  it('a sign-up keeps the order of its steps', async () => {
    const fixture = await EngineFixture.open()
    const token = shownCode(fixture, PHONE, 'signup')
    const rows: readonly (readonly [Command, string])[] = [
      [tag(token, 'awa'), 'signup_incomplete'],
      [complete(token), 'signup_incomplete'],
      [identity(token), '200'],
      [complete(token), 'signup_incomplete'],
      [tag(token, 'awa'), '200'],
      [identity(token), '200'],
      [tag(token, 'awa_2'), '200'],
      [complete(token), '200'],
      [complete(token), 'unauthorized'],
      [identity(token), 'unauthorized'],
      [tag(token, 'awa_3'), 'unauthorized'],
    ]
    for (const [command, expected] of rows) assert.equal(told(fixture.do(command)), expected, JSON.stringify(command))
    assert.equal(fixture.state.wallets.byPhone(PHONE)?.tag, 'awa_2')
  })

  it('a sign-up opens nothing with the token of a login, and the other way round', async () => {
    const fixture = await EngineFixture.open()
    signUp(fixture, PHONE, 'awa')
    const login = shownCode(fixture, PHONE, 'login')
    const signup = shownCode(fixture, OTHER_PHONE, 'signup')
    for (const command of [identity(login), tag(login, 'kofi'), complete(login)]) assert.equal(told(fixture.do(command)), 'unauthorized')
    assert.equal(told(fixture.do({ type: 'CompleteLogin', tokenHash: signup, device: device('one') })), 'unauthorized')
  })

  it('a sign-up is over after its time, to the millisecond', async () => {
    for (const [afterMs, expected] of [
      [SIGNUP_LIFETIME_MS - 1, '200'],
      [SIGNUP_LIFETIME_MS, 'unauthorized'],
    ] as const) {
      const fixture = await EngineFixture.open()
      const token = shownCode(fixture, PHONE, 'signup')
      fixture.loop.nowMs += afterMs
      assert.equal(told(fixture.do(identity(token))), expected)
    }
  })

  it('a sign-up goes on after a restart', async () => {
    const fixture = await EngineFixture.open()
    const token = shownCode(fixture, PHONE, 'signup')
    fixture.do(identity(token))
    fixture.do(tag(token, 'awa'))
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(complete(token))), '200')
  })
})

describe('a tag', () => {
  async function twoSignups(): Promise<{ fixture: EngineFixture; first: string; second: string }> {
    const fixture = await EngineFixture.open()
    const first = shownCode(fixture, PHONE, 'signup')
    const second = shownCode(fixture, OTHER_PHONE, 'signup')
    for (const token of [first, second]) fixture.do(identity(token))
    return { fixture, first, second }
  }

  it('a tag is kept for the sign-up that chose it', async () => {
    const { fixture, first, second } = await twoSignups()
    assert.equal(told(fixture.do(tag(first, 'awa'))), '200')
    assert.equal(told(fixture.do(tag(second, 'awa'))), 'tag_taken')
    assert.equal(told(fixture.do(testWallet('awa'))), 'tag_taken')
    assert.equal(told(fixture.do(tag(first, 'awa'))), '200', 'the same one again is no other')
  })

  it('a tag is let go when another is chosen', async () => {
    const { fixture, first, second } = await twoSignups()
    fixture.do(tag(first, 'awa'))
    fixture.do(tag(first, 'awa_2'))
    assert.equal(told(fixture.do(tag(second, 'awa'))), '200')
  })

  it('a tag is let go when the sign-up is over, and stays with the next one', async () => {
    const { fixture, first } = await twoSignups()
    fixture.do(tag(first, 'awa'))
    fixture.loop.nowMs += SIGNUP_LIFETIME_MS
    const third = shownCode(fixture, '+2250000099003', 'signup')
    fixture.do(identity(third))
    assert.equal(told(fixture.do(tag(third, 'awa'))), '200')
    const fourth = shownCode(fixture, '+2250000099004', 'signup')
    fixture.do(identity(fourth))
    assert.equal(told(fixture.do(tag(fourth, 'awa'))), 'tag_taken')
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(tag(fourth, 'awa'))), 'tag_taken')
  })

  it('a tag of an expired sign-up is free at once, before anything has dropped its row, and stays with the next one after that', async () => {
    const fixture = await EngineFixture.open()
    const first = shownCode(fixture, PHONE, 'signup')
    fixture.loop.nowMs += 1000
    const [second, third] = [OTHER_PHONE, '+2250000099003'].map((phone) => shownCode(fixture, phone, 'signup')) as [string, string]
    for (const token of [first, second, third]) fixture.do(identity(token))
    fixture.do(tag(first, 'awa'))
    fixture.loop.nowMs += SIGNUP_LIFETIME_MS - 1001
    assert.equal(told(fixture.do(tag(second, 'awa'))), 'tag_taken')
    fixture.loop.nowMs += 1
    assert.ok(fixture.state.auth.signups.get(first) !== undefined, 'its row is still there')
    assert.equal(told(fixture.do(tag(second, 'awa'))), '200')
    shownCode(fixture, '+2250000099004', 'signup')
    assert.equal(fixture.state.auth.signups.get(first), undefined, 'its row was dropped')
    assert.equal(told(fixture.do(tag(third, 'awa'))), 'tag_taken')
    assert.equal(told(fixture.do(complete(second))), '200')
    assert.equal(fixture.state.wallets.byTag('test', 'awa')?.phone, OTHER_PHONE)
  })

  it('a tag of one environment is free in the other', async () => {
    const { fixture, first } = await twoSignups()
    fixture.do(tag(first, 'awa'))
    const live = shownCode(fixture, '+221770000009', 'signup')
    fixture.do(identity(live))
    assert.equal(told(fixture.do(tag(live, 'awa'))), '200')
  })

  it('a tag has one winner when two complete at the same moment', async () => {
    const { fixture, first, second } = await twoSignups()
    const both = [first, second].map((token) => fixture.send(tag(token, 'awa')))
    fixture.settle()
    assert.deepEqual(
      both.map(({ outcome }) => outcomeStatus(outcome)),
      [200, 409],
    )
  })
})

describe('a phone', () => {
  it('a phone gets one wallet, however many sign-ups it began', async () => {
    const fixture = await EngineFixture.open()
    const tokens = [shownCode(fixture, PHONE, 'signup'), shownCode(fixture, PHONE, 'signup')]
    tokens.forEach((token, index) => {
      fixture.do(identity(token))
      fixture.do(tag(token, `awa_${index}`))
    })
    const both = tokens.map((token) => fixture.send(complete(token)))
    fixture.settle()
    assert.deepEqual(
      both.map(({ outcome }) => (outcome === null ? null : told(outcome))),
      ['200', 'phone_taken'],
    )
    assert.equal(fixture.state.wallets.size, 1)
  })
})

describe('a login', () => {
  it('a login is good once, and only in its time', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    const token = shownCode(fixture, PHONE, 'login')
    const command: Command = { type: 'CompleteLogin', tokenHash: token, device: device('two') }
    const both = [fixture.send(command), fixture.send(command)]
    fixture.settle()
    assert.deepEqual(
      both.map(({ outcome }) => outcomeStatus(outcome)),
      [200, 401],
    )
    const late = shownCode(fixture, PHONE, 'login')
    fixture.loop.nowMs += LOGIN_LIFETIME_MS
    assert.equal(told(fixture.do({ ...command, tokenHash: late })), 'unauthorized')
    assert.equal(fixture.state.auth.devicesOf(account).length, 2)
  })

  it('a login on a new device notifies the others, on a known one it notifies none', async () => {
    const fixture = await EngineFixture.open()
    signUp(fixture, PHONE, 'awa')
    logIn(fixture, PHONE, 'two')
    assert.deepEqual(
      fixture.records.at(-1)?.frames.map(({ type }) => type),
      ['device.added'],
    )
    logIn(fixture, PHONE, 'two', 'new-token')
    assert.deepEqual(fixture.records.at(-1)?.frames, [])
  })

  it('a login on a known device ends what it had before', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    const before = fixture.state.auth.device(account, 'one')
    logIn(fixture, PHONE, 'one', 'new-token')
    const after = fixture.state.auth.device(account, 'one')
    assert.equal(after?.token_hash, 'new-token')
    assert.notEqual(after?.session_id, before?.session_id)
    assert.equal(fixture.state.auth.deviceOfSession(before?.session_id ?? ''), undefined)
  })

  it(`a login with one device more than ${DEVICES_MAX} ends the one that signed in first`, async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa', 'd0')
    for (let index = 1; index <= DEVICES_MAX; index++) logIn(fixture, PHONE, `d${index}`)
    assert.deepEqual(
      fixture.state.auth.devicesOf(account).map(({ id }) => id),
      Array.from({ length: DEVICES_MAX }, (_, index) => `d${index + 1}`),
    )
    assert.deepEqual(
      fixture.records.at(-1)?.frames.map(({ type }) => type),
      ['session.revoked', 'device.added'],
    )
    await restartAndCompare(fixture)
  })
})

describe('the end of a session', () => {
  it('the end of a session by logout leaves the device registered, with another session', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    const before = fixture.state.auth.device(account, 'one')
    assert.equal(told(fixture.do({ type: 'LogOut', account, deviceId: 'one' })), '200')
    const after = fixture.state.auth.device(account, 'one')
    assert.equal(after?.token_hash, before?.token_hash)
    assert.notEqual(after?.session_id, before?.session_id)
    assert.equal(fixture.state.auth.deviceOfSession(before?.session_id ?? ''), undefined)
    await restartAndCompare(fixture)
  })

  it('the end of a session by removal leaves nothing of the device', async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    const session = fixture.state.auth.device(account, 'one')?.session_id ?? ''
    assert.deepEqual(JSON.parse(fixture.do({ type: 'RemoveDevice', account, deviceId: 'one' }).body), { id: 'one', deleted: true })
    assert.equal(fixture.state.auth.deviceOfSession(session), undefined)
    assert.equal(fixture.state.auth.hasDevices(account), false)
    assert.equal(told(fixture.do({ type: 'RemoveDevice', account, deviceId: 'one' })), 'not_found')
    assert.equal(told(fixture.do({ type: 'LogOut', account, deviceId: 'one' })), 'unauthorized')
    await restartAndCompare(fixture)
  })

  it('the end of a session leaves another wallet’s device of the same name', async () => {
    const fixture = await EngineFixture.open()
    const awa = signUp(fixture, PHONE, 'awa', 'same-name')
    const kofi = signUp(fixture, OTHER_PHONE, 'kofi', 'same-name')
    fixture.do({ type: 'RemoveDevice', account: kofi, deviceId: 'same-name' })
    assert.ok(fixture.state.auth.device(awa, 'same-name') !== undefined)
  })
})
