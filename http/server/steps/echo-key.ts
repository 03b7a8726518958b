// Step: repeats the Idempotency-Key in the answer.
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'

/**
 * The native parser drops bytes from 0x80 on at both ends of a value: `paie-é` arrives as `paie-`. The answer repeats the key as it
 * was read, so that a client sees the difference.
 */
export function echoKey(request: HttpRequest): StepResult {
  const { idempotency, method } = request.endpoint.route
  const { idempotencyKey } = request.headers
  if (idempotencyKey !== '' && (idempotency !== 'none' || method === 'POST')) request.echoedKey = idempotencyKey
  return NEXT
}
