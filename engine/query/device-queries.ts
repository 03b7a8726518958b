// Queries for the devices that wallets are signed in on.
import type { Device } from '../domain/auth/auth-state.ts'
import type { OfAccount } from './account-queries.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'

export interface BySession {
  readonly sessionId: string
}

/** Null for a session that has ended. */
export function deviceOfSession({ state }: Reads, { sessionId }: BySession): Device | null {
  return state.auth.deviceOfSession(sessionId) ?? null
}

/** `id` is the name that the app gave the device. */
export function deviceById({ state }: Reads, { account, id }: OwnId): Device | null {
  return state.auth.device(account, id) ?? null
}

/** Names that the app gave the wallet's devices, in the order of registration. Called for every payout: most wallets have none. */
export function deviceIds({ state: { auth } }: Reads, { account }: OfAccount): string[] {
  return auth.hasDevices(account) ? auth.devicesOf(account).map(({ id }) => id) : []
}
