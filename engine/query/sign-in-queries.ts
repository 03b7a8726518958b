// Queries for wallet sign-in: one-time codes, half-done sign-ups and logins, and PINs.
import type { Challenge, Login, OtpPurpose, Pin, PinCounts, Signup } from '../domain/auth/auth-state.ts'
import { openLogin } from '../domain/auth/device-decide.ts'
import { type CountedSend, sendWaitMs } from '../domain/auth/otp-decide.ts'
import { openSignup } from '../domain/auth/signup-decide.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OfAccount } from './account-queries.ts'
import type { Reads } from './reads.ts'

export interface ByTokenHash {
  /** SHA-256 of the token. */
  readonly tokenHash: string
}

export interface NewestChallenge {
  readonly purpose: OtpPurpose
  /** The phone; of a payment, the identifier as it was given. */
  readonly identifier: string
  /** `Origin.address` of the caller. */
  readonly address: string
}

export interface PinCountsInput {
  readonly account: AccountNumber
  /** Null: the count of the wallet. */
  readonly deviceId: string | null
}

export interface OnNetwork {
  readonly account: AccountNumber
  /** `Origin.network` of the caller. */
  readonly network: string
}

/** Null for a sign-up that has expired, too. */
export function signupByToken(reads: Reads, { tokenHash }: ByTokenHash): Signup | null {
  return openSignup(reads.state, tokenHash, reads.nowMs())
}

/** Null for a login that has expired, too. */
export function loginByToken(reads: Reads, { tokenHash }: ByTokenHash): Login | null {
  return openLogin(reads.state, tokenHash, reads.nowMs())
}

/** The newest challenge that was started from the address; null when there is none. */
export function newestChallenge({ state }: Reads, { purpose, identifier, address }: NewestChallenge): Challenge | null {
  return state.auth.newestFrom(purpose, identifier, address) ?? null
}

/** Milliseconds until one more code may be sent; 0 when it may be sent now. */
export function codeWaitMs(reads: Reads, send: CountedSend): number {
  return sendWaitMs(reads.state, send, reads.nowMs())
}

/** Whether the wallet's owner has signed in on the network. */
export function isKnownNetwork({ state }: Reads, { account, network }: OnNetwork): boolean {
  return state.auth.isKnownNetwork(account, network)
}

/** The hash of the PIN is empty for a wallet without one. */
export function pinOfWallet({ state }: Reads, { account }: OfAccount): Pin {
  return state.auth.pin(account)
}

/** Wrong PINs of the wallet, or of one of its devices. */
export function pinCounts({ state }: Reads, { account, deviceId }: PinCountsInput): PinCounts {
  return state.auth.pinCounts(account, deviceId)
}
