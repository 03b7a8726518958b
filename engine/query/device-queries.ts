// Queries for the devices on which wallets are signed in.
import type { PageQuery } from '../contract/common.ts'
import type { Device as ListedDevice } from '../contract/device.ts'
import { type DeviceRow, type MessageLanguage, type PushToken, pushLanguageOf, pushTokenOf } from '../domain/auth/device-row.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OfAccount } from './account-queries.ts'
import { type ListPage, type StateRow, statePage } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'

export interface BySession {
  readonly sessionId: string
}

/** Returns null for a session that has ended. */
export function deviceOfSession({ state }: Reads, { sessionId }: BySession): DeviceRow | null {
  return state.auth.deviceOfSession(sessionId) ?? null
}

/** Returns the device; `id` is the name that the app gave it. */
export function deviceById({ state }: Reads, { account, id }: OwnId): DeviceRow | null {
  return state.auth.device(account, id) ?? null
}

/** Whether the wallet is signed in on a device. Constant time, because every payout asks it: most wallets have none. */
export function hasDevices({ state }: Reads, { account }: OfAccount): boolean {
  return state.auth.hasDevices(account)
}

export interface PushDevice {
  /** Name of the device, as the app gave it. */
  readonly id: string
  /** Null until the app sends its token in the current session. */
  readonly push: PushToken | null
  /** Language of the app that sent the token; null without a token. */
  readonly language: MessageLanguage | null
}

/** Returns the wallet's devices in order of registration, with the push tokens of their current sessions. */
export function pushDevices({ state }: Reads, { account }: OfAccount): PushDevice[] {
  return state.auth.devicesOf(account).map((device) => ({ id: device.id, push: pushTokenOf(device), language: pushLanguageOf(device) }))
}

export interface DevicesInput {
  readonly account: AccountNumber
  /** Name of the current device, as the app gave it. */
  readonly currentId: string
  readonly query: PageQuery
}

interface DeviceOfList extends StateRow {
  readonly device: DeviceRow
}

/** Returns null when the cursor belongs to another kind of list. */
export function listDevices({ state }: Reads, { account, currentId, query }: DevicesInput): ListPage | null {
  return statePage(query, {
    rows: state.auth
      .devicesOf(account)
      .map((device): DeviceOfList => ({ id: device.registration_id, created_at: device.created_at, device })),
    render: ({ device }) => publicDevice(device, currentId),
  })
}

/** Returns the device without account numbers, hashes and sessions. */
function publicDevice({ id, name, platform, created_at }: DeviceRow, currentId: string): ListedDevice {
  return { id, name, platform, current: id === currentId, created_at }
}
