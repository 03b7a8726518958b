// Events that add a device to a wallet, and those that end a session; shared by sign-up, login and PIN.
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { DEVICES_MAX } from './auth-limits.ts'
import type { DeviceRow } from './device-row.ts'

declare module '../stream/stream-state.ts' {
  interface FrameTypes {
    readonly 'device.added': true
    readonly 'session.revoked': true
  }
}

/** A device with its owner's id and name. */
export interface NewDevice {
  readonly id: string
  readonly name: string
  readonly platform: string
  /** SHA-256 of the device token. */
  readonly tokenHash: string
}

/** Reason for the end of a session, stored in the event. */
export type RevocationReason = 'logout' | 'pin_changed'

/**
 * Registers the device and replaces an earlier registration of the same id. When the wallet has the maximum, the
 * oldest device is removed. `isNew`: the wallet did not have the id before.
 */
export function deviceEvents(
  state: State,
  account: AccountNumber,
  device: NewDevice,
  context: Context,
): { readonly events: readonly StoredEvent[]; readonly sessionId: string; readonly isNew: boolean } {
  const devices = state.auth.devicesOf(account)
  const isNew = devices.every(({ id }) => id !== device.id)
  const [first] = devices
  const removed = isNew && first !== undefined && devices.length >= DEVICES_MAX ? [removedEvent(first)] : []
  const row: DeviceRow = {
    account,
    id: device.id,
    registration_id: context.newId(),
    name: device.name,
    platform: device.platform,
    token_hash: device.tokenHash,
    session_id: context.newId(),
    created_at: rfc3339(context.timeMs),
  }
  return { events: [...removed, event('device.registered', 1, account, row)], sessionId: row.session_id, isNew }
}

/** Stores the network from which the owner has signed in, unless it is the newest one already. */
export function rememberedEvents(state: State, account: AccountNumber, network: string | undefined): readonly StoredEvent[] {
  const [newest] = state.auth.knownNetworks.get(String(account))?.networks ?? []
  if (network === undefined || network === newest) return []
  return [event('network.remembered', 1, account, { account, network })]
}

export function removedEvent({ account, id, name, platform }: DeviceRow): StoredEvent {
  return event('device.removed', 1, account, { account, id, name, platform })
}

/** Ends the session. The device stays registered and must sign in again. */
export function revokedEvent({ account, id, name, platform }: DeviceRow, reason: RevocationReason, context: Context): StoredEvent {
  return event('session.revoked', 1, account, { account, id, name, platform, reason, session_id: context.newId() })
}
