// Appliers of wallet sign-in.
import { assert } from '../../kernel/assert.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { CHALLENGES_PER_PHONE_MAX, KNOWN_NETWORKS_MAX } from './auth-limits.ts'
import type { Authentication } from './auth-state.ts'
import { type DeviceRow, deviceKey, type PushTokenSet } from './device-row.ts'
import type { Challenge, DevicePin, Login, Pin, Signup } from './sign-in-rows.ts'

interface OtpStarted {
  readonly challenge: Challenge
  readonly sends: readonly { readonly key: string; readonly within_ms: TimeMs }[]
  /** Id of the challenge that a full table dropped. */
  readonly replaced: string | null
}

interface SessionRevoked extends Pick<DeviceRow, 'account' | 'id' | 'session_id'> {
  readonly reason: string
}

export const AUTH_EVENTS = {
  'otp.started@1': startOtp,
  'otp.failed@1': failOtp,
  // The code is valid until the payment is made or the challenge expires.
  'otp.verified@1': null,
  'otp.used@1': useOtp,
  'signup.started@1': startSignup,
  'signup.identified@1': changeSignup,
  'signup.tagged@1': changeSignup,
  'signup.completed@1': completeSignup,
  'login.started@1': startLogin,
  'login.completed@1': completeLogin,
  'pin.set@1': setPin,
  'pin.checked@1': checkPin,
  'device_pin.checked@1': checkDevicePin,
  'device.registered@1': registerDevice,
  'device.removed@1': removeDevice,
  'device.push_token_set@1': setPushToken,
  'session.revoked@1': revokeSession,
  'network.remembered@1': rememberNetwork,
} satisfies EventTable

/** Challenges of other addresses are unchanged: requests of another party do not end the owner's challenge. */
function startOtp({ auth }: State, { challenge, sends, replaced }: OtpStarted, _event: StoredEvent, record: LogRecord): void {
  auth.forget(record.timeMs)
  countSends(auth, sends, record.timeMs)
  if (replaced !== null && auth.challenges.get(replaced) !== undefined) auth.challenges.delete(replaced)
  auth.challenges.set(challenge.id, challenge)
  const rows = auth.challengesOf(challenge.purpose, challenge.identifier)
  dropOldest(
    auth,
    rows.filter(({ origin }) => origin.address === challenge.origin.address),
  )
}

function countSends(auth: Authentication, sends: OtpStarted['sends'], timeMs: TimeMs): void {
  for (const { key, within_ms } of sends) {
    const times = auth.sends.get(key)?.times ?? []
    auth.sends.set(key, { key, within_ms, times: [...times.filter((atMs) => atMs > timeMs - within_ms), timeMs] })
  }
}

function dropOldest(auth: Authentication, [oldest, ...newer]: readonly Challenge[]): void {
  if (oldest !== undefined && newer.length >= CHALLENGES_PER_PHONE_MAX) auth.challenges.delete(oldest.id)
}

function failOtp({ auth }: State, { id, failures }: Pick<Challenge, 'id' | 'failures'>): void {
  const challenge = auth.challenges.get(id)
  assert(challenge !== undefined, 'the challenge is open')
  auth.challenges.set(id, { ...challenge, failures })
}

function useOtp({ auth }: State, { id }: Pick<Challenge, 'id'>): void {
  auth.challenges.delete(id)
}

function startSignup({ auth }: State, signup: Signup, _event: StoredEvent, record: LogRecord): void {
  auth.forget(record.timeMs)
  auth.signups.set(signup.token_hash, signup)
}

function changeSignup({ auth }: State, change: Pick<Signup, 'token_hash'> & Partial<Signup>): void {
  const signup = auth.signups.get(change.token_hash)
  assert(signup !== undefined, 'the sign-up is open')
  auth.signups.set(signup.token_hash, { ...signup, ...change })
}

function completeSignup({ auth }: State, { token_hash }: Pick<Signup, 'token_hash'>): void {
  auth.signups.delete(token_hash)
}

function startLogin({ auth }: State, login: Login, _event: StoredEvent, record: LogRecord): void {
  auth.forget(record.timeMs)
  auth.logins.set(login.token_hash, login)
}

function completeLogin({ auth }: State, { token_hash }: Pick<Login, 'token_hash'>): void {
  auth.logins.delete(token_hash)
}

function setPin({ auth }: State, { account, hash, generation }: Pick<Pin, 'account' | 'hash' | 'generation'>): void {
  auth.pins.set(String(account), { account, hash, generation, failures: 0, locks: 0, locked_until_ms: 0 })
}

function checkPin({ auth }: State, counts: Pick<Pin, 'account' | 'failures' | 'locks' | 'locked_until_ms'>): void {
  auth.pins.set(String(counts.account), { ...auth.pin(counts.account), ...counts })
}

function checkDevicePin({ auth }: State, counts: DevicePin): void {
  const key = deviceKey(counts.account, counts.device_id)
  const isClean = counts.failures === 0 && counts.locks === 0
  if (!isClean) auth.devicePins.set(key, counts)
  else if (auth.devicePins.get(key) !== undefined) auth.devicePins.delete(key)
}

/** A device is registered after the right PIN, so its earlier wrong PINs no longer count. */
function registerDevice({ auth }: State, device: DeviceRow): void {
  const key = deviceKey(device.account, device.id)
  auth.devices.set(key, device)
  if (auth.devicePins.get(key) !== undefined) auth.devicePins.delete(key)
}

function removeDevice({ auth }: State, { account, id }: Pick<DeviceRow, 'account' | 'id'>): void {
  const key = deviceKey(account, id)
  auth.devices.delete(key)
  if (auth.devicePins.get(key) !== undefined) auth.devicePins.delete(key)
}

function setPushToken({ auth }: State, { account, id, push }: PushTokenSet): void {
  const device = auth.device(account, id)
  assert(device !== undefined, 'the device is registered')
  const { push: _replaced, ...rest } = device
  auth.devices.set(deviceKey(account, id), push === null ? rest : { ...rest, push })
}

function rememberNetwork({ auth }: State, { account, network }: { readonly account: number; readonly network: string }): void {
  const others = (auth.knownNetworks.get(String(account))?.networks ?? []).filter((known) => known !== network)
  auth.knownNetworks.set(String(account), { account, networks: [network, ...others].slice(0, KNOWN_NETWORKS_MAX) })
}

function revokeSession({ auth }: State, { account, id, session_id }: SessionRevoked): void {
  const device = auth.device(account, id)
  assert(device !== undefined, 'the device is registered')
  auth.devices.set(deviceKey(account, id), { ...device, session_id })
}
