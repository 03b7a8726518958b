// Step: refuses a login that a page of another site sends.
import { Fault } from '../body/validation.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import { isForeignLogin } from '../route-guards.ts'

export function ownSite({ endpoint, headers }: HttpRequest): StepResult {
  return isForeignLogin(endpoint.route, headers) ? new Fault('csrf_failed') : NEXT
}
