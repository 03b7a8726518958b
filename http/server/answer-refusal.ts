// Answers a command's outcome that is no success.
import type { Outcome } from '../../engine/api.ts'
import { errorBody } from '../../engine/contract/errors.ts'
import { statusOf } from './outcome-status.ts'
import type { Call } from './route.ts'

/** Seconds of `Retry-After` where the outcome names none: how long a one-time code must wait for the next. */
const RETRY_AFTER_S = 30

/** Answers an outcome that is no success; `waitS` is in `Retry-After` of 429 and 503. */
export function answerRefusal(call: Pick<Call, 'answerAs'>, { kind, body }: Pick<Outcome, 'kind' | 'body'>, waitS = RETRY_AFTER_S): void {
  const mayComeBack = kind === 'rate_limited' || kind === 'unavailable'
  call.answerAs(statusOf(kind), body === '' ? errorBody('internal_error') : body, mayComeBack ? [['Retry-After', String(waitS)]] : [])
}
