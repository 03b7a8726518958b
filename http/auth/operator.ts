// The operator's bearer token: one per house, from the settings, compared in constant time.
import { hash, timingSafeEqual } from 'node:crypto'

const BEARER = /^Bearer +([!-~]{1,512}) *$/i

/** The token of an `Authorization: Bearer` header, null when it is no such header. */
export function bearerToken(authorization: string): string | null {
  return BEARER.exec(authorization)?.[1] ?? null
}

/** Hashing first makes both sides equally long, whatever was sent. */
export class OperatorToken {
  readonly #hash: Buffer

  constructor(token: string) {
    this.#hash = hash('sha256', token, 'buffer')
  }

  matches(authorization: string): boolean {
    const token = bearerToken(authorization)
    return timingSafeEqual(hash('sha256', token ?? '', 'buffer'), this.#hash) && token !== null
  }
}
