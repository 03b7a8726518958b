// Step: what the caller may do on this route: scope, role, test-only rule, limit of calls.
import { Fault } from '../body/validation.ts'
import { NEXT, type Request, type StepResult } from '../request.ts'
import { forbidden } from '../route-guards.ts'

export function rights(request: Request): StepResult {
  const { principal, startedMs, endpoint } = request
  const { route } = endpoint
  const code = forbidden(route, principal)
  if (code !== null) return new Fault(code)
  const waitS = 'account' in principal ? (route.callLimit?.take(principal.account, startedMs) ?? 0) : 0
  if (waitS === 0) return NEXT
  request.retryAfterS = waitS
  return new Fault('rate_limited')
}
