// Deciders of a sign-up after the right code: name, tag, PIN. Each finds its sign-up by the hash of its token; the
// last creates the wallet.
import { currencyOfPhone } from '../../kernel/currency.ts'
import { environmentOfPhone } from '../../kernel/environment.ts'
import { isFreeForWallets } from '../../kernel/tag.ts'
import type { TimeMs } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { type Wallet, walletCreated } from '../wallet/wallet-state.ts'
import { deviceEvents, type NewDevice, rememberedEvents } from './device-events.ts'
import type { Signup } from './sign-in-rows.ts'

export interface SetSignupIdentity {
  readonly type: 'SetSignupIdentity'
  readonly tokenHash: string
  readonly familyName: string
  readonly givenName: string
}

export interface SetSignupTag {
  readonly type: 'SetSignupTag'
  readonly tokenHash: string
  /** Normalized tag. */
  readonly tag: string
}

export interface CompleteSignup {
  readonly type: 'CompleteSignup'
  readonly tokenHash: string
  /** Slow keyed hash, with salt and cost. */
  readonly pinHash: string
  readonly device: NewDevice
  /** Keyed hash of the caller's network, stored for the wallet. */
  readonly network?: string
}

export const SET_SIGNUP_IDENTITY_REJECTIONS = ['unauthorized'] as const

/** Returns `ok` and the names. Rejections: unauthorized. */
export function decideSetSignupIdentity(
  state: State,
  command: SetSignupIdentity,
  context: Context,
): Decision<(typeof SET_SIGNUP_IDENTITY_REJECTIONS)[number]> {
  const signup = openSignup(state, command.tokenHash, context.timeMs)
  if (signup === null) return { refusal: 'unauthorized' }
  const names = { family_name: command.familyName, given_name: command.givenName }
  return accept(signup, [signupEvent(state, signup, 'signup.identified', { token_hash: signup.token_hash, ...names })], names)
}

export const SET_SIGNUP_TAG_REJECTIONS = ['unauthorized', 'signup_incomplete', 'invalid_tag', 'tag_taken'] as const

/**
 * Returns `ok` and the tag, which is reserved for this sign-up. Rejections, in this precedence: unauthorized,
 * signup_incomplete, invalid_tag (a reserved word, or without a letter), tag_taken.
 */
export function decideSetSignupTag(
  state: State,
  command: SetSignupTag,
  context: Context,
): Decision<(typeof SET_SIGNUP_TAG_REJECTIONS)[number]> {
  const signup = openSignup(state, command.tokenHash, context.timeMs)
  if (signup === null) return { refusal: 'unauthorized' }
  if (signup.given_name === null) return { refusal: 'signup_incomplete' }
  const { tag } = command
  if (!isFreeForWallets(tag)) return { refusal: 'invalid_tag', param: 'tag' }
  if (isTagTaken(state, signup, tag, context.timeMs)) return { refusal: 'tag_taken', param: 'tag' }
  return accept(signup, [signupEvent(state, signup, 'signup.tagged', { token_hash: signup.token_hash, tag })], { tag })
}

export const COMPLETE_SIGNUP_REJECTIONS = ['unauthorized', 'signup_incomplete', 'phone_taken', 'tag_taken'] as const

/** Returns `ok` and `{account, session_id}`. Rejections: unauthorized, signup_incomplete, phone_taken, tag_taken. */
export function decideCompleteSignup(
  state: State,
  command: CompleteSignup,
  context: Context,
): Decision<(typeof COMPLETE_SIGNUP_REJECTIONS)[number]> {
  const signup = openSignup(state, command.tokenHash, context.timeMs)
  if (signup === null) return { refusal: 'unauthorized' }
  const { phone, tag, family_name, given_name, token_hash } = signup
  if (family_name === null || given_name === null || tag === null) return { refusal: 'signup_incomplete' }
  if (state.wallets.byPhone(phone) !== undefined) return { refusal: 'phone_taken' }
  if (isTagTaken(state, signup, tag, context.timeMs)) return { refusal: 'tag_taken', param: 'tag' }
  const currency = currencyOfPhone(phone, context.currencies)
  const account = state.accounts.next(currency)
  const wallet: Wallet = { account, id: context.newId(), phone, tag, family_name, given_name, blocked: false }
  const device = deviceEvents(state, account, command.device, context)
  const events = [
    walletCreated(wallet, currency),
    event('pin.set', 1, account, { account, hash: command.pinHash, generation: 1 }),
    ...device.events,
    signupEvent(state, signup, 'signup.completed', { token_hash }),
    ...rememberedEvents(state, account, command.network),
  ]
  return accept(signup, events, { account, session_id: device.sessionId })
}

/** Returns null when no open sign-up has the token. */
export function openSignup(state: State, tokenHash: string, nowMs: TimeMs): Signup | null {
  const signup = state.auth.signups.get(tokenHash)
  return signup === undefined || signup.expires_at_ms <= nowMs ? null : signup
}

function isTagTaken(state: State, signup: Signup, tag: string, nowMs: TimeMs): boolean {
  const environment = environmentOfPhone(signup.phone)
  if (state.wallets.byTag(environment, tag) !== undefined) return true
  const other = state.auth.signupWithTag(environment, tag)
  return other !== undefined && other.token_hash !== signup.token_hash && other.expires_at_ms > nowMs
}

function signupEvent(state: State, { phone }: Signup, type: string, payload: object): StoredEvent {
  return event(type, 1, state.settlementAccount(environmentOfPhone(phone)), payload)
}

function accept({ phone }: Signup, events: readonly StoredEvent[], body: object): Accepted {
  return { environment: environmentOfPhone(phone), events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(body) }
}
