// Step: a request that takes long waits for the turn of its caller.
import { costOfBytes, fairWork, ownerOf, type WorkOwner } from '../fair-work.ts'
import { type HttpRequest, NEXT, resume, type StepResult, WAITING } from '../request.ts'
import { readsAddress } from '../route-guards.ts'
import { FAIR_BODY_BYTES, SHORT_BYTES } from '../server-limits.ts'
import { ownBytes } from './own-bytes.ts'

const UNKNOWN = ''

export function turn(request: HttpRequest): StepResult {
  const { bytes, endpoint } = request
  const sizeBytes = bytes === null ? 0 : 'text' in bytes ? bytes.sizeBytes : bytes.byteLength
  const { fairCost } = endpoint
  if (sizeBytes <= FAIR_BODY_BYTES && fairCost === 0) {
    if (sizeBytes <= SHORT_BYTES && !endpoint.alwaysOpen) fairWork.sawShort()
    return NEXT
  }
  ownBytes(request)
  wait(request, fairCost + costOfBytes(sizeBytes))
  return WAITING
}

/** On its own: a function with a closure makes a context at each call. */
function wait(request: HttpRequest, cost: number): void {
  fairWork.add(workOwner(request), cost, () => resume(request, turn))
}

/** A caller of a route with a key who is not known is no one else's concern: it gets a refusal. */
export function workOwner({ principal, endpoint, call }: HttpRequest): WorkOwner {
  return 'account' in principal || readsAddress(endpoint.route) ? ownerOf(call) : UNKNOWN
}
