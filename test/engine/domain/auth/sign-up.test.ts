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
    const stage = await EngineFixture.open()
    const account = signUp(stage, PHONE, 'awa')
    const { id: _, ...wallet } = stage.state.wallets.byAccount(account) ?? {}
    assert.deepEqual(wallet, { account, phone: PHONE, tag: 'awa', family_name: 'Diallo', given_name: 'Awa', blocked: false })
    assert.equal(stage.state.accounts.balance(account), 0)
    assert.equal(stage.state.accounts.environment(account), 'test')
    assert.deepEqual(stage.state.auth.pin(account).hash, 'pin')
    assert.deepEqual(
      stage.state.auth.devicesOf(account).map(({ id }) => id),
      ['one'],
    )
    assert.equal(stage.state.auth.signups.size, 0, 'nothing of the sign-up is left')
    await restartAndCompare(stage)
  })

  it('a sign-up keeps the order of its steps', async () => {
    const stage = await EngineFixture.open()
    const token = shownCode(stage, PHONE, 'signup')
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
    for (const [command, expected] of rows) assert.equal(told(stage.do(command)), expected, JSON.stringify(command))
    assert.equal(stage.state.wallets.byPhone(PHONE)?.tag, 'awa_2')
  })

  it('a sign-up opens nothing with the token of a login, and the other way round', async () => {
    const stage = await EngineFixture.open()
    signUp(stage, PHONE, 'awa')
    const login = shownCode(stage, PHONE, 'login')
    const signup = shownCode(stage, OTHER_PHONE, 'signup')
    for (const command of [identity(login), tag(login, 'kofi'), complete(login)]) assert.equal(told(stage.do(command)), 'unauthorized')
    assert.equal(told(stage.do({ type: 'CompleteLogin', tokenHash: signup, device: device('one') })), 'unauthorized')
  })

  it('a sign-up is over after its time, to the millisecond', async () => {
    for (const [afterMs, expected] of [
      [SIGNUP_LIFETIME_MS - 1, '200'],
      [SIGNUP_LIFETIME_MS, 'unauthorized'],
    ] as const) {
      const stage = await EngineFixture.open()
      const token = shownCode(stage, PHONE, 'signup')
      stage.loop.nowMs += afterMs
      assert.equal(told(stage.do(identity(token))), expected)
    }
  })

  it('a sign-up goes on after a restart', async () => {
    const stage = await EngineFixture.open()
    const token = shownCode(stage, PHONE, 'signup')
    stage.do(identity(token))
    stage.do(tag(token, 'awa'))
    await restartAndCompare(stage)
    assert.equal(told(stage.do(complete(token))), '200')
  })
})

describe('a tag', () => {
  async function twoSignups(): Promise<{ stage: EngineFixture; first: string; second: string }> {
    const stage = await EngineFixture.open()
    const first = shownCode(stage, PHONE, 'signup')
    const second = shownCode(stage, OTHER_PHONE, 'signup')
    for (const token of [first, second]) stage.do(identity(token))
    return { stage, first, second }
  }

  it('a tag is kept for the sign-up that chose it', async () => {
    const { stage, first, second } = await twoSignups()
    assert.equal(told(stage.do(tag(first, 'awa'))), '200')
    assert.equal(told(stage.do(tag(second, 'awa'))), 'tag_taken')
    assert.equal(told(stage.do(testWallet('awa'))), 'tag_taken')
    assert.equal(told(stage.do(tag(first, 'awa'))), '200', 'the same one again is no other')
  })

  it('a tag is let go when another is chosen', async () => {
    const { stage, first, second } = await twoSignups()
    stage.do(tag(first, 'awa'))
    stage.do(tag(first, 'awa_2'))
    assert.equal(told(stage.do(tag(second, 'awa'))), '200')
  })

  it('a tag is let go when the sign-up is over, and stays with the next one', async () => {
    const { stage, first } = await twoSignups()
    stage.do(tag(first, 'awa'))
    stage.loop.nowMs += SIGNUP_LIFETIME_MS
    const third = shownCode(stage, '+2250000099003', 'signup')
    stage.do(identity(third))
    assert.equal(told(stage.do(tag(third, 'awa'))), '200')
    const fourth = shownCode(stage, '+2250000099004', 'signup')
    stage.do(identity(fourth))
    assert.equal(told(stage.do(tag(fourth, 'awa'))), 'tag_taken')
    await restartAndCompare(stage)
    assert.equal(told(stage.do(tag(fourth, 'awa'))), 'tag_taken')
  })

  it('a tag of one environment is free in the other', async () => {
    const { stage, first } = await twoSignups()
    stage.do(tag(first, 'awa'))
    const live = shownCode(stage, '+221770000009', 'signup')
    stage.do(identity(live))
    assert.equal(told(stage.do(tag(live, 'awa'))), '200')
  })

  it('a tag has one winner when two complete at the same moment', async () => {
    const { stage, first, second } = await twoSignups()
    const both = [first, second].map((token) => stage.send(tag(token, 'awa')))
    stage.settle()
    assert.deepEqual(
      both.map(({ outcome }) => outcomeStatus(outcome)),
      [200, 409],
    )
  })
})

describe('a phone', () => {
  it('a phone gets one wallet, however many sign-ups it began', async () => {
    const stage = await EngineFixture.open()
    const tokens = [shownCode(stage, PHONE, 'signup'), shownCode(stage, PHONE, 'signup')]
    tokens.forEach((token, index) => {
      stage.do(identity(token))
      stage.do(tag(token, `awa_${index}`))
    })
    const both = tokens.map((token) => stage.send(complete(token)))
    stage.settle()
    assert.deepEqual(
      both.map(({ outcome }) => (outcome === null ? null : told(outcome))),
      ['200', 'phone_taken'],
    )
    assert.equal(stage.state.wallets.size, 1)
  })
})

describe('a login', () => {
  it('a login is good once, and only in its time', async () => {
    const stage = await EngineFixture.open()
    const account = signUp(stage, PHONE, 'awa')
    const token = shownCode(stage, PHONE, 'login')
    const command: Command = { type: 'CompleteLogin', tokenHash: token, device: device('two') }
    const both = [stage.send(command), stage.send(command)]
    stage.settle()
    assert.deepEqual(
      both.map(({ outcome }) => outcomeStatus(outcome)),
      [200, 401],
    )
    const late = shownCode(stage, PHONE, 'login')
    stage.loop.nowMs += LOGIN_LIFETIME_MS
    assert.equal(told(stage.do({ ...command, tokenHash: late })), 'unauthorized')
    assert.equal(stage.state.auth.devicesOf(account).length, 2)
  })

  it('a login on a new device notifies the others, on a known one it notifies none', async () => {
    const stage = await EngineFixture.open()
    signUp(stage, PHONE, 'awa')
    logIn(stage, PHONE, 'two')
    assert.deepEqual(
      stage.records.at(-1)?.frames.map(({ type }) => type),
      ['device.added'],
    )
    logIn(stage, PHONE, 'two', 'new-token')
    assert.deepEqual(stage.records.at(-1)?.frames, [])
  })

  it('a login on a known device ends what it had before', async () => {
    const stage = await EngineFixture.open()
    const account = signUp(stage, PHONE, 'awa')
    const before = stage.state.auth.device(account, 'one')
    logIn(stage, PHONE, 'one', 'new-token')
    const after = stage.state.auth.device(account, 'one')
    assert.equal(after?.token_hash, 'new-token')
    assert.notEqual(after?.session_id, before?.session_id)
    assert.equal(stage.state.auth.deviceOfSession(before?.session_id ?? ''), undefined)
  })

  it(`a login with one device more than ${DEVICES_MAX} ends the one that signed in first`, async () => {
    const stage = await EngineFixture.open()
    const account = signUp(stage, PHONE, 'awa', 'd0')
    for (let index = 1; index <= DEVICES_MAX; index++) logIn(stage, PHONE, `d${index}`)
    assert.deepEqual(
      stage.state.auth.devicesOf(account).map(({ id }) => id),
      Array.from({ length: DEVICES_MAX }, (_, index) => `d${index + 1}`),
    )
    assert.deepEqual(
      stage.records.at(-1)?.frames.map(({ type }) => type),
      ['session.revoked', 'device.added'],
    )
    await restartAndCompare(stage)
  })
})

describe('the end of a session', () => {
  it('the end of a session by logout leaves the device registered, with another session', async () => {
    const stage = await EngineFixture.open()
    const account = signUp(stage, PHONE, 'awa')
    const before = stage.state.auth.device(account, 'one')
    assert.equal(told(stage.do({ type: 'LogOut', account, deviceId: 'one' })), '200')
    const after = stage.state.auth.device(account, 'one')
    assert.equal(after?.token_hash, before?.token_hash)
    assert.notEqual(after?.session_id, before?.session_id)
    assert.equal(stage.state.auth.deviceOfSession(before?.session_id ?? ''), undefined)
    await restartAndCompare(stage)
  })

  it('the end of a session by removal leaves nothing of the device', async () => {
    const stage = await EngineFixture.open()
    const account = signUp(stage, PHONE, 'awa')
    const session = stage.state.auth.device(account, 'one')?.session_id ?? ''
    assert.deepEqual(JSON.parse(stage.do({ type: 'RemoveDevice', account, deviceId: 'one' }).body), { id: 'one', deleted: true })
    assert.equal(stage.state.auth.deviceOfSession(session), undefined)
    assert.equal(stage.state.auth.hasDevices(account), false)
    assert.equal(told(stage.do({ type: 'RemoveDevice', account, deviceId: 'one' })), 'not_found')
    assert.equal(told(stage.do({ type: 'LogOut', account, deviceId: 'one' })), 'unauthorized')
    await restartAndCompare(stage)
  })

  it('the end of a session leaves another wallet’s device of the same name', async () => {
    const stage = await EngineFixture.open()
    const awa = signUp(stage, PHONE, 'awa', 'same-name')
    const kofi = signUp(stage, OTHER_PHONE, 'kofi', 'same-name')
    stage.do({ type: 'RemoveDevice', account: kofi, deviceId: 'same-name' })
    assert.ok(stage.state.auth.device(awa, 'same-name') !== undefined)
  })
})
