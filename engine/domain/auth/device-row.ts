// A device on which a wallet is signed in, and where it takes push notifications.
import type { AccountNumber } from '../../ledger/transaction.ts'

export interface DeviceRow {
  readonly account: AccountNumber
  /** The caller's own id of the device, unique within the wallet. */
  readonly id: string
  /** UUIDv7 of its registration. */
  readonly registration_id: string
  readonly name: string
  readonly platform: string
  /** SHA-256 of the device token. */
  readonly token_hash: string
  /** The session that access tokens name. Tokens with an earlier one are revoked. */
  readonly session_id: string
  readonly created_at: string
  /** Absent until the app sends one. */
  readonly push?: SessionPushToken
}

/** Address of a device at a provider of push notifications, as the app sent it. */
export interface PushToken {
  readonly provider: string
  readonly token: string
}

/** Languages of messages. */
export type MessageLanguage = 'fr' | 'en'

/** A token is valid for the session that sent it: a device that was signed out gets no push. */
export interface SessionPushToken extends PushToken {
  readonly session_id: string
  /** Language of the app that sent it. */
  readonly language: MessageLanguage
}

/** The payload of `device.push_token_set`. */
export interface PushTokenSet extends Pick<DeviceRow, 'account' | 'id'> {
  /** Null: another device sent the same token, so this one has none. */
  readonly push: SessionPushToken | null
}

/** Returns the push token of the device's current session; null without one. */
export function pushTokenOf({ push, session_id }: Pick<DeviceRow, 'push' | 'session_id'>): PushToken | null {
  return push === undefined || push.session_id !== session_id ? null : { provider: push.provider, token: push.token }
}

/** Returns the language of the device's push token; null without a token. */
export function pushLanguageOf(device: Pick<DeviceRow, 'push' | 'session_id'>): MessageLanguage | null {
  return pushTokenOf(device) === null ? null : (device.push?.language ?? null)
}

/** Neither part holds a line feed. */
export function pushKey({ provider, token }: PushToken): string {
  return `${provider}\n${token}`
}

export function deviceKey(account: AccountNumber, id: string): string {
  return `${account}:${id}`
}
