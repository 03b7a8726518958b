// Where a payer stands between the forms of the checkout page, carried by the browser itself: sealed, so that neither its
// history nor a log shows who pays, and bound to one charge, so that nobody can hand it on to another.
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import type { Seal } from '../../crypto/seal.ts'

/** Which field a message stands beside; `form` for what concerns no single one. */
export type FieldName = 'identifier' | 'otp' | 'pin' | 'form'

/** What the page itself finds wrong before anything is asked. */
export type Misspelling = 'identifier_form' | 'otp_form' | 'pin_form'

export interface FieldError {
  readonly field: FieldName
  readonly code: ErrorCode | Misspelling
  /** With `pin_incorrect`. */
  readonly attemptsLeft: number | null
  /** With `pin_locked`. */
  readonly retryAfterS: number | null
}

export interface Progress {
  /** As typed; empty before the first form. */
  readonly identifier: string
  /** Null before a code was sent. */
  readonly challengeId: string | null
  /** A code that was right: it need not be typed again after a wrong PIN. */
  readonly otp: string
  readonly error: FieldError | null
}

/** What is too long to be anything is cut. */
export const TYPED_LENGTH_MAX = 64

export const NO_PROGRESS: Progress = { identifier: '', challengeId: null, otp: '', error: null }

/** Shape and length of what `sealProgress` makes. */
const SEALED = /^sealed:v1:[A-Za-z0-9_-]{38,1000}$/

export function sealProgress(seal: Pick<Seal, 'seal'>, token: string, progress: Progress): string {
  return seal.seal(fieldOf(token), JSON.stringify(progress))
}

/** Null for anything that `sealProgress` did not make for this charge. */
export function openProgress(seal: Pick<Seal, 'open'>, token: string, sealed: string): Progress | null {
  if (!SEALED.test(sealed)) return null
  try {
    return JSON.parse(seal.open(fieldOf(token), sealed)) as Progress
  } catch {
    // Changed on the way, made for another charge, or sealed under a key from before.
    return null
  }
}

function fieldOf(token: string): string {
  return `checkout:${token}`
}

/** A tag or a phone as the API takes it, out of what people type; null when it is neither. */
export function identifierOf(typed: string): string | null {
  const bare = typed.trim()
  if (/^@?[A-Za-z0-9_]{3,20}$/.test(bare) && !/^00[1-9]/.test(bare)) return bare
  const phone = bare.replaceAll(/[\s.()\u00a0\u202f-]/g, '').replace(/^00/, '+')
  return /^\+[1-9][0-9]{7,14}$/.test(phone) ? phone : null
}

/** Out of the body of a refusal. */
export function errorOf(field: FieldName, body: string): FieldError {
  const { code, attempts_left = null } = JSON.parse(body) as { code: ErrorCode; attempts_left?: number }
  return { field, code, attemptsLeft: attempts_left, retryAfterS: null }
}

export function misspelled(field: FieldName, code: Misspelling): FieldError {
  return { field, code, attemptsLeft: null, retryAfterS: null }
}
