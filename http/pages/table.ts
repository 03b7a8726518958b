// The pages: everything that people look at. They are no part of the API and stand in no document.
import type { House } from '../house.ts'
import type { Route } from '../route.ts'
import { ASSET_ROUTE } from './assets.ts'
import { checkoutPageRoutes } from './checkout-routes.ts'

export function pageRoutes(house: House): readonly Route[] {
  return [ASSET_ROUTE, ...checkoutPageRoutes(house)]
}
