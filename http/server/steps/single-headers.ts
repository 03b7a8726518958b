// Step: refuses a single-valued header that came twice.
import { because } from '../../../engine/contract/reasons.ts'
import { Fault } from '../body/validation.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'

export function singleHeaders({ headers: { repeated } }: HttpRequest): StepResult {
  return repeated === '' ? NEXT : new Fault('invalid_request', repeated, because('repeated_header', { name: repeated }))
}
