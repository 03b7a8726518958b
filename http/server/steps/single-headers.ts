// Step: refuses a single-valued header that came twice.
import { Fault } from '../body/validation.ts'
import { repeatedHeaderText } from '../body/validation-text.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'

export function singleHeaders({ headers: { repeated } }: HttpRequest): StepResult {
  return repeated === '' ? NEXT : new Fault('invalid_request', repeated, { message: repeatedHeaderText(repeated) })
}
