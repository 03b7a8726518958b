// Step: the CSRF token of a state-changing request with a session.
import { Fault } from '../body/validation.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import { isForged } from '../route-guards.ts'

export function csrf({ endpoint, principal, headers }: HttpRequest): StepResult {
  return isForged(endpoint.route, principal, headers.csrfToken) ? new Fault('csrf_failed') : NEXT
}
