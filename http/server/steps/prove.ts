// Answer step: the answer of the owner of a log waits for a proof that it still is the owner.
import { type HttpRequest, NEXT, NO_PROOF, type OwnedWrite, resume, type StepResult, WAITING, waitsAt } from '../request.ts'

export function prove(request: HttpRequest): StepResult {
  const { owned } = request
  const { cluster } = request.server
  if (owned === null || cluster === null || owned.mark === NO_PROOF || cluster.isProven(owned.mark)) return NEXT
  cluster.whenProven(owned.mark).then(
    () => resume(request, prove),
    () => refuseUnproven(request, owned),
  )
  return WAITING
}

/** The answer may show old state. */
function refuseUnproven(request: HttpRequest, owned: OwnedWrite): void {
  owned.mark = NO_PROOF
  if (!waitsAt(request, prove)) return
  request.answer = null
  request.call.refuse('unavailable')
}
