// The route table of the development pages. Production has no inbox, and none of these routes exists there.
import type { Route } from '../../server/route.ts'
import type { Inbox } from '../../workers/gateways/inbox.ts'
import type { ApiCalls } from '../shared/api-calls.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { billRows } from './phone-bill-screens.ts'
import { PhoneCalls } from './phone-calls.ts'
import { phoneChargeRoutes } from './phone-charge-routes.ts'
import { historyRows } from './phone-history-screens.ts'
import { mandateRows } from './phone-mandate-screens.ts'
import { type MoneyParts, moneyRows } from './phone-money-screens.ts'
import { type PhoneRoutesParts, phoneRoutes } from './phone-routes.ts'
import { sendRows } from './phone-send-screens.ts'
import { startRoutes } from './start-routes.ts'

export interface DevRoutesParts extends Omit<PhoneRoutesParts & MoneyParts, 'api'> {
  /** Null in production. */
  readonly inbox: Inbox | null
}

/** `hasDesk` is true when the operator's desk is on. */
export function devRoutes(parts: DevRoutesParts, api: ApiCalls, hasDesk: boolean): readonly Route[] {
  if (parts.inbox === null) return []
  const calls = new PhoneCalls(api)
  const phone = partsOf(parts, api)
  const screens = [...sendRows(phone), ...billRows(phone), ...mandateRows(phone), ...historyRows(phone), ...moneyRows(phone)]
  return [
    ...startRoutes(hasDesk),
    ...inboxRoutes(parts.inbox),
    ...phoneRoutes(phone, calls),
    ...phoneChargeRoutes(phone, calls),
    ...screens,
  ]
}

/** Reads the parts at each use, because the route table is made before the log is recovered. */
function partsOf(parts: DevRoutesParts, api: ApiCalls): PhoneRoutesParts & MoneyParts {
  return {
    api,
    get engine() {
      return parts.engine
    },
    get seal() {
      return parts.seal
    },
    get checkoutBase() {
      return parts.checkoutBase
    },
  }
}
