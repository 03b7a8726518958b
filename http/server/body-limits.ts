// How large a body a route takes: from its row, or by who may call it.

import type { AuthRule, RouteShape } from './route.ts'
import { BODY_BYTES_MAX, BODY_VALUES_MAX, PUBLIC_BODY_BYTES_MAX, PUBLIC_BODY_VALUES_MAX } from './server-limits.ts'

/** Rules that let callers in before they have an account: what they send is bounded more tightly. */
const OPEN_RULES: ReadonlySet<AuthRule> = new Set(['public', 'signup', 'login'])

export function isOpenRule(auth: AuthRule): boolean {
  return OPEN_RULES.has(auth)
}

/** Bytes of a body, for a caller who has shown who he is. */
export function bodyBytesMaxOf({ auth, bodyBytesMax }: Pick<RouteShape, 'auth' | 'bodyBytesMax'>): number {
  return bodyBytesMax ?? (isOpenRule(auth) ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX)
}

/** Values of a JSON body, counted by its commas and brackets. */
export function bodyValuesMaxOf({ auth, bodyValuesMax }: Pick<RouteShape, 'auth' | 'bodyValuesMax'>): number {
  return bodyValuesMax ?? (isOpenRule(auth) ? PUBLIC_BODY_VALUES_MAX : BODY_VALUES_MAX)
}
