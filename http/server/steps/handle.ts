// Last step: the handler of the route. It answers by its call, now or later.
import { ANSWERED, type Request, type StepResult } from '../request.ts'

export function handle({ endpoint, call }: Request): StepResult {
  try {
    endpoint.route.handle(call)
  } catch (error) {
    call.fail(error)
  }
  return ANSWERED
}
