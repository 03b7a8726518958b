// Checks bearer tokens of operators: the one of the settings in constant time, those of operators with a name by their hash. Wrong
// ones are counted by network.
import { hash, timingSafeEqual } from 'node:crypto'
import { type EngineApi, type OperatorRow, ROOT_OPERATOR } from '../../../engine/api.ts'
import { newOpaqueToken, type OpaqueToken, opaqueTokenHash } from '../../crypto/opaque-token.ts'
import { NetworkLimit } from '../../server/network-limit.ts'
import type { OperatorPrincipal } from '../../server/route.ts'
import { COUNTED_NETWORKS_MAX, WRONG_OPERATOR_TOKENS_PER_NETWORK } from '../../server/server-limits.ts'

const BEARER = /^Bearer +([!-~]{1,512}) *$/i
/** Form of the tokens of operators with a name. */
const NAMED_TOKEN = /^operator_[A-Za-z0-9_-]{43}$/

/** The holder of OPERATOR_TOKEN has every role, so that a lone deployment needs no further operator. */
export const ROOT_PRINCIPAL: OperatorPrincipal = { kind: 'operator', operator: ROOT_OPERATOR, role: 'root' }

/** Returns the token of an `Authorization: Bearer` header; null for any other. */
export function bearerToken(authorization: string): string | null {
  return BEARER.exec(authorization)?.[1] ?? null
}

/** Returns the token of a new operator. */
export function newOperatorToken(): OpaqueToken {
  return newOpaqueToken('operator')
}

/** The operator's token of the settings. It is hashed, because a constant-time comparison needs equal lengths. */
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

/** Returns the operator with a name that has the token; null for an unknown or revoked one. */
export function namedOperator(engine: Pick<EngineApi, 'query'>, token: string): OperatorRow | null {
  return NAMED_TOKEN.test(token) ? engine.query('operators.byTokenHash', { tokenHash: opaqueTokenHash(token) }) : null
}

export function principalOf({ id, name, role }: OperatorRow): OperatorPrincipal {
  return { kind: 'operator', operator: { id, name }, role }
}

/**
 * Checks the token of API requests. After WRONG_OPERATOR_TOKENS_PER_NETWORK wrong ones in an hour a network is
 * rejected without a comparison, even with a right token, so that guessing slows down.
 */
export class OperatorGuard {
  readonly #token: OperatorToken
  readonly #engine: Pick<EngineApi, 'query'>
  readonly #wrong = new NetworkLimit(WRONG_OPERATOR_TOKENS_PER_NETWORK, COUNTED_NETWORKS_MAX)
  readonly #nowMs: () => number

  constructor(token: string, engine: Pick<EngineApi, 'query'>, nowMs: () => number = () => performance.now()) {
    this.#token = new OperatorToken(token)
    this.#engine = engine
    this.#nowMs = nowMs
  }

  /** Returns the operator, or the error code. `address` is an IPv4 address or the /64 of an IPv6 one. */
  check(authorization: string, address: string): OperatorPrincipal | 'unauthorized' | 'rate_limited' {
    const nowMs = this.#nowMs()
    if (this.#wrong.take(address, nowMs) > 0) return 'rate_limited'
    const principal = this.#principal(authorization)
    // A request without a token is no attempt.
    if (principal !== null || authorization === '') this.#wrong.giveBack(address, nowMs)
    return principal ?? 'unauthorized'
  }

  #principal(authorization: string): OperatorPrincipal | null {
    if (this.#token.matches(authorization)) return ROOT_PRINCIPAL
    const named = namedOperator(this.#engine, bearerToken(authorization) ?? '')
    return named === null ? null : principalOf(named)
  }
}
