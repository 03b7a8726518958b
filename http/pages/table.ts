// The pages: everything that people look at. They are no part of the API and stand in no document.
import type { House } from '../house.ts'
import type { Route } from '../route.ts'
import type { ApiCalls } from './api-calls.ts'
import { ASSET_ROUTE } from './assets.ts'
import { checkoutPageRoutes } from './checkout-routes.ts'
import { devRoutes } from './dev/table.ts'

export function pageRoutes(house: House, api: ApiCalls): readonly Route[] {
  return [ASSET_ROUTE, ...checkoutPageRoutes(house), ...devRoutes(house, api)]
}
