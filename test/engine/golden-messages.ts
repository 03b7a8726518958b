// The scenario behind the golden file of messages to the gateways and of push tokens.
import { positionOf } from '../../engine/kernel/position.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { HOME, LIVE_PHONE, signUp } from '../support/wallet-engine.ts'
import { must } from './golden-steps.ts'

const PHONE = '+2250000000043'

export function playMessages(fixture: EngineFixture): void {
  const otp = {
    type: 'StartOtp',
    purpose: 'login',
    environment: 'live',
    account: null,
    codeHash: 'right',
    counted: [],
    origin: HOME,
    subject: '',
  } as const
  const start = (id: string, to: string) => ({ ...otp, challengeId: id, identifier: to, message: { to, sealed: 'sealed:v1:text' } })
  must(fixture, start('01a0c450-0000-7000-8000-000000000021', LIVE_PHONE), 200)
  must(fixture, start('01a0c450-0000-7000-8000-000000000022', '+221770000002'), 200)
  must(fixture, start('01a0c450-0000-7000-8000-000000000023', '+221770000003'), 200)
  const [first, second] = [...fixture.state.messages.open.values()]
  const nothing = { error: null, durationMs: 12, retryAfterMs: null, jitter: 0.5 } as const
  const results = [
    { ...nothing, id: first?.id ?? '', httpStatus: 202 },
    { ...nothing, id: second?.id ?? '', httpStatus: null, error: 'timeout' },
  ]
  must(fixture, { type: 'RecordMessages', results, pushes: null }, 200)
  const awa = signUp(fixture, PHONE, 'awa')
  const kofi = signUp(fixture, '+2250000000044', 'kofi', 'two')
  const push = { provider: 'fcm', token: 'token' }
  must(fixture, { type: 'SetPushToken', account: awa, deviceId: 'one', push }, 200)
  must(fixture, { type: 'SetPushToken', account: kofi, deviceId: 'two', push }, 200, 'taken from the other device')
  const failed = {
    ...nothing,
    httpStatus: 503,
    push: { id: 'wallet:1', environment: 'test', holder: awa, position: positionOf(9, 0), untilMs: fixture.loop.nowMs + 86_400_000 },
  } as const
  must(
    fixture,
    { type: 'RecordMessages', results: [], pushes: { progress: { through: 9, beyond: [positionOf(11, 1)] }, failed: [failed] } },
    200,
  )
}

/** A push token with a language other than French, and the same device in French again. */
export function playPushLanguage(fixture: EngineFixture): void {
  const awa = signUp(fixture, PHONE, 'awa')
  const set = { type: 'SetPushToken', account: awa, deviceId: 'one', push: { provider: 'fcm', token: 'token' } } as const
  must(fixture, { ...set, language: 'en' }, 200)
  must(fixture, { ...set, language: 'fr' }, 200)
  must(fixture, { ...set, language: 'en' }, 200)
}
