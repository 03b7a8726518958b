// Stateless guards of a route: CSRF protection of sessions, scopes, the test-only rule, and the scope of idempotency
// keys.
import { timingSafeEqual } from 'node:crypto'
import type { ActingOperator } from '../../engine/api.ts'
import { MEMBER_ROLES, type MemberRole } from '../../engine/contract/dashboard.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { OPERATOR_ROLES, type OperatorRole } from '../../engine/contract/operator.ts'
import { unreachable } from '../../engine/kernel/assert.ts'
import { unmasked } from '../crypto/masked-token.ts'
import type { MerchantPrincipal, Principal, RouteShape, SessionPrincipal } from './route.ts'
import { isSameSite, type SiteWords } from './same-site.ts'

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

/**
 * Returns whether a page of another site sends a request that would set a session's cookie: its visitor would act in a session
 * of that page's choice.
 */
export function isForeignLogin({ setsSession }: Pick<RouteShape, 'setsSession'>, browser: SiteWords): boolean {
  return setsSession === true && !isSameSite({ browser })
}

/** Second guard, after the rate limit: permissions of the principal on this route. Null when allowed. */
export function forbidden(route: RouteShape, principal: Principal): ErrorCode | null {
  if (principal.kind === 'operator') {
    return principal.role === 'root' || operatorRolesOf(route).includes(principal.role) ? null : 'insufficient_role'
  }
  if (principal.kind !== 'merchant') return null
  if (isSession(principal) && !hasRole(principal.role, memberRoleOf(route))) return 'insufficient_role'
  if (route.scope === 'any' ? principal.scopes.length === 0 : route.scope !== undefined && !principal.scopes.includes(route.scope))
    return 'insufficient_scope'
  if (route.testOnly === true && principal.environment !== 'test') return 'test_only'
  return null
}

/** Returns the roles of operators with a name that may call the route. */
export function operatorRolesOf({ operatorRoles, method }: Pick<RouteShape, 'operatorRoles' | 'method'>): readonly OperatorRole[] {
  return operatorRoles ?? (method === 'GET' ? OPERATOR_ROLES : ['admin'])
}

/** Returns the least role of a dashboard session that may call the route. */
export function memberRoleOf({ memberRole, method }: Pick<RouteShape, 'memberRole' | 'method'>): MemberRole {
  return memberRole ?? (method === 'GET' ? 'viewer' : 'owner')
}

/** Returns the id of the cashier whose session calls: it sees what it made itself alone. Null for every other caller. */
export function cashierOf(principal: MerchantPrincipal): string | null {
  return isSession(principal) && principal.role === 'cashier' ? principal.user.id : null
}

/** Returns whether the route shows more of the merchant than what a cashier made. Pages read for a session by routes of keys too. */
export function isClosedToCashiers({ method, auth, cashierReads }: Pick<RouteShape, 'method' | 'auth' | 'cashierReads'>): boolean {
  return method === 'GET' && (auth === 'key' || auth === 'session' || auth === 'key-or-session') && cashierReads !== true
}

/** Returns whether the least role may call the route, and a cashier reads no more by it than what it made. */
export function mayCall(role: MemberRole, route: Pick<RouteShape, 'memberRole' | 'method' | 'auth' | 'cashierReads'>): boolean {
  return hasRole(role, memberRoleOf(route)) && !(role === 'cashier' && isClosedToCashiers(route))
}

export function hasRole(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least)
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
      return operatorKeyScope(principal.operator)
    case 'public':
    case 'signup':
    case 'login':
    case 'former':
      return null
    default:
      return unreachable(principal)
  }
}

/** Returns the scope of an operator's keys; that of the holder of OPERATOR_TOKEN names no operator. */
export function operatorKeyScope({ id }: ActingOperator): string {
  return id === null ? 'operator' : `operator:${id}`
}

/** Whether the route may read the caller's address. Callers with a key are counted by their key; the address costs a system call. */
export function readsAddress({ auth }: Pick<RouteShape, 'auth'>): boolean {
  return auth !== 'key' && auth !== 'key-or-session'
}

/** Compares in constant time, under a mask or without one. False for an empty or missing token. */
export function isCsrfToken(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(unmasked(sent)), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
