// Stateless guards of a route: CSRF protection of sessions, scopes, the test-only rule, and the scope of idempotency
// keys.
import { timingSafeEqual } from 'node:crypto'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { unreachable } from '../../engine/kernel/assert.ts'
import type { AuthRule, Call, MerchantPrincipal, Principal, RouteShape, SessionPrincipal } from './route.ts'

/** Headers that identify the caller; empty when absent. */
export interface Credentials {
  /** X-Api-Key */
  readonly apiKey: string
  /** X-Api-Secret */
  readonly apiSecret: string
  readonly authorization: string
  readonly cookie: string
  /** X-Environment, for a session, which has no environment of its own. */
  readonly environment: string
}

/** Authenticates requests. */
export interface Authenticating {
  prepare(rule: AuthRule, credentials: Pick<Credentials, 'authorization'>): Promise<unknown> | null
  authenticate(rule: AuthRule, credentials: Credentials, from: Pick<Call, 'remoteAddress'>): Principal | ErrorCode
  tokenHash(rule: AuthRule, credentials: Pick<Credentials, 'authorization' | 'cookie'>): string | null
}

/**
 * Returns whether a state-changing request lacks the session's CSRF token. A browser sends its cookie on cross-site
 * requests too.
 */
export function isForged(route: RouteShape, principal: Principal, csrfToken: string): boolean {
  if (principal.kind !== 'merchant' || route.method === 'GET') return false
  return isSession(principal) && !isCsrfToken(csrfToken, principal.csrfToken)
}

function isSession(principal: MerchantPrincipal): principal is SessionPrincipal {
  return 'csrfToken' in principal
}

/** Second guard, after the rate limit: permissions of the principal on this route. Null when allowed. */
export function forbidden(route: RouteShape, principal: Principal): ErrorCode | null {
  if (principal.kind !== 'merchant') return null
  if (route.scope !== undefined && !principal.scopes.includes(route.scope)) return 'insufficient_scope'
  if (route.testOnly === true && principal.environment !== 'test') return 'test_only'
  return null
}

/**
 * Returns the scope of the principal's Idempotency-Keys; null for callers without keys. Keys of two scopes are
 * independent.
 */
export function idempotencyScope(principal: Principal): string | null {
  switch (principal.kind) {
    case 'merchant':
    case 'wallet':
      return String(principal.account)
    case 'operator':
      return 'operator'
    case 'public':
    case 'signup':
    case 'login':
    case 'former':
      return null
    default:
      return unreachable(principal)
  }
}

/** Compares in constant time. False for an empty or missing token. */
export function isCsrfToken(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
