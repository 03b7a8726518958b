// Progress between the forms of the simulated phone, and the signed-in wallet. The browser carries both, encrypted and
// authenticated, so the server stores neither.

import type { Seal } from '../../crypto/seal.ts'
import type { BrowserWords, Header } from '../../server/route.ts'
import { openedText, type SealedText, type Text } from '../../text/text.ts'
import { cookieValue, setCookie } from '../shared/cookies.ts'

/** Progress from the phone number to the end of sign-up or login. */
export interface Progress {
  readonly purpose: 'signup' | 'login'
  /** E.164. */
  readonly phone: string
  /** Token of the next step, null before the correct code. */
  readonly token: string | null
  /** Typed text, shown again with an error. PINs and codes are not included. */
  readonly typed: Readonly<Partial<Record<PhoneField, string>>>
  readonly error: PhoneError | null
}

export const PHONE_FIELDS = ['identifier', 'phone', 'code', 'given_name', 'family_name', 'tag', 'pin'] as const

export type PhoneField = (typeof PHONE_FIELDS)[number]

export interface PhoneError {
  /** Field of the error, `form` for an error that concerns no single field. */
  readonly field: PhoneField | 'form'
  readonly message: Text
}

export const NO_PROGRESS: Progress = { purpose: 'login', phone: '', token: null, typed: {}, error: null }

/** The signed-in wallet. */
export interface PhoneSession {
  readonly accessToken: string
  readonly tag: string
  readonly environment: 'test' | 'live'
}

/** A rejected form that may be sent again under the same key. */
export interface Tried {
  readonly key: string
  /** Typed text by field, shown again. PINs are not included. */
  readonly values: Readonly<Record<string, string>>
  readonly error: TriedError | null
}

export interface TriedError {
  /** Field of the error, `form` for an error that concerns no single field. */
  readonly field: string
  readonly message: Text
}

type Sealing = Pick<Seal, 'seal' | 'open'>

const PROGRESS = 'dev-phone-progress'
const FORM = 'dev-phone-form'
const SESSION = 'dev-phone-session'
const COOKIE = 'dev_phone'
/** Lifetime of an access token. */
const MAX_AGE_S = 3600
/** The checkout page shows the balance of the signed-in wallet. */
const PATH = '/'
const SEALED = /^sealed:v1:[A-Za-z0-9_-]{38,6000}$/

export function sealProgress(seal: Sealing, progress: Progress): string {
  return seal.seal(PROGRESS, JSON.stringify(progress))
}

export function openProgress(seal: Sealing, sealed: string): Progress | null {
  return opened<Progress>(seal, PROGRESS, sealed)
}

/** Encrypts a value for the address of a page. It is bound to the subject and invalid for any other. */
export function sealFor(seal: Sealing, subject: string, value: object): string {
  return seal.seal(`${FORM}:${subject}`, JSON.stringify(value))
}

/** Returns the value of `sealFor`, null for anything else. */
export function openFor<Value>(seal: Sealing, subject: string, sealed: string): Value | null {
  return opened<Value>(seal, `${FORM}:${subject}`, sealed)
}

export function sessionOf(seal: Sealing, browser: Pick<BrowserWords, 'cookie'>): PhoneSession | null {
  return opened<PhoneSession>(seal, SESSION, cookieValue(browser, COOKIE))
}

export function sessionCookie(seal: Sealing, session: PhoneSession): Header {
  const value = seal.seal(SESSION, JSON.stringify(session))
  return setCookie({ name: COOKIE, value, path: PATH, sameSite: 'strict', isSecure: false, maxAgeS: MAX_AGE_S })
}

export function endedCookie(): Header {
  return setCookie({ name: COOKIE, value: '', path: PATH, sameSite: 'strict', isSecure: false, maxAgeS: 0 })
}

/** Decrypts a value. Returns null for anything not encrypted here under the present key. */
function opened<Value>(seal: Sealing, field: string, sealed: string): Value | null {
  if (!SEALED.test(sealed)) return null
  try {
    return JSON.parse(seal.open(field, sealed), reviveText) as Value
  } catch {
    return null
  }
}

/** The message of an error is a text: its JSON has both languages. */
function reviveText(name: string, value: unknown): unknown {
  return name === 'message' ? openedText(value as SealedText) : value
}
