// The operator's bearer token from the settings: compared in constant time, wrong ones counted by network.
import { hash, timingSafeEqual } from 'node:crypto'
import { NetworkLimit } from '../../server/network-limit.ts'
import { COUNTED_NETWORKS_MAX, WRONG_OPERATOR_TOKENS_PER_NETWORK } from '../../server/server-limits.ts'

const BEARER = /^Bearer +([!-~]{1,512}) *$/i

/** The token of an `Authorization: Bearer` header, null when it is no such header. */
export function bearerToken(authorization: string): string | null {
  return BEARER.exec(authorization)?.[1] ?? null
}

/** Hashing first makes both sides equally long, as a comparison in constant time needs. */
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
 * Checks the token of API requests. After WRONG_OPERATOR_TOKENS_PER_NETWORK wrong ones within an hour a network is
 * refused without a comparison, the right token included: otherwise guessing would go on at full speed.
 */
export class OperatorGuard {
  readonly #token: OperatorToken
  readonly #wrong = new NetworkLimit(WRONG_OPERATOR_TOKENS_PER_NETWORK, COUNTED_NETWORKS_MAX)
  readonly #nowMs: () => number

  constructor(token: string, nowMs: () => number = () => performance.now()) {
    this.#token = new OperatorToken(token)
    this.#nowMs = nowMs
  }

  /** `null`: the operator. `address` is an IPv4 address or the /64 of an IPv6 one. */
  refusal(authorization: string, address: string): 'unauthorized' | 'rate_limited' | null {
    const nowMs = this.#nowMs()
    if (this.#wrong.take(address, nowMs) > 0) return 'rate_limited'
    const matches = this.#token.matches(authorization)
    // A request without a token guesses nothing.
    if (matches || authorization === '') this.#wrong.giveBack(address, nowMs)
    return matches ? null : 'unauthorized'
  }
}
