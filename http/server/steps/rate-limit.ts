// Step: counts the request in the caller's bucket. Handlers count further ones by `spend`.
import type { AccountNumber } from '../../../engine/api.ts'
import { Fault } from '../body/validation.ts'
import { EXHAUSTED, UNLIMITED } from '../rate-limit.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import type { MerchantPrincipal, Principal, WalletPrincipal } from '../route.ts'

const REMAINING = '\r\nRateLimit-Remaining: '
const REMAINING_LINE = /\r\nRateLimit-Remaining: \d+/

/** Sets the header lines of every later answer. */
export function rateLimit(request: HttpRequest): StepResult {
  const { principal, startedMs } = request
  if (!isLimited(principal)) return NEXT
  const { rateLimiter } = request.server
  const { environment } = principal
  const left = rateLimiter.take(principal.account, environment, startedMs)
  if (left === UNLIMITED) return NEXT
  const remaining = left === EXHAUSTED ? 0 : left
  // A bucket holds one second of requests, so it is full again within a second.
  request.lines += `\r\nRateLimit-Limit: ${rateLimiter.limit(environment)}${REMAINING}${remaining}\r\nRateLimit-Reset: 1`
  return left === EXHAUSTED ? new Fault('rate_limited') : NEXT
}

/** As `Call.spend`. */
export function spend(request: HttpRequest, requests: number): boolean {
  const { principal } = request
  if (!isLimited(principal)) return true
  const { rateLimiter, largeBodyPauses } = request.server
  const { account, environment } = principal
  const nowMs = performance.now()
  const waitMs = rateLimiter.takeFurther(account, environment, requests, nowMs)
  showRemaining(request, account)
  if (waitMs === 0) {
    request.spent += requests
    return true
  }
  largeBodyPauses.begin(account, request.endpoint.route.operationId, nowMs, waitMs)
  request.retryAfterS = Math.ceil(waitMs / 1000)
  request.call.refuse('rate_limited')
  return false
}

/** The request was a replay, which counts as one. */
export function giveBackSpent(request: HttpRequest): void {
  if (request.spent === 0) return
  giveBack(request, request.spent)
  request.spent = 0
}

export function giveBack(request: HttpRequest, requests: number): void {
  const { principal } = request
  if (!isLimited(principal)) return
  request.server.rateLimiter.giveBack(principal.account, principal.environment, requests)
  showRemaining(request, principal.account)
}

function showRemaining(request: HttpRequest, account: AccountNumber): void {
  request.lines = request.lines.replace(REMAINING_LINE, `${REMAINING}${request.server.rateLimiter.left(account)}`)
}

function isLimited(principal: Principal): principal is MerchantPrincipal | WalletPrincipal {
  return principal.kind === 'merchant' || principal.kind === 'wallet'
}
