// The pages: everything that people look at. They are no part of the API and stand in no document.

import { logoRoute } from '../api/billers/logo-route.ts'
import type { House } from '../app/house.ts'
import { OperatorSessions } from '../auth/operator/operator-sessions.ts'
import type { Route } from '../server/route.ts'
import type { ApiCalls } from './api-calls.ts'
import { ASSET_ROUTE } from './assets.ts'
import { checkoutPageRoutes } from './checkout/checkout-routes.ts'
import { mandatePageRoutes } from './checkout/mandate-routes.ts'
import { dashboardPageRoutes } from './dashboard/dashboard-table.ts'
import { devRoutes } from './dev/dev-table.ts'
import { operatorPages } from './operator/operator-table.ts'

export interface PageParts {
  readonly house: House
  readonly api: ApiCalls
  /** Null: there is no desk. */
  readonly operatorToken: string | null
  /** Reached by HTTPS. */
  readonly isSecure: boolean
}

export function pageRoutes({ house, api, operatorToken, isSecure }: PageParts): readonly Route[] {
  const now = (): number => house.engine.query('engine.time', null)
  const desk =
    operatorToken === null ? [] : operatorPages({ app: house, api, sessions: new OperatorSessions(operatorToken, now), isSecure })
  const files = [ASSET_ROUTE, logoRoute(house)]
  const customers = [...checkoutPageRoutes(house), ...mandatePageRoutes(house)]
  const merchants = dashboardPageRoutes({ house, api })
  return [...files, ...customers, ...merchants, ...devRoutes(house, api), ...desk]
}
