// Opaque tokens: 256 random bits for the holder, their SHA-256 for the state. Their rights are in the state and end
// with it.
import { hash, randomBytes } from 'node:crypto'

/** Prefix of a token, so that people and secret scanners recognize its kind. */
export type TokenKind = 'signup' | 'login' | 'device' | 'session' | 'operator' | 'invitation' | 'reset' | 'confirm'

export interface OpaqueToken {
  readonly token: string
  /** SHA-256 of the token, the only form that the engine sees. */
  readonly hash: string
}

const TOKEN_BYTES = 32

export function newOpaqueToken(kind: TokenKind): OpaqueToken {
  const token = `${kind}_${randomBytes(TOKEN_BYTES).toString('base64url')}`
  return { token, hash: opaqueTokenHash(token) }
}

/**
 * Returns the hash of a token. A fast hash is enough for 256 random bits, and look-up timing reveals nothing useful.
 */
export function opaqueTokenHash(token: string): string {
  return hash('sha256', token, 'base64url')
}
