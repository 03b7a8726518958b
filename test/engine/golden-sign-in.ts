// The scenario behind the golden file of sign-in since challenges know where they were asked for.

import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

const PHONE = '+221770000042'

export function playSignInFromNetworks(fixture: EngineFixture): void {
  const device = (id: string) => ({ id, name: 'Téléphone', platform: 'android', tokenHash: `device ${id}` })
  const origin = (name: string) => ({ address: `address ${name}`, network: `network ${name}` })
  const otp = (challengeId: string, purpose: 'signup' | 'login') => ({ challengeId, purpose, identifier: PHONE, subject: '' }) as const
  const counted = [{ key: `phone:${PHONE}@network home`, limit: { most: 5, withinMs: 600_000 } }]
  const start = { type: 'StartOtp', environment: 'live', account: null, codeHash: 'right', counted } as const
  const verify = { type: 'VerifyOtp', codeHash: 'right' } as const
  const [first, second] = ['01a0c450-0000-7000-8000-000000000011', '01a0c450-0000-7000-8000-000000000012']
  must(fixture, { ...start, ...otp(first, 'signup'), origin: origin('home') }, 200)
  must(fixture, { ...verify, ...otp(first, 'signup'), tokenHash: 'signup' }, 200)
  must(fixture, { type: 'SetSignupIdentity', tokenHash: 'signup', familyName: 'Diallo', givenName: 'Awa' }, 200)
  must(fixture, { type: 'SetSignupTag', tokenHash: 'signup', tag: 'awa' }, 200)
  must(fixture, { type: 'CompleteSignup', tokenHash: 'signup', pinHash: 'pin 1', device: device('a'), network: 'network home' }, 200)
  const account = fixture.state.wallets.byPhone(PHONE)?.account ?? -1
  must(fixture, { ...start, ...otp(second, 'login'), origin: origin('work') }, 200)
  must(fixture, { ...verify, ...otp(second, 'login'), tokenHash: 'login' }, 200)
  must(fixture, { type: 'CompleteLogin', tokenHash: 'login', device: device('b'), network: 'network work' }, 200)
  const wrong = { type: 'RecordPinCheck', account, ok: false, generation: 1 } as const
  for (let tries = 1; tries < 5; tries++) must(fixture, { ...wrong, deviceId: 'a' }, 401)
  must(fixture, { ...wrong, deviceId: 'a' }, 423)
  must(fixture, wrong, 423, 'locked with the device')
  must(fixture, { ...wrong, deviceId: 'b' }, 401)
  must(fixture, { ...wrong, deviceId: 'b', ok: true }, 200)
  must(fixture, { ...start, ...otp('01a0c450-0000-7000-8000-000000000013', 'login'), origin: origin('home') }, 200)
}
