// Queries for wallet sign-in: one-time codes, unfinished sign-ups and logins, and PINs.

import { openLogin } from '../domain/auth/device-decide.ts'
import { type CountedSend, sendWaitMs } from '../domain/auth/otp-decide.ts'
import type { Challenge, Login, OtpPurpose, Pin, PinCounts, Signup } from '../domain/auth/sign-in-rows.ts'
import { openSignup } from '../domain/auth/signup-decide.ts'
import type { Environment } from '../kernel/environment.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OfAccount } from './account-queries.ts'
import type { Reads } from './reads.ts'

export interface ByTokenHash {
  /** SHA-256 of the token. */
  readonly tokenHash: string
}

export interface NewestChallenge {
  readonly purpose: OtpPurpose
  /** The phone; for a payment, the identifier that the payer typed. */
  readonly identifier: string
  /** `Origin.address` of the caller. */
  readonly address: string
}

export interface PinCountsInput {
  readonly account: AccountNumber
  /** Null for the count of the wallet. */
  readonly deviceId: string | null
}

export interface OnNetwork {
  readonly account: AccountNumber
  /** `Origin.network` of the caller. */
  readonly network: string
}

/** Returns null for an unknown or expired sign-up. */
export function signupByToken(reads: Reads, { tokenHash }: ByTokenHash): Signup | null {
  return openSignup(reads.state, tokenHash, reads.nowMs())
}

/** Returns null for an unknown or expired login. */
export function loginByToken(reads: Reads, { tokenHash }: ByTokenHash): Login | null {
  return openLogin(reads.state, tokenHash, reads.nowMs())
}

/** Returns the newest challenge started from the address; null when there is none. */
export function newestChallenge({ state }: Reads, { purpose, identifier, address }: NewestChallenge): Challenge | null {
  return state.auth.newestFrom(purpose, identifier, address) ?? null
}

/** Returns the milliseconds until another code may be sent; 0 when it may be sent now. */
export function codeWaitMs(reads: Reads, send: CountedSend): number {
  return sendWaitMs(reads.state, send, reads.nowMs())
}

/** Returns whether the wallet's owner has signed in from the network. */
export function isKnownNetwork({ state }: Reads, { account, network }: OnNetwork): boolean {
  return state.auth.isKnownNetwork(account, network)
}

/** Returns the PIN. Its hash is empty for a wallet without a PIN. */
export function pinOfWallet({ state }: Reads, { account }: OfAccount): Pin {
  return state.auth.pin(account)
}

/** Returns the counts of wrong PINs of the wallet, or of one of its devices. */
export function pinCounts({ state }: Reads, { account, deviceId }: PinCountsInput): PinCounts {
  return state.auth.pinCounts(account, deviceId)
}

export interface LockedWallet {
  readonly tag: string
  readonly environment: Environment
  /** Locks in a row. */
  readonly locks: number
  readonly lockedUntilMs: TimeMs
}

export interface LockedWalletsInput {
  readonly limit: number
}

/** Returns wallets whose PIN is locked, or was locked and not entered rightly since; the one locked last in front. */
export function lockedWallets({ state }: Reads, { limit }: LockedWalletsInput): LockedWallet[] {
  const found: LockedWallet[] = []
  for (const { account, locks, locked_until_ms } of state.auth.lockedPins.newestFirst()) {
    if (found.length === limit) break
    const wallet = state.wallets.byAccount(account)
    if (wallet === undefined) continue
    found.push({ tag: wallet.tag, environment: state.accounts.environment(account), locks, lockedUntilMs: locked_until_ms })
  }
  return found
}
