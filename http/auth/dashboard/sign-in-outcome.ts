// The request that sign-in reads, and the response when the user is not signed in or a change is refused.
import type { Outcome } from '../../../engine/api.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { statusOf } from '../../server/outcome-status.ts'
import type { Call } from '../../server/route.ts'

/** The parts of a request that sign-in reads. */
export type SignInCall = Pick<Call, 'remoteAddress' | 'browser' | 'idempotency' | 'requestId'>

/** Response when the user is not signed in. */
export interface NotOpened {
  readonly status: number
  readonly body: string
  readonly retryAfterS: number | null
  /** Stands for the right password where a code of the second factor is missing or wrong. For pages alone: see login-step.ts. */
  readonly step?: string
  /** True when an earlier request with the same key was rejected. */
  readonly isReplay?: boolean
}

/** The caller's network, or the account, has the most slow hashes in a full queue: it waits behind itself, and the service is there. */
export const CROWDED: NotOpened = { status: 429, body: errorValue('rate_limited'), retryAfterS: 1 }

export const UNAVAILABLE: NotOpened = { status: 503, body: errorValue('unavailable'), retryAfterS: 1 }

export function notOpened({ kind, body, replayed }: Outcome): NotOpened {
  return { status: statusOf(kind), body, retryAfterS: kind === 'rate_limited' ? 1 : null, isReplay: replayed }
}
