// Computes the error codes of a route: from its guards, from the rejections of its commands, and from its auth, body,
// key and query rules. The document lists them, and the end-to-end client accepts no other.

import { commandRejections, rejectionKind } from '../../engine/api.ts'
import { ERRORS, type ErrorCode } from '../../engine/contract/errors.ts'
import { OPERATOR_ROLES } from '../../engine/contract/operator.ts'
import { errorStatus, statusOf } from './outcome-status.ts'
import type { AuthRule, RouteShape } from './route.ts'
import { isMoneyRoute } from './route.ts'
import { isClosedToCashiers, memberRoleOf, operatorRolesOf } from './route-guards.ts'

const BY_AUTH: Readonly<Record<AuthRule, readonly ErrorCode[]>> = {
  public: [],
  key: ['unauthorized', 'rate_limited', 'invalid_request'],
  'key-or-session': ['unauthorized', 'rate_limited', 'invalid_request'],
  session: ['unauthorized', 'rate_limited', 'invalid_request'],
  wallet: ['unauthorized', 'rate_limited', 'invalid_request'],
  stream: ['unauthorized', 'rate_limited', 'invalid_request'],
  signup: ['unauthorized', 'invalid_request'],
  login: ['unauthorized', 'invalid_request'],
  operator: ['unauthorized', 'rate_limited', 'not_found', 'invalid_request'],
}

/** Returns the codes by status, in the order of the catalogue. */
export function errorsOf(route: RouteShape): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set<ErrorCode>([...route.errors, ...rejectionsOf(route), ...BY_AUTH[route.auth], 'internal_error', 'unavailable'])
  if (route.path.startsWith('/v1/')) codes.add('invalid_parameter')
  if (route.params !== undefined) codes.add('not_found')
  if (mayLackRole(route)) codes.add('insufficient_role')
  if (route.scope !== undefined) codes.add('insufficient_scope')
  if (mayBeForged(route)) codes.add('csrf_failed')
  // The account's full queue of commands, its incomplete bodies, its running exports.
  if (route.commands !== undefined || route.body !== undefined || isExport(route)) codes.add('quota_exceeded')
  if (route.testOnly === true) codes.add('test_only')
  if (route.method !== 'GET') codes.add(route.bodyTooLarge ?? 'payload_too_large')
  addAll(codes, bodyCodes(route))
  if (route.idempotency !== 'none') addAll(codes, ['invalid_request', 'idempotency_key_reused'])
  if (route.idempotency === 'required') codes.add('idempotency_key_required')
  const statuses = statusesOf(route)
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (!codes.has(code)) continue
    const status = statuses.get(code) ?? errorStatus(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other))
}

function isExport({ responses }: RouteShape): boolean {
  return responses.some(({ contentType }) => contentType === 'text/csv')
}

function bodyCodes(route: RouteShape): readonly ErrorCode[] {
  if (route.body === undefined) return []
  return [
    ...(['invalid_request', 'unsupported_media_type'] as const),
    ...(route.bodyType === undefined ? (['invalid_json'] as const) : []),
    ...(isMoneyRoute(route) ? (['unknown_field', 'unsupported_currency'] as const) : []),
  ]
}

/** Returns whether the route guards against pages of other sites. */
function mayBeForged({ method, auth, setsSession }: RouteShape): boolean {
  return setsSession === true || (method !== 'GET' && (auth === 'session' || auth === 'key-or-session'))
}

/** Returns whether some role of its callers may not call the route. */
function mayLackRole(route: RouteShape): boolean {
  if (route.auth === 'operator') return operatorRolesOf(route).length < OPERATOR_ROLES.length
  if (route.auth !== 'session' && route.auth !== 'key-or-session') return false
  return isClosedToCashiers(route) || memberRoleOf(route) !== 'viewer'
}

/** Returns the rejections of its commands' deciders, without those that the handler rules out. */
function rejectionsOf({ commands = [], unreachable = [] }: RouteShape): readonly ErrorCode[] {
  return commands.flatMap((command) => commandRejections(command)).filter((code) => !unreachable.includes(code))
}

/** Returns the statuses of its commands' rejections. */
function statusesOf({ commands = [] }: RouteShape): ReadonlyMap<ErrorCode, number> {
  const rejections = commands.flatMap((command) => commandRejections(command).map((code) => ({ command, code })))
  return new Map(rejections.map(({ command, code }) => [code, statusOf(rejectionKind(command, code))]))
}

function addAll(codes: Set<ErrorCode>, more: readonly ErrorCode[]): void {
  for (const code of more) codes.add(code)
}
