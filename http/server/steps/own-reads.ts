// Step: a cashier reads what it made, and nothing else of the merchant, over HTTP and on the pages of the dashboard.
import { Fault } from '../body/validation.ts'
import { NEXT, type Request, type StepResult } from '../request.ts'
import { cashierOf, isClosedToCashiers } from '../route-guards.ts'

export function ownReads({ endpoint, principal }: Request): StepResult {
  if (principal.kind !== 'merchant' || !isClosedToCashiers(endpoint.route)) return NEXT
  return cashierOf(principal) === null ? NEXT : new Fault('insufficient_role')
}
