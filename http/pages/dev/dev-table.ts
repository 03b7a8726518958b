// The route table of the development pages. Production has no inbox, and none of these routes exists there.
import type { Route } from '../../server/route.ts'
import type { Inbox } from '../../workers/gateways/inbox.ts'
import type { ApiCalls } from '../api-calls.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { PhoneCalls } from './phone-calls.ts'
import { phoneChargeRoutes } from './phone-charge-routes.ts'
import { type PhoneRoutesParts, phoneRoutes } from './phone-routes.ts'
import { startRoutes } from './start-routes.ts'

export interface DevRoutesParts extends PhoneRoutesParts {
  /** Null in production. */
  readonly inbox: Inbox | null
}

/** `hasDesk` is true when the operator's desk is on. */
export function devRoutes(parts: DevRoutesParts, api: ApiCalls, hasDesk: boolean): readonly Route[] {
  if (parts.inbox === null) return []
  const calls = new PhoneCalls(api)
  return [...startRoutes(hasDesk), ...inboxRoutes(parts.inbox), ...phoneRoutes(parts, calls), ...phoneChargeRoutes(parts, calls)]
}
