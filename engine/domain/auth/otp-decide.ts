// Deciders that send and check one-time codes. A code is checked in a turn: concurrent guesses are all counted, and
// of two right codes one wins.
import { type Environment, environmentOfPhone } from '../../kernel/environment.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event, rejectedBy } from '../decision.ts'
import { type OutgoingText, textEvents, textRefusal } from '../message/outgoing.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { LOGIN_LIFETIME_MS, OTP_CHECKS_MAX, OTP_LIFETIME_MS, type SendLimit, SIGNUP_LIFETIME_MS } from './auth-limits.ts'
import type { Challenge, Login, Origin, OtpPurpose, Signup } from './sign-in-rows.ts'

/** A window that counts a send. */
export interface CountedSend {
  /** Key of the count: a phone, an address or an identifier, with its kind as prefix. */
  readonly key: string
  readonly limit: SendLimit
}

export interface StartOtp {
  readonly type: 'StartOtp'
  /** UUIDv7 made by the caller, because the hash depends on it. */
  readonly challengeId: string
  readonly purpose: OtpPurpose
  readonly environment: Environment
  /** E.164; for a payment, the identifier that the payer gave, normalized. */
  readonly identifier: string
  /** For a payment: its subject. */
  readonly subject: string
  /** For a payment: the wallet, null when the identifier belongs to no wallet. */
  readonly account: AccountNumber | null
  readonly codeHash: string
  readonly counted: readonly CountedSend[]
  /** Origin of the request. */
  readonly origin: Origin
  /** The code for its phone; absent when it reaches none. */
  readonly message?: OutgoingText
}

export interface VerifyOtp {
  readonly type: 'VerifyOtp'
  readonly challengeId: string
  readonly purpose: OtpPurpose
  readonly identifier: string
  readonly subject: string
  readonly codeHash: string
  /** SHA-256 of the token that the right code opens; empty for a payment. */
  readonly tokenHash: string
}

/** Grants sign-up or login on another party's confirmation instead of a code. */
export interface GrantSignIn {
  readonly type: 'GrantSignIn'
  readonly purpose: 'signup' | 'login'
  readonly phone: string
  readonly tokenHash: string
}

export const START_OTP_REJECTIONS = ['rate_limited', 'quota_exceeded'] as const

/**
 * Returns `ok` and `{challenge_id}`, the same for known and unknown identifiers. Rejections: rate_limited;
 * quota_exceeded while too many text messages of the network, or of all, wait for the gateway, with or without one of its own.
 * A full table drops another challenge.
 */
export function decideStartOtp(state: State, command: StartOtp, context: Context): Decision<(typeof START_OTP_REJECTIONS)[number]> {
  const { challengeId, purpose, environment, identifier, subject, account, codeHash, counted, origin, message } = command
  const { timeMs } = context
  if (counted.some((send) => sendWaitMs(state, send, timeMs) > 0)) return { refusal: 'rate_limited' }
  const refusal = environment === 'live' ? textRefusal(state, origin.network, isKnownNetwork(state, command)) : null
  if (refusal !== null) return refusal
  const challenge: Challenge = {
    id: challengeId,
    purpose,
    environment,
    identifier,
    subject,
    account,
    code_hash: codeHash,
    failures: 0,
    expires_at_ms: timeMs + OTP_LIFETIME_MS,
    origin,
  }
  const sends = counted.map(({ key, limit }) => ({ key, within_ms: limit.withinMs }))
  const replaced = state.auth.challengeToDrop(challenge, timeMs)
  const started = event('otp.started', 1, state.settlementAccount(environment), { challenge, sends, replaced })
  const texts = message === undefined ? [] : textEvents(state, context, origin.network, message)
  return accept(environment, [started, ...texts], { challenge_id: challengeId })
}

/** Returns whether the owner of the phone has signed in from the network of the request. */
function isKnownNetwork({ auth, wallets }: State, { account, identifier, origin }: StartOtp): boolean {
  const owner = account ?? wallets.byPhone(identifier)?.account
  return owner !== undefined && auth.isKnownNetwork(owner, origin.network)
}

/** Returns the time until the window has room, 0 when it has. */
export function sendWaitMs(state: State, { key, limit }: CountedSend, nowMs: TimeMs): number {
  const times = state.auth.sends.get(key)?.times ?? []
  const inWindow = times.filter((atMs) => atMs > nowMs - limit.withinMs)
  const oldest = inWindow[inWindow.length - limit.most]
  return oldest === undefined ? 0 : oldest + limit.withinMs - nowMs
}

export const VERIFY_OTP_REJECTIONS = ['otp_expired', 'otp_attempts_exceeded', 'otp_incorrect', 'phone_taken', 'wallet_not_found'] as const

/**
 * Returns `ok` for the right code, with `{account}` for a payment; otp_incorrect for a wrong one, and from the last
 * on otp_attempts_exceeded. After a right code: phone_taken, wallet_not_found. Rejections: otp_expired for a
 * challenge that is expired, used, or has another purpose.
 */
export function decideVerifyOtp(state: State, command: VerifyOtp, context: Context): Decision<(typeof VERIFY_OTP_REJECTIONS)[number]> {
  const { challengeId, purpose, identifier, subject, codeHash } = command
  const challenge = state.auth.challenges.get(challengeId)
  if (challenge === undefined || challenge.expires_at_ms <= context.timeMs) return { refusal: 'otp_expired' }
  if (challenge.purpose !== purpose || challenge.identifier !== identifier || challenge.subject !== subject) {
    return { refusal: 'otp_expired' }
  }
  if (challenge.failures >= OTP_CHECKS_MAX) return { refusal: 'otp_attempts_exceeded' }
  const { environment, account } = challenge
  if (challenge.code_hash !== codeHash) return wrongCode(state, challenge)
  if (purpose === 'payment') {
    return accept(environment, [authEvent(state, environment, 'otp.verified', { id: challengeId })], { account })
  }
  const used = authEvent(state, environment, 'otp.used', { id: challengeId })
  return grant(state, { purpose, phone: identifier, tokenHash: command.tokenHash }, context, [used])
}

export const GRANT_SIGN_IN_REJECTIONS = ['phone_taken', 'wallet_not_found'] as const

/** Returns the same as VerifyOtp after the right code. */
export function decideGrantSignIn(
  state: State,
  command: GrantSignIn,
  context: Context,
): Decision<(typeof GRANT_SIGN_IN_REJECTIONS)[number]> {
  return grant(state, command, context, [])
}

function wrongCode(state: State, challenge: Challenge): Decision<'otp_attempts_exceeded' | 'otp_incorrect'> {
  const { id, environment } = challenge
  const failures = challenge.failures + 1
  const code = failures >= OTP_CHECKS_MAX ? 'otp_attempts_exceeded' : 'otp_incorrect'
  return rejectedBy(accept(environment, [authEvent(state, environment, 'otp.failed', { id, failures })]), code)
}

function grant(
  state: State,
  { purpose, phone, tokenHash }: Omit<GrantSignIn, 'type'>,
  context: Context,
  before: readonly StoredEvent[],
): Decision<'phone_taken' | 'wallet_not_found'> {
  const environment = environmentOfPhone(phone)
  const wallet = state.wallets.byPhone(phone)
  if (purpose === 'signup') {
    if (wallet !== undefined) return denied(environment, before, 'phone_taken')
    const expires_at_ms = context.timeMs + SIGNUP_LIFETIME_MS
    const signup: Signup = { token_hash: tokenHash, phone, family_name: null, given_name: null, tag: null, expires_at_ms }
    return accept(environment, [...before, authEvent(state, environment, 'signup.started', signup)])
  }
  if (wallet === undefined) return denied(environment, before, 'wallet_not_found')
  const login: Login = { token_hash: tokenHash, account: wallet.account, expires_at_ms: context.timeMs + LOGIN_LIFETIME_MS }
  return accept(environment, [...before, event('login.started', 1, wallet.account, login)])
}

/** Rejects and still consumes the code. Without a challenge there are no events. */
type Denial = 'phone_taken' | 'wallet_not_found'

function denied(environment: Environment, before: readonly StoredEvent[], code: Denial): Decision<Denial> {
  if (before.length === 0) return { refusal: code }
  return rejectedBy(accept(environment, before), code)
}

/** Events of persons without an account are indexed under the environment's settlement account. */
function authEvent(state: State, environment: Environment, type: string, payload: object): StoredEvent {
  return event(type, 1, state.settlementAccount(environment), payload)
}

function accept(environment: Environment, events: readonly StoredEvent[], body: object = {}): Accepted {
  return { environment, events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(body) }
}
