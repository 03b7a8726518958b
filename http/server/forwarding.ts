// The part of a request that a follower forwards, read while the native request is valid.
import { type ForwardedRequest, passedOnHeaders } from './cluster-role.ts'
import { isRequestId, type RequestHead } from './request-head.ts'
import type { RequestSource } from './request-source.ts'
import type { RouteShape } from './route.ts'

/** A forwarded request before its body has arrived. */
export type ForwardedHead = Pick<ForwardedRequest, 'method' | 'path' | 'headers' | 'isRepeatable'>

/** What `forwardedHead` reads. The owner keeps it for each write and seldom needs it: only when it hands the log over meanwhile. */
export interface KeptHead {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly route: Pick<RouteShape, 'idempotency' | 'path'>
  readonly head: RequestHead
  readonly requestId: string
}

/** Returns path and query as sent. */
export function sentTarget(source: RequestSource): string {
  const query = source.getQuery() ?? ''
  return query === '' ? source.getUrl() : `${source.getUrl()}?${query}`
}

/** The id of a request without one is this node's, so that both nodes log the same. */
export function forwardedHead({ method: sent, target, route, head, requestId }: KeptHead): ForwardedHead {
  const headers = passedOnHeaders(head.all)
  if (!isRequestId(head.requestId)) headers.push('X-Request-Id', requestId)
  const method = sent.toUpperCase()
  const hasKey = route.idempotency !== 'none' && head.idempotencyKey !== ''
  const path = Buffer.from(target, 'utf8').toString('latin1')
  return { method, path, headers, isRepeatable: hasKey || method === 'GET' || method === 'HEAD' || isKeyedForm(route.path) }
}

/** Forms of signed-in users. Each carries the key of its action, or replaces a whole record, so it acts once. */
const KEYED_FORMS = /^\/(?:dashboard\/\{environment\}|operator)\//
const NOT_KEYED = '/account/password'

function isKeyedForm(path: string): boolean {
  return KEYED_FORMS.test(path) && !path.endsWith(NOT_KEYED)
}
