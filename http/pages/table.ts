// The pages: everything that people look at. They are no part of the API and stand in no document.
import { OperatorSessions } from '../auth/operator-sessions.ts'
import type { House } from '../house.ts'
import { logoRoute } from '../logos/logo-route.ts'
import type { Route } from '../route.ts'
import type { ApiCalls } from './api-calls.ts'
import { ASSET_ROUTE } from './assets.ts'
import { checkoutPageRoutes } from './checkout-routes.ts'
import { dashboardPageRoutes } from './dashboard/table.ts'
import { devRoutes } from './dev/table.ts'
import { mandatePageRoutes } from './mandate-routes.ts'
import { operatorPages } from './operator/table.ts'

export interface PageParts {
  readonly house: House
  readonly api: ApiCalls
  /** Null: there is no desk. */
  readonly operatorToken: string | null
  /** Reached by HTTPS. */
  readonly isSecure: boolean
}

export function pageRoutes({ house, api, operatorToken, isSecure }: PageParts): readonly Route[] {
  const now = (): number => house.engine.nowMs()
  const desk = operatorToken === null ? [] : operatorPages({ house, api, sessions: new OperatorSessions(operatorToken, now), isSecure })
  const files = [ASSET_ROUTE, logoRoute(house)]
  const customers = [...checkoutPageRoutes(house), ...mandatePageRoutes(house)]
  const merchants = dashboardPageRoutes({ house, api })
  return [...files, ...customers, ...merchants, ...devRoutes(house, api), ...desk]
}
