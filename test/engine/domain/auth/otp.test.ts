// One-time codes in the engine: what counts, what ends, what survives a restart.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHALLENGES, CHALLENGES_PER_PHONE_MAX, KNOWN_NETWORKS_MAX, OTP_CHECKS_MAX } from '../../../../engine/domain/auth/auth-limits.ts'
import { sendWaitMs } from '../../../../engine/domain/auth/otp-decide.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import {
  counted,
  device,
  LIVE_PHONE,
  OTP_LIFETIME_MS,
  PHONE,
  restartAndCompare,
  SIGNUP_LIFETIME_MS,
  shownCode,
  signUp,
  startOtp,
  told,
  verifyOtp,
} from '../../../support/wallet-engine.ts'

const WRONG = 'wrong'

describe('the right code', () => {
  it('the right code is good once', async () => {
    const fixture = await EngineFixture.open()
    const started = startOtp(PHONE)
    fixture.do(started)
    assert.equal(told(fixture.do(verifyOtp(started))), '200')
    assert.equal(told(fixture.do(verifyOtp(started))), 'otp_expired')
  })

  it('the right code has one winner when it is shown twice at the same moment', async () => {
    const fixture = await EngineFixture.open()
    const started = startOtp(PHONE)
    fixture.do(started)
    const both = ['one', 'other'].map((tokenHash) => fixture.send(verifyOtp(started, 'right', { tokenHash })))
    fixture.settle()
    assert.deepEqual(
      both.map(({ outcome }) => (outcome === null ? null : told(outcome))),
      ['200', 'otp_expired'],
    )
    assert.ok(fixture.state.auth.signups.get('one') !== undefined)
    assert.equal(fixture.state.auth.signups.get('other'), undefined)
  })

  it('the right code is good until it expires, to the millisecond', async () => {
    for (const [afterMs, expected] of [
      [OTP_LIFETIME_MS - 1, '200'],
      [OTP_LIFETIME_MS, 'otp_expired'],
    ] as const) {
      const fixture = await EngineFixture.open()
      const started = startOtp(PHONE)
      fixture.do(started)
      fixture.loop.nowMs += afterMs
      assert.equal(told(fixture.do(verifyOtp(started))), expected)
    }
  })

  it('the right code is good for nothing else than what it was asked for', async () => {
    const fixture = await EngineFixture.open()
    const started = startOtp(PHONE, 'payment', { subject: 'charge-1', account: 7 })
    fixture.do(started)
    const others = [{ purpose: 'login' }, { identifier: LIVE_PHONE }, { subject: 'charge-2' }] as const
    for (const other of others) assert.equal(told(fixture.do(verifyOtp(started, 'right', other))), 'otp_expired')
    assert.deepEqual(JSON.parse(fixture.do(verifyOtp(started)).body), { account: 7 })
  })

  it('the right code of a payment stays good, so that a slip of the PIN costs no new code', async () => {
    const fixture = await EngineFixture.open()
    const started = startOtp(PHONE, 'payment', { subject: 'charge-1', account: 7 })
    fixture.do(started)
    for (let time = 0; time < 3; time++) assert.equal(told(fixture.do(verifyOtp(started))), '200')
  })

  it('the right code shows whether the phone has a wallet, and is used up either way', async () => {
    const fixture = await EngineFixture.open()
    signUp(fixture, PHONE, 'awa')
    const rows = [
      { phone: PHONE, purpose: 'signup', then: 'phone_taken' },
      { phone: '+2250000099002', purpose: 'login', then: 'wallet_not_found' },
    ] as const
    for (const { phone, purpose, then } of rows) {
      const started = startOtp(phone, purpose)
      fixture.do(started)
      assert.equal(told(fixture.do(verifyOtp(started, WRONG))), 'otp_incorrect')
      assert.equal(told(fixture.do(verifyOtp(started))), then)
      assert.equal(told(fixture.do(verifyOtp(started))), 'otp_expired')
    }
  })
})

describe('wrong codes', () => {
  it('wrong codes differ in their answer from the last one, after which the right code is too late', async () => {
    const fixture = await EngineFixture.open()
    const started = startOtp(PHONE)
    fixture.do(started)
    const answers = Array.from({ length: OTP_CHECKS_MAX + 1 }, () => fixture.do(verifyOtp(started, WRONG)))
    assert.deepEqual(answers.map(told), [
      ...Array.from({ length: OTP_CHECKS_MAX - 1 }, () => 'otp_incorrect'),
      'otp_attempts_exceeded',
      'otp_attempts_exceeded',
    ])
    assert.deepEqual([outcomeStatus(answers[3]), outcomeStatus(answers[4])], [401, 429])
    assert.equal(told(fixture.do(verifyOtp(started))), 'otp_attempts_exceeded')
  })

  it('wrong codes each count when they come at the same moment, and nothing behind them is looked at', async () => {
    const fixture = await EngineFixture.open()
    const started = startOtp(PHONE)
    fixture.do(started)
    const guesses = [...Array.from({ length: OTP_CHECKS_MAX }, () => WRONG), 'right']
    const sent = guesses.map((codeHash) => fixture.send(verifyOtp(started, codeHash)))
    fixture.settle()
    assert.deepEqual(
      sent.map(({ outcome }) => outcomeStatus(outcome)),
      [401, 401, 401, 401, 429, 429],
    )
  })

  it('wrong codes are not forgotten by a restart', async () => {
    const fixture = await EngineFixture.open()
    const started = startOtp(PHONE)
    fixture.do(started)
    for (let time = 0; time < OTP_CHECKS_MAX; time++) fixture.do(verifyOtp(started, WRONG))
    await restartAndCompare(fixture)
    assert.equal(told(fixture.do(verifyOtp(started))), 'otp_attempts_exceeded')
  })

  it('wrong codes of one challenge do not count for another', async () => {
    const fixture = await EngineFixture.open()
    const [first, second] = [startOtp(PHONE), startOtp(PHONE)]
    for (const started of [first, second]) fixture.do(started)
    for (let time = 0; time < OTP_CHECKS_MAX; time++) fixture.do(verifyOtp(first, WRONG))
    assert.equal(told(fixture.do(verifyOtp(second))), '200')
  })
})

describe('sends', () => {
  const limit = counted('phone:x', 5, 600_000)

  it('sends are refused beyond the limit, and come back one by one as the window moves', async () => {
    const fixture = await EngineFixture.open()
    const ask = (): string => told(fixture.do(startOtp(LIVE_PHONE, 'login', { counted: [limit] })))
    for (let time = 0; time < 5; time++) {
      assert.equal(ask(), '200')
      fixture.loop.nowMs += 1000
    }
    assert.equal(ask(), 'rate_limited')
    assert.equal(sendWaitMs(fixture.state, limit, fixture.engine.nowMs()), 595_000)
    fixture.loop.nowMs += 594_999
    assert.equal(ask(), 'rate_limited')
    fixture.loop.nowMs += 1
    assert.equal(ask(), '200')
    assert.equal(ask(), 'rate_limited')
  })

  it('sends that were refused do not count', async () => {
    const fixture = await EngineFixture.open()
    const both = [limit, counted('address:y', 6, 3_600_000)]
    for (let time = 0; time < 5; time++) fixture.do(startOtp(LIVE_PHONE, 'login', { counted: both }))
    for (let time = 0; time < 5; time++) fixture.do(startOtp(LIVE_PHONE, 'login', { counted: both }))
    assert.equal(told(fixture.do(startOtp('+221770000002', 'login', { counted: [both[1] as (typeof both)[1]] }))), '200')
  })

  it('sends are counted across a restart and a clock that goes back', async () => {
    const fixture = await EngineFixture.open()
    const ask = (): string => told(fixture.do(startOtp(LIVE_PHONE, 'login', { counted: [limit] })))
    for (let time = 0; time < 5; time++) ask()
    fixture.loop.nowMs -= 3_600_000
    await restartAndCompare(fixture)
    assert.equal(ask(), 'rate_limited')
  })

  it('sends at the same moment: no more than the limit go through', async () => {
    const fixture = await EngineFixture.open()
    const sent = Array.from({ length: 9 }, () => fixture.send(startOtp(LIVE_PHONE, 'login', { counted: [limit] })))
    fixture.settle()
    assert.equal(sent.filter(({ outcome }) => outcome?.kind === 'ok').length, 5)
  })
})

describe('what is kept', () => {
  it('what is kept goes when it has expired, in the same moment after a restart from a snapshot as without one', async () => {
    const fixture = await EngineFixture.open()
    const other = await EngineFixture.open()
    for (const one of [fixture, other]) {
      for (let time = 0; time < 3; time++) {
        one.do(startOtp(`+22177000001${time}`, 'login', { counted: [counted(`phone:${time}`, 5, 600_000)] }))
        one.loop.nowMs += 60_000
      }
      shownCode(one, PHONE, 'signup')
    }
    // A close stores a snapshot; the other goes on without.
    await fixture.close()
    await fixture.start()
    for (const one of [fixture, other]) {
      one.loop.nowMs += SIGNUP_LIFETIME_MS
      one.do(startOtp(PHONE))
      assert.equal(one.state.auth.challenges.size, 1)
      assert.equal(one.state.auth.sends.size, 0)
      assert.equal(one.state.auth.signups.size, 0)
      assert.equal(one.state.auth.challengeCount('live'), 0)
    }
  })

  it(`what is kept is at most ${CHALLENGES_PER_PHONE_MAX} challenges of a phone and purpose: the oldest gives way`, async () => {
    const fixture = await EngineFixture.open()
    const started = Array.from({ length: CHALLENGES_PER_PHONE_MAX + 1 }, () => startOtp(PHONE))
    for (const one of started) fixture.do(one)
    assert.equal(fixture.state.auth.challenges.size, CHALLENGES_PER_PHONE_MAX)
    assert.equal(told(fixture.do(verifyOtp(started[0] as (typeof started)[0]))), 'otp_expired')
    assert.equal(told(fixture.do(verifyOtp(started[1] as (typeof started)[0]))), '200')
    assert.equal(fixture.state.auth.challengesOf('signup', PHONE).at(-1)?.id, started.at(-1)?.challengeId)
  })

  it('what is kept of another address does not give way: a stranger who asks again and again leaves the owner’s challenge open', async () => {
    const fixture = await EngineFixture.open()
    const owners = startOtp(PHONE, 'login', { origin: from('home') })
    fixture.do(owners)
    for (let count = 0; count < 2 * CHALLENGES_PER_PHONE_MAX; count++) fixture.do(startOtp(PHONE, 'login', { origin: from('abroad') }))
    assert.equal(fixture.state.auth.challenges.size, 1 + CHALLENGES_PER_PHONE_MAX)
    assert.equal(fixture.state.auth.newestFrom('login', PHONE, 'address home')?.id, owners.challengeId)
    assert.equal(fixture.state.auth.newestFrom('login', PHONE, 'address elsewhere'), undefined)
    await restartAndCompare(fixture)
    assert.equal(fixture.state.auth.newestFrom('login', PHONE, 'address home')?.id, owners.challengeId)
  })
})

const TEST_MAX = CHALLENGES.max.test ?? 0

describe('a full table of challenges', () => {
  const phoneOf = (count: number): string => `+22500${String(count).padStart(8, '0')}`

  it('a full table of challenges drops the oldest challenge of the busiest network for a new one, and those of other networks stay', async () => {
    const fixture = await EngineFixture.open()
    const owners = startOtp(PHONE, 'login', { origin: from('home') })
    fixture.do(owners)
    for (let count = 1; count < TEST_MAX; count++) {
      fixture.send(startOtp(phoneOf(count), 'signup', { origin: from(`abroad ${count % 3}`) }))
      if (count % 1000 === 999) fixture.settle()
    }
    fixture.settle()
    assert.equal(fixture.state.auth.challengeCount('test'), TEST_MAX)
    const another = startOtp(phoneOf(0), 'signup', { origin: from('work') })
    assert.equal(told(fixture.do(another)), '200')
    assert.equal(fixture.state.auth.challengeCount('test'), TEST_MAX)
    assert.equal(told(fixture.do(startOtp(LIVE_PHONE))), '200', 'the other environment has a table of its own')
    for (const started of [owners, another]) assert.equal(told(fixture.do(verifyOtp(started, WRONG))), 'otp_incorrect')
    await restartAndCompare(fixture)
    fixture.loop.nowMs += OTP_LIFETIME_MS
    assert.equal(told(fixture.do(startOtp(PHONE))), '200')
    assert.equal(fixture.state.auth.challengeCount('test'), 1)
  })
})

describe('networks on which a wallet’s owner has signed in', () => {
  it(`networks on which a wallet’s owner has signed in are remembered, ${KNOWN_NETWORKS_MAX} at most, the newest first, also over a restart`, async () => {
    const fixture = await EngineFixture.open()
    const account = signUp(fixture, PHONE, 'awa')
    const logIn = (network: string): void => {
      fixture.do({ type: 'CompleteLogin', tokenHash: shownCode(fixture, PHONE, 'login'), device: device('one'), network })
    }
    for (let count = 0; count <= KNOWN_NETWORKS_MAX; count++) logIn(`network ${count}`)
    assert.equal(fixture.state.auth.isKnownNetwork(account, 'network 0'), false)
    assert.equal(fixture.state.auth.isKnownNetwork(account, 'network 1'), true)
    const records = fixture.records.length
    logIn(`network ${KNOWN_NETWORKS_MAX}`)
    const types = fixture.records.slice(records).flatMap(({ events }) => events.map(({ type }) => type))
    assert.ok(!types.includes('network.remembered'), 'the newest one leaves no second record')
    await restartAndCompare(fixture)
    assert.equal(fixture.state.auth.knownNetworks.get(String(account))?.networks.length, KNOWN_NETWORKS_MAX)
  })
})

function from(name: string) {
  return { address: `address ${name}`, network: `network ${name}` } as const
}
