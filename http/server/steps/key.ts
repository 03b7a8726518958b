// Step: syntax and presence of the Idempotency-Key.
import { because } from '../../../engine/contract/reasons.ts'
import { Fault } from '../body/validation.ts'
import { NEXT, type Request, type StepResult } from '../request.ts'
import { isIdempotencyKey } from '../request-head.ts'

const BAD_KEY = because('idempotency_key')

export function key({ endpoint, headers: { idempotencyKey, idempotencyKeys } }: Request): StepResult {
  const { idempotency, method } = endpoint.route
  // A POST without idempotency rejects a malformed key too, because it is the caller's mistake.
  if (idempotency === 'none' && method !== 'POST') return NEXT
  if (idempotencyKey !== '') return isIdempotencyKey(idempotencyKey) ? NEXT : new Fault('invalid_request', 'Idempotency-Key', BAD_KEY)
  if (idempotency === 'required') return new Fault('idempotency_key_required')
  // An empty key is rejected. Treated as absent, a retry would run twice.
  return idempotencyKeys > 0 ? new Fault('invalid_request', 'Idempotency-Key', BAD_KEY) : NEXT
}
