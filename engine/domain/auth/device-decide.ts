// Deciders of the last step of a login, and of the end of devices and sessions.
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import type { PlannedFrame } from '../stream/stream-state.ts'
import { deviceEvents, type NewDevice, rememberedEvents, removedEvent, revokedEvent } from './device-events.ts'
import type { DeviceRow, MessageLanguage, PushToken, PushTokenSet, SessionPushToken } from './device-row.ts'
import type { Login } from './sign-in-rows.ts'

export interface CompleteLogin {
  readonly type: 'CompleteLogin'
  readonly tokenHash: string
  readonly device: NewDevice
  /** Keyed hash of the caller's network, stored for the wallet. */
  readonly network?: string
}

export interface RemoveDevice {
  readonly type: 'RemoveDevice'
  readonly account: AccountNumber
  readonly deviceId: string
}

/** Ends every session of one device; the device stays registered. */
export interface LogOut {
  readonly type: 'LogOut'
  readonly account: AccountNumber
  readonly deviceId: string
}

/** Stores the address of a device for push notifications, for its current session. */
export interface SetPushToken {
  readonly type: 'SetPushToken'
  readonly account: AccountNumber
  readonly deviceId: string
  readonly push: PushToken
  /** Language of the app. Absent: French. */
  readonly language?: MessageLanguage
}

export const COMPLETE_LOGIN_REJECTIONS = ['unauthorized'] as const

/** The caller has checked the PIN. Returns `ok` and `{account, session_id}`. Rejections: unauthorized. */
export function decideCompleteLogin(
  state: State,
  command: CompleteLogin,
  context: Context,
): Decision<(typeof COMPLETE_LOGIN_REJECTIONS)[number]> {
  const login = openLogin(state, command.tokenHash, context.timeMs)
  if (login === null) return { refusal: 'unauthorized' }
  const { account, token_hash } = login
  const { events, sessionId, isNew } = deviceEvents(state, account, command.device, context)
  const all = [...events, event('login.completed', 1, account, { token_hash }), ...rememberedEvents(state, account, command.network)]
  const frames = all.flatMap(({ type }, index): PlannedFrame[] => {
    if (type === 'device.removed') return [plannedFrame(account, 'session.revoked', index)]
    return isNew && type === 'device.registered' ? [plannedFrame(account, 'device.added', index)] : []
  })
  return accept(state, account, all, frames, { account, session_id: sessionId })
}

export const REMOVE_DEVICE_REJECTIONS = ['not_found'] as const

/** Returns `ok` and `{id, deleted: true}`. Rejections: not_found. */
export function decideRemoveDevice(state: State, { account, deviceId }: RemoveDevice): Decision<(typeof REMOVE_DEVICE_REJECTIONS)[number]> {
  const device = state.auth.device(account, deviceId)
  if (device === undefined) return { refusal: 'not_found' }
  return accept(state, account, [removedEvent(device)], [plannedFrame(account, 'session.revoked', 0)], { id: deviceId, deleted: true })
}

export const SET_PUSH_TOKEN_REJECTIONS = ['not_found'] as const

/**
 * Returns `ok` and `{id, provider}`. A token belongs to one device: another device that sent it, also of another
 * wallet, loses it. Rejections: not_found.
 */
export function decideSetPushToken(
  state: State,
  { account, deviceId, push, language = 'fr' }: SetPushToken,
): Decision<(typeof SET_PUSH_TOKEN_REJECTIONS)[number]> {
  const device = state.auth.device(account, deviceId)
  if (device === undefined) return { refusal: 'not_found' }
  const other = state.auth.deviceOfPushToken(push)
  const isOther = other !== undefined && (other.account !== account || other.id !== deviceId)
  const taken = isOther ? [pushTokenEvent(other, null)] : []
  const set = pushTokenEvent(device, { ...push, session_id: device.session_id, language })
  return accept(state, account, [...taken, set], [], { id: deviceId, provider: push.provider })
}

function pushTokenEvent({ account, id }: DeviceRow, push: SessionPushToken | null): StoredEvent {
  const payload: PushTokenSet = { account, id, push }
  return event('device.push_token_set', 1, account, payload)
}

export const LOG_OUT_REJECTIONS = ['unauthorized'] as const

/** Returns `ok` and `{ok: true}`. Rejections: unauthorized (the device was removed). */
export function decideLogOut(state: State, { account, deviceId }: LogOut, context: Context): Decision<(typeof LOG_OUT_REJECTIONS)[number]> {
  const device = state.auth.device(account, deviceId)
  if (device === undefined) return { refusal: 'unauthorized' }
  return accept(state, account, [revokedEvent(device, 'logout', context)], [plannedFrame(account, 'session.revoked', 0)], { ok: true })
}

/** Returns null when no open login has the token. */
export function openLogin(state: State, tokenHash: string, nowMs: TimeMs): Login | null {
  const login = state.auth.logins.get(tokenHash)
  return login === undefined || login.expires_at_ms <= nowMs ? null : login
}

function accept(
  state: State,
  account: AccountNumber,
  events: readonly StoredEvent[],
  frames: readonly PlannedFrame[],
  body: object,
): Accepted {
  return { environment: state.accounts.environment(account), events, transactions: [], frames, kind: 'ok', body: JSON.stringify(body) }
}
