// Step: answers from the stored result of the Idempotency-Key, where there is one.
import { Fault } from '../body/validation.ts'
import { knownResult, presentKnown } from '../kept-result.ts'
import { ANSWERED, coreOf, NEXT, type Request, type StepResult } from '../request.ts'

export function keptAnswer(request: Request): StepResult {
  const { idempotency, principal, endpoint, call } = request
  if (idempotency !== null) {
    try {
      // A route that answers before recovery has no core and no idempotency.
      const core = coreOf(request)
      const known = knownResult(core, request, idempotency)
      if (known !== null) {
        core.engine.whenDurable(() => presentKnown(core, endpoint.route, call, known))
        return ANSWERED
      }
    } catch (error) {
      call.fail(error)
      return ANSWERED
    }
  }
  return principal.kind === 'former' ? new Fault('unauthorized') : NEXT
}
