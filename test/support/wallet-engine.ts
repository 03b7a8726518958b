// Sign-in in the engine: short ways to the commands, and what each row starts from. Hashes are plain words here: the
// engine compares them and knows no more.

import assert from 'node:assert/strict'
import type { Outcome } from '../../engine/actor/envelope.ts'
import { LOGIN_LIFETIME_MS, OTP_LIFETIME_MS, SIGNUP_LIFETIME_MS } from '../../engine/domain/auth/auth-limits.ts'
import type { CountedSend, StartOtp, VerifyOtp } from '../../engine/domain/auth/otp-decide.ts'
import type { Command } from '../../engine/domain/command.ts'
import { environmentOfPhone } from '../../engine/kernel/environment.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { type EngineFixture, stateRows } from './engine-fixture.ts'
import { outcomeStatus } from './outcome-status.ts'

export const PHONE = '+2250000099001'
export const LIVE_PHONE = '+221770000001'
export { LOGIN_LIFETIME_MS, OTP_LIFETIME_MS, SIGNUP_LIFETIME_MS }

/** Origin of requests whose network does not matter. */
export const HOME = { address: 'home', network: 'home' } as const

let challenges = 0

/** Ids ascend, as those of the server do. */
export function newChallengeId(): string {
  return `01a1fbec-0000-7000-8000-${String(++challenges).padStart(12, '0')}`
}

export function startOtp(phone: string, purpose: StartOtp['purpose'] = 'signup', more: Partial<StartOtp> = {}): StartOtp {
  const environment = environmentOfPhone(phone)
  return {
    type: 'StartOtp',
    challengeId: newChallengeId(),
    purpose,
    environment,
    identifier: phone,
    subject: '',
    account: null,
    codeHash: 'right',
    counted: [],
    origin: HOME,
    ...more,
  }
}

export function verifyOtp(started: StartOtp, codeHash = 'right', more: Partial<VerifyOtp> = {}): VerifyOtp {
  const { challengeId, purpose, identifier, subject } = started
  return { type: 'VerifyOtp', challengeId, purpose, identifier, subject, codeHash, tokenHash: `token-${challengeId}`, ...more }
}

export function counted(key: string, most: number, withinMs: number): CountedSend {
  return { key, limit: { most, withinMs } }
}

/** Starts and shows the right code; answers the hash of the token that it opened. */
export function shownCode(fixture: EngineFixture, phone: string, purpose: 'signup' | 'login'): string {
  const started = startOtp(phone, purpose)
  assert.equal(fixture.do(started).kind, 'ok')
  const verify = verifyOtp(started)
  assert.equal(told(fixture.do(verify)), '200')
  return verify.tokenHash
}

export function device(id: string, tokenHash = `device-${id}`) {
  return { id, name: `Phone ${id}`, platform: 'android', tokenHash } as const
}

/** Signs up from the first code to the PIN; answers the account. */
export function signUp(fixture: EngineFixture, phone: string, tag: string, deviceId = 'one'): AccountNumber {
  const tokenHash = shownCode(fixture, phone, 'signup')
  const steps: Command[] = [
    { type: 'SetSignupIdentity', tokenHash, familyName: 'Diallo', givenName: 'Awa' },
    { type: 'SetSignupTag', tokenHash, tag },
    { type: 'CompleteSignup', tokenHash, pinHash: 'pin', device: device(deviceId) },
  ]
  for (const step of steps) assert.equal(told(fixture.do(step)), '200')
  const wallet = fixture.state.wallets.byPhone(phone)
  assert.ok(wallet !== undefined)
  return wallet.account
}

/** Logs in on the device; the PIN is checked elsewhere. */
export function logIn(fixture: EngineFixture, phone: string, deviceId: string, tokenHash?: string): Outcome {
  const loginHash = shownCode(fixture, phone, 'login')
  return fixture.do({ type: 'CompleteLogin', tokenHash: loginHash, device: device(deviceId, tokenHash) })
}

/** The status, or the code of a refusal. */
export function told({ kind, body }: Outcome): string {
  return (JSON.parse(body) as { code?: string }).code ?? String(outcomeStatus({ kind }))
}

/** Restarts on what log and archive hold, and makes sure that nothing was forgotten or remembered too much. */
export async function restartAndCompare(fixture: EngineFixture): Promise<void> {
  const before = stateRows(fixture.state)
  await fixture.start()
  assert.deepEqual(stateRows(fixture.state), before)
}
