// Step: finds the caller, or refuses the request.
import { Fault } from '../body/validation.ts'
import { isKept, scopeOfToken } from '../kept-result.ts'
import { coreOf, type HttpRequest, NEXT, type StepResult } from '../request.ts'
import type { FormerPrincipal } from '../route.ts'
import { WRONG_OPERATOR_TOKENS_WAIT_S } from '../server-limits.ts'

const FORMER: FormerPrincipal = { kind: 'former' }

/** A caller whose token has ended may still read the stored result of its key. */
export function authenticate(request: HttpRequest): StepResult {
  const { endpoint, headers, call, server } = request
  request.core = server.core
  const core = coreOf(request)
  const { route } = endpoint
  const principal = core.authenticator.authenticate(route.auth, headers, call)
  if (typeof principal !== 'string') {
    request.principal = principal
    return NEXT
  }
  if (principal === 'rate_limited') request.retryAfterS = WRONG_OPERATOR_TOKENS_WAIT_S
  const scope = principal === 'unauthorized' ? scopeOfToken(core, request) : null
  if (!isKept(core, scope, headers.idempotencyKey)) return new Fault(principal)
  request.principal = FORMER
  return NEXT
}
