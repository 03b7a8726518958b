// Checks the operator's bearer token from the settings in constant time, and counts wrong ones by network.
import { hash, timingSafeEqual } from 'node:crypto'
import { NetworkLimit } from '../../server/network-limit.ts'
import { COUNTED_NETWORKS_MAX, WRONG_OPERATOR_TOKENS_PER_NETWORK } from '../../server/server-limits.ts'

const BEARER = /^Bearer +([!-~]{1,512}) *$/i

/** Returns the token of an `Authorization: Bearer` header; null for any other. */
export function bearerToken(authorization: string): string | null {
  return BEARER.exec(authorization)?.[1] ?? null
}

/** The operator's token. It is hashed, because a constant-time comparison needs equal lengths. */
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

/**
 * Checks the token of API requests. After WRONG_OPERATOR_TOKENS_PER_NETWORK wrong ones in an hour a network is
 * rejected without a comparison, even with the right token, so that guessing slows down.
 */
export class OperatorGuard {
  readonly #token: OperatorToken
  readonly #wrong = new NetworkLimit(WRONG_OPERATOR_TOKENS_PER_NETWORK, COUNTED_NETWORKS_MAX)
  readonly #nowMs: () => number

  constructor(token: string, nowMs: () => number = () => performance.now()) {
    this.#token = new OperatorToken(token)
    this.#nowMs = nowMs
  }

  /** Returns null for the operator, or the error code. `address` is an IPv4 address or the /64 of an IPv6 one. */
  refusal(authorization: string, address: string): 'unauthorized' | 'rate_limited' | null {
    const nowMs = this.#nowMs()
    if (this.#wrong.take(address, nowMs) > 0) return 'rate_limited'
    const matches = this.#token.matches(authorization)
    // A request without a token is no attempt.
    if (matches || authorization === '') this.#wrong.giveBack(address, nowMs)
    return matches ? null : 'unauthorized'
  }
}
