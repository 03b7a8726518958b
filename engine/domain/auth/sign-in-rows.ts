// Rows of wallet sign-in. Codes, PINs and tokens are hashes that the caller made.
import type { Environment } from '../../kernel/environment.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

export const OTP_PURPOSES = ['signup', 'login', 'payment'] as const

export type OtpPurpose = (typeof OTP_PURPOSES)[number]

/** A code that was sent, or that would have been if its identifier belonged to a wallet. */
export interface Challenge {
  readonly id: string
  readonly purpose: OtpPurpose
  readonly environment: Environment
  /** The phone; for a payment, the identifier that the payer typed. */
  readonly identifier: string
  /** Purpose of a payment's code, such as a charge's token; empty for sign-in. */
  readonly subject: string
  /** The wallet that pays; null for sign-in, and when the identifier belongs to no wallet. */
  readonly account: AccountNumber | null
  /** Keyed hash of id and code. */
  readonly code_hash: string
  /** Number of wrong codes so far. */
  readonly failures: number
  readonly expires_at_ms: TimeMs
  /** Origin of the request. */
  readonly origin: Origin
}

/** Origin of a request, as keyed hashes: the log contains no addresses. */
export interface Origin {
  /** IPv4 address or IPv6 /64. A code entered without a challenge id counts for challenges of this address only. */
  readonly address: string
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string
}

/** Times at which codes were sent to one phone, or requested from one address. A time is dropped after its window. */
export interface SendWindow {
  readonly key: string
  /** Sorted ascending. */
  readonly times: readonly TimeMs[]
  readonly within_ms: TimeMs
}

/** A sign-up after the right code. Its steps fill in the fields. */
export interface Signup {
  /** SHA-256 of the sign-up token, the only key of the row. */
  readonly token_hash: string
  readonly phone: string
  readonly family_name: string | null
  readonly given_name: string | null
  /** Reserved while this sign-up is open. */
  readonly tag: string | null
  readonly expires_at_ms: TimeMs
}

/** A login after the right code, before the PIN. */
export interface Login {
  readonly token_hash: string
  readonly account: AccountNumber
  readonly expires_at_ms: TimeMs
}

/** A wallet's PIN and its wrong attempts. Without a row the wallet has no PIN and no wrong attempts. */
export interface Pin {
  readonly account: AccountNumber
  /** Slow keyed hash with its salt and cost; empty while the wallet has no PIN. */
  readonly hash: string
  /** Grows with each new PIN. A check that began before a change is not counted after it. */
  readonly generation: number
  /** Number of wrong PINs in a row since the last lock. */
  readonly failures: number
  /** Number of locks in a row. Each lasts twice as long as the one before. */
  readonly locks: number
  readonly locked_until_ms: TimeMs
}

/** Wrong PINs on one registered device. Without a row there are none. */
export interface DevicePin {
  readonly account: AccountNumber
  readonly device_id: string
  readonly failures: number
  readonly locks: number
  readonly locked_until_ms: TimeMs
}

/** Counts of wrong PINs, of a wallet or of one of its devices. */
export type PinCounts = Pick<DevicePin, 'failures' | 'locks' | 'locked_until_ms'>

/** Networks from which the owner of a wallet has signed in. */
export interface KnownNetworks {
  readonly account: AccountNumber
  /** `Origin.network` of each, newest first. */
  readonly networks: readonly string[]
}
