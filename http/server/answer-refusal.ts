// Answers a command that the engine rejected.
import type { Outcome } from '../../engine/api.ts'
import { errorValue } from '../../engine/contract/errors.ts'
import { statusOf } from './outcome-status.ts'
import type { Call } from './route.ts'

/** Seconds of `Retry-After` where the outcome names none. A one-time code waits this long before the next one. */
const RETRY_AFTER_S = 30

/** Answers a rejected command. `waitS` is the `Retry-After` of 429 and 503. */
export function answerRefusal(call: Pick<Call, 'answerAs'>, { kind, body }: Pick<Outcome, 'kind' | 'body'>, waitS = RETRY_AFTER_S): void {
  const mayComeBack = kind === 'rate_limited' || kind === 'unavailable'
  call.answerAs(statusOf(kind), body === '' ? errorValue('internal_error') : body, mayComeBack ? [['Retry-After', String(waitS)]] : [])
}
