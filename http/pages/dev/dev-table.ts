// The pages for development. In production there is no inbox, and none of them exists.
import type { House } from '../../app/house.ts'
import type { Route } from '../../server/route.ts'
import type { ApiCalls } from '../api-calls.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { PhoneCalls } from './phone-calls.ts'
import { phoneChargeRoutes } from './phone-charge-routes.ts'
import { phoneRoutes } from './phone-routes.ts'

export function devRoutes(house: House, api: ApiCalls): readonly Route[] {
  if (house.inbox === null) return []
  const calls = new PhoneCalls(api)
  return [...inboxRoutes(house.inbox), ...phoneRoutes(house, calls), ...phoneChargeRoutes(house, calls)]
}
