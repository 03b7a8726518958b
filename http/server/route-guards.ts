// The guards of a route that need no state: cross-site requests of sessions, scopes, the test-only rule, and whose idempotency
// keys a principal uses.
import { timingSafeEqual } from 'node:crypto'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { unreachable } from '../../engine/kernel/assert.ts'
import type { AuthRule, Call, MerchantPrincipal, Principal, RouteShape, SessionPrincipal } from './route.ts'

/** The request's headers that may say who it is from; empty when they are not there. */
export interface Credentials {
  /** X-Api-Key */
  readonly apiKey: string
  /** X-Api-Secret */
  readonly apiSecret: string
  readonly authorization: string
  readonly cookie: string
  /** X-Environment: of a session, which has no environment of its own. */
  readonly environment: string
}

/** Finds the principal of a request. */
export interface Authenticating {
  prepare(rule: AuthRule, credentials: Pick<Credentials, 'authorization'>): Promise<unknown> | null
  authenticate(rule: AuthRule, credentials: Credentials, from: Pick<Call, 'remoteAddress'>): Principal | ErrorCode
  tokenHash(rule: AuthRule, credentials: Pick<Credentials, 'authorization' | 'cookie'>): string | null
}

/** A browser sends its cookie along whoever made the request: what changes something shows the session's token, too. */
export function isForged(route: RouteShape, principal: Principal, csrfToken: string): boolean {
  if (principal.kind !== 'merchant' || route.method === 'GET') return false
  return isSession(principal) && !isCsrfToken(csrfToken, principal.csrfToken)
}

function isSession(principal: MerchantPrincipal): principal is SessionPrincipal {
  return 'csrfToken' in principal
}

/** Second guard, after the rate limit: what this principal may do on this route. Null when nothing is in the way. */
export function forbidden(route: RouteShape, principal: Principal): ErrorCode | null {
  if (principal.kind !== 'merchant') return null
  if (route.scope !== undefined && !principal.scopes.includes(route.scope)) return 'insufficient_scope'
  if (route.testOnly === true && principal.environment !== 'test') return 'test_only'
  return null
}

/** Whose Idempotency-Keys these are; null for callers who have none. Keys of two scopes never meet. */
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

/** In constant time; false for an empty or missing one. */
export function isCsrfToken(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
