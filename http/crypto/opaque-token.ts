// Tokens that mean nothing by themselves: 256 random bits for whoever holds them, their SHA-256 for the state. What they
// open stands in the state, so they end with it.
import { hash, randomBytes } from 'node:crypto'

/** In front of the token, so that people and scanners of leaked secrets can tell what they found. */
export type TokenKind = 'signup' | 'login' | 'device' | 'session'

export interface OpaqueToken {
  readonly token: string
  /** All that the engine learns of it. */
  readonly hash: string
}

const TOKEN_BYTES = 32

export function newOpaqueToken(kind: TokenKind): OpaqueToken {
  const token = `${kind}_${randomBytes(TOKEN_BYTES).toString('base64url')}`
  return { token, hash: opaqueTokenHash(token) }
}

/** A fast hash is enough for 256 random bits; looking it up gives nothing away that could be guessed towards. */
export function opaqueTokenHash(token: string): string {
  return hash('sha256', token, 'base64url')
}
