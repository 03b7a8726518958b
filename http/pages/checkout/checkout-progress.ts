// Progress of a payer between the forms of the checkout page. The browser carries it, encrypted: neither its history nor a
// log shows who pays. It is bound to one charge and invalid for any other.
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import type { Seal } from '../../crypto/seal.ts'
import type { Sum } from '../../workers/gateways/message.ts'

/** Field of an error message, `form` for an error that concerns no single field. */
export type FieldName = 'identifier' | 'otp' | 'pin' | 'form'

/** Validation errors that the page itself finds, before it calls the API. */
export type Misspelling = 'identifier_form' | 'otp_form' | 'pin_form'

export interface FieldError {
  readonly field: FieldName
  readonly code: ErrorCode | Misspelling
  /** Set with `pin_incorrect`. */
  readonly attemptsLeft: number | null
  /** Set with `pin_locked`. */
  readonly retryAfterS: number | null
  /** Set with `insufficient_balance`, after the PIN: by how much the balance is too low. */
  readonly missing?: Sum
}

export interface Progress {
  /** As typed; empty before the first form. */
  readonly identifier: string
  /** Null before a code was sent. */
  readonly challengeId: string | null
  /** The correct code. The payer does not type it again after a wrong PIN. */
  readonly otp: string
  readonly error: FieldError | null
}

/** Maximum length of typed text. Longer text is truncated. */
export const TYPED_LENGTH_MAX = 64

export const NO_PROGRESS: Progress = { identifier: '', challengeId: null, otp: '', error: null }

/** Matches the output of `sealProgress`. */
const SEALED = /^sealed:v1:[A-Za-z0-9_-]{38,1000}$/

export function sealProgress(seal: Pick<Seal, 'seal'>, token: string, progress: Progress): string {
  return seal.seal(fieldOf(token), JSON.stringify(progress))
}

/** Decrypts the progress. Returns null for anything that `sealProgress` did not create for this charge. */
export function openProgress(seal: Pick<Seal, 'open'>, token: string, sealed: string): Progress | null {
  if (!SEALED.test(sealed)) return null
  try {
    return JSON.parse(seal.open(fieldOf(token), sealed)) as Progress
  } catch {
    // Modified, created for another charge, or encrypted under an earlier key.
    return null
  }
}

function fieldOf(token: string): string {
  return `checkout:${token}`
}

/** Returns the tag or phone that was typed, in the form of the API. Returns null when it is neither. */
export function identifierOf(typed: string): string | null {
  const bare = typed.trim()
  if (/^@?[A-Za-z0-9_]{3,20}$/.test(bare) && !/^00[1-9]/.test(bare)) return bare
  const phone = bare.replaceAll(/[\s.()\u00a0\u202f-]/g, '').replace(/^00/, '+')
  return /^\+[1-9][0-9]{7,14}$/.test(phone) ? phone : null
}

/** Returns the field error of an error body. */
export function errorOf(field: FieldName, body: string): FieldError {
  const { code, attempts_left = null } = JSON.parse(body) as { code: ErrorCode; attempts_left?: number }
  return { field, code, attemptsLeft: attempts_left, retryAfterS: null }
}

export function misspelled(field: FieldName, code: Misspelling): FieldError {
  return { field, code, attemptsLeft: null, retryAfterS: null }
}
