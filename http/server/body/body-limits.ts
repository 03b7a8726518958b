// Maximum size of a route's request body: from its row, or from its auth rule.

import type { AuthRule, RouteShape } from '../route.ts'
import { BODY_BYTES_MAX, BODY_VALUES_MAX, PUBLIC_BODY_BYTES_MAX, PUBLIC_BODY_VALUES_MAX } from '../server-limits.ts'

/** Auth rules of callers without an account. Their bodies have a lower maximum. */
const OPEN_RULES: ReadonlySet<AuthRule> = new Set(['public', 'signup', 'login'])

export function isOpenRule(auth: AuthRule): boolean {
  return OPEN_RULES.has(auth)
}

/** Returns the maximum bytes of a body, for an authenticated caller. */
export function bodyBytesMaxOf({ auth, bodyBytesMax }: Pick<RouteShape, 'auth' | 'bodyBytesMax'>): number {
  return bodyBytesMax ?? (isOpenRule(auth) ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX)
}

/** Returns the maximum number of values in a JSON body, counted by its commas and brackets. */
export function bodyValuesMaxOf({ auth, bodyValuesMax }: Pick<RouteShape, 'auth' | 'bodyValuesMax'>): number {
  return bodyValuesMax ?? (isOpenRule(auth) ? PUBLIC_BODY_VALUES_MAX : BODY_VALUES_MAX)
}
