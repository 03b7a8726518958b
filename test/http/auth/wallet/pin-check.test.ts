// A PIN between HTTP and engine: parallel guesses, equal ones, locks and what a key that has its result skips.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { PIN_ATTEMPTS_MAX, PIN_LOCK_MS } from '../../../../engine/domain/auth/auth-limits.ts'
import { PinChecks, type PinVerdict } from '../../../../http/auth/wallet/pin-check.ts'
import { PinHasher } from '../../../../http/auth/wallet/pin-hasher.ts'
import { ScryptThreads } from '../../../../http/crypto/scrypt-threads.ts'
import type { Call } from '../../../../http/server/route.ts'
import { MemoryEngine } from '../../../support/memory-engine.ts'

const PIN = '7391'

let threads: ScryptThreads
let hasher: PinHasher
let server: MemoryEngine
let checks: PinChecks
let account: number
let hashed: string[]

before(() => {
  threads = new ScryptThreads(1)
  hasher = new PinHasher([Buffer.alloc(32, 1)], threads)
})

after(() => threads.close())

beforeEach(async () => {
  server = await MemoryEngine.open()
  hashed = []
  const counting = {
    peppered: (pin: string) => hasher.peppered(pin),
    matches: (pin: string, stored: string, environment: 'test' | 'live') => {
      hashed.push(pin)
      return hasher.matches(pin, stored, environment)
    },
  } as unknown as PinHasher
  checks = new PinChecks(server.engine, counting, () => true)
  await server.do({ type: 'CreateTestWallet', tag: 'awa' })
  account = server.engine.state.wallets.byTag('test', 'awa')?.account ?? -1
  await setPin(PIN)
})

afterEach(() => server.close())

async function setPin(pin: string): Promise<void> {
  const { generation } = server.engine.state.auth.pin(account)
  const pinHash = await hasher.hash(pin, 'test')
  await server.do({ type: 'ChangePin', account, pinHash: String(pinHash), generation, deviceId: '' })
}

function told(verdict: PinVerdict): string {
  if (verdict.isRight) return 'right'
  const { code, attempts_left } = JSON.parse(verdict.body) as { code: string; attempts_left?: number }
  return attempts_left === undefined ? code : `${code} ${attempts_left}`
}

describe('verify', () => {
  it('verify says right, wrong with what is left, and locked with how long', async () => {
    assert.equal(told(await checks.verify(account, PIN)), 'right')
    for (let left = PIN_ATTEMPTS_MAX - 1; left > 0; left--) {
      assert.equal(told(await checks.verify(account, '0000')), `pin_incorrect ${left}`)
    }
    const locked = await checks.verify(account, '0000')
    assert.equal(told(locked), 'pin_locked')
    assert.equal(locked.isRight ? null : locked.retryAfterS, PIN_LOCK_MS / 1000)
    server.advance(60_000)
    const later = await checks.verify(account, PIN)
    assert.equal(later.isRight ? null : later.retryAfterS, PIN_LOCK_MS / 1000 - 60)
    server.advance(PIN_LOCK_MS)
    assert.equal(told(await checks.verify(account, PIN)), 'right')
  })

  it('verify hashes nothing while it is locked', async () => {
    for (let time = 0; time < PIN_ATTEMPTS_MAX; time++) await checks.verify(account, '0000')
    hashed = []
    await checks.verify(account, PIN)
    assert.deepEqual(hashed, [])
  })

  it('verify leaves no record for a right PIN with nothing to reset, and one that resets', async () => {
    const before = server.engine.lastSequence
    await checks.verify(account, PIN)
    assert.equal(server.engine.lastSequence, before)
    await checks.verify(account, '0000')
    await checks.verify(account, PIN)
    assert.equal(server.engine.lastSequence, before + 2)
    assert.equal(server.engine.state.auth.pin(account).failures, 0)
  })

  it('verify tries no more than five of a hundred guesses at the same moment', async () => {
    const guesses = Array.from({ length: 100 }, (_, index) => String(1000 + index))
    const verdicts = await Promise.all(guesses.map((guess) => checks.verify(account, guess)))
    assert.equal(hashed.length, PIN_ATTEMPTS_MAX)
    const answers = verdicts.map(told)
    for (const expected of ['pin_incorrect 4', 'pin_incorrect 3', 'pin_incorrect 2', 'pin_incorrect 1', 'pin_locked']) {
      assert.equal(answers.filter((answer) => answer === expected).length, 1, expected)
    }
    assert.equal(answers.filter((answer) => answer === 'rate_limited').length, 95)
    assert.equal(told(await checks.verify(account, PIN)), 'pin_locked')
  })

  it('verify lets the right PIN through among as many guesses as are left', async () => {
    const guesses = ['1000', '1001', '1002', '1003', PIN]
    const verdicts = await Promise.all(guesses.map((guess) => checks.verify(account, guess)))
    assert.equal(told(verdicts[4] as PinVerdict), 'right')
    assert.equal(verdicts.filter(({ isRight }) => isRight).length, 1)
  })

  it('verify counts the guesses before: after four wrong ones, one more is tried', async () => {
    for (let time = 0; time < 4; time++) await checks.verify(account, '0000')
    hashed = []
    const verdicts = await Promise.all(['1000', '1001', '1002'].map((guess) => checks.verify(account, guess)))
    assert.deepEqual(hashed, ['1000'])
    assert.deepEqual(verdicts.map(told), ['pin_locked', 'rate_limited', 'rate_limited'])
  })

  it('verify hashes a PIN that fifty requests bring at the same moment once, and counts a wrong one fifty times', async () => {
    const right = await Promise.all(Array.from({ length: 50 }, () => checks.verify(account, PIN)))
    assert.ok(right.every(({ isRight }) => isRight))
    assert.equal(hashed.length, 1)
    const wrong = await Promise.all(Array.from({ length: 50 }, () => checks.verify(account, '0000')))
    assert.equal(hashed.length, 2)
    assert.deepEqual(wrong.slice(0, 4).map(told), ['pin_incorrect 4', 'pin_incorrect 3', 'pin_incorrect 2', 'pin_incorrect 1'])
    assert.ok(wrong.slice(4).every((verdict) => told(verdict) === 'pin_locked'))
  })

  it('verify does not take the PIN that was right when it was typed and changed since', async () => {
    const waiting = checks.verify(account, PIN)
    await server.do({ type: 'ChangePin', account, pinHash: String(await hasher.hash('8264', 'test')), generation: 2, deviceId: '' })
    assert.equal(server.engine.state.auth.pin(account).generation, 1, 'that change was checked against no PIN there is')
    assert.equal(told(await waiting), 'right')
    const { generation } = server.engine.state.auth.pin(account)
    let change: () => void = () => {}
    const changing = new Promise<void>((resolve) => {
      change = resolve
    })
    // The hash takes its time: the change comes in between.
    const slow = {
      peppered: (pin: string) => hasher.peppered(pin),
      matches: (...typed: Parameters<PinHasher['matches']>) => changing.then(() => hasher.matches(...typed)),
    }
    const begun = new PinChecks(server.engine, slow as unknown as PinHasher, () => true).verify(account, PIN)
    await server.do({ type: 'ChangePin', account, pinHash: 'scrypt:none', generation, deviceId: '' })
    change()
    assert.equal(told(await begun), 'pin_incorrect 4')
  })

  it('verify tries nothing that it could not count', async () => {
    const full = new PinChecks(server.engine, hasher, () => false)
    const verdict = await full.verify(account, '0000')
    assert.equal(told(verdict), 'unavailable')
    assert.equal(server.engine.state.auth.pin(account).failures, 0)
  })
})

describe('guard', () => {
  /** A call that notes what it is answered with. */
  function newCall(key: string | null): { call: Call; answered: Promise<number> } {
    let answer: (status: number) => void = () => {}
    const answered = new Promise<number>((resolve) => {
      answer = resolve
    })
    const idempotency = key === null ? null : { scope: String(account), key, fingerprint: 'same' }
    const from = { principal: { kind: 'public' }, remoteAddress: '41.82.7.9' }
    const fail = (error: unknown): void => assert.fail(String(error))
    const call = { ...from, idempotency, answerAs: answer, fail } as unknown as Call
    return { call, answered }
  }

  function go({ call, answered }: ReturnType<typeof newCall>, pin: string): Promise<number | 'next'> {
    return Promise.race([answered, new Promise<'next'>((resolve) => checks.guard(call, { account, pin }, () => resolve('next')))])
  }

  it('guard goes on after the right PIN and answers the others', async () => {
    assert.equal(await go(newCall('k'), PIN), 'next')
    assert.equal(await go(newCall('k'), '0000'), 401)
    assert.equal(await go(newCall(null), PIN), 'next')
  })

  it('guard does not ask for the PIN when the key has its result', async () => {
    const command = { type: 'Deposit', target: { tag: 'awa' }, environment: 'test', amount: 1, reference: '', by: 'test_helper' } as const
    await new Promise((settle) => {
      server.engine.submit(
        { command, mailbox: account, idempotency: { scope: String(account), key: 'done', fingerprint: 'same' } },
        { settle },
      )
    })
    assert.equal(await go(newCall('done'), '0000'), 'next')
    assert.equal(server.engine.state.auth.pin(account).failures, 0)
    assert.deepEqual(hashed, [])
  })
})
