// Step: whether this node still answers, now that the body is here.
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import { unavailableHere } from './node.ts'

/** Before the log is recovered only an owner elsewhere can answer. */
export function open(request: HttpRequest): StepResult {
  const { draining, core } = request.server
  return draining || (core === null && request.passing === null) ? unavailableHere(request) : NEXT
}
