// The route table of all pages. Pages are not part of the API or of its document.

import { type LogoRouteParts, logoRoute } from '../api/billers/logo-route.ts'
import { OperatorSessions } from '../auth/operator/operator-sessions.ts'
import type { Route } from '../server/route.ts'
import { type CheckoutPageParts, checkoutPageRoutes } from './checkout/checkout-routes.ts'
import { type LinkPageParts, linkPageRoutes } from './checkout/link-routes.ts'
import { type MandatePageParts, mandatePageRoutes } from './checkout/mandate-routes.ts'
import { dashboardPageRoutes } from './dashboard/dashboard-table.ts'
import type { DashboardApp } from './dashboard/shared/dashboard-app.ts'
import { type DevRoutesParts, devRoutes } from './dev/dev-table.ts'
import { docsRoutes } from './docs/docs-table.ts'
import type { DeskApp } from './operator/desk.ts'
import { operatorPages } from './operator/operator-table.ts'
import type { ApiCalls } from './shared/api-calls.ts'
import { ASSET_ROUTE } from './shared/assets.ts'

/** What the pages need of the application. */
export type PageApp = LogoRouteParts & CheckoutPageParts & MandatePageParts & LinkPageParts & DashboardApp & DevRoutesParts & DeskApp

export interface PageParts {
  readonly app: PageApp
  readonly api: ApiCalls
  /** Null disables the operator's desk. */
  readonly operatorToken: string | null
  /** Key of the signatures of operator sessions. */
  readonly sessionKey: Uint8Array
  /** True when clients reach the pages by HTTPS. */
  readonly isSecure: boolean
}

export function pageRoutes({ app, api, operatorToken, sessionKey, isSecure }: PageParts): readonly Route[] {
  const desk = operatorToken === null ? [] : deskRoutes({ app, api, operatorToken, sessionKey, isSecure })
  const files = [ASSET_ROUTE, logoRoute(app)]
  const customers = [...checkoutPageRoutes(app, api), ...mandatePageRoutes(app), ...linkPageRoutes(app)]
  const merchants = dashboardPageRoutes({ app, api })
  return [...files, ...docsRoutes(api), ...customers, ...merchants, ...devRoutes(app, api, operatorToken !== null), ...desk]
}

/** `app.engine` is read by each request, because the table is made before the log is recovered. */
function deskRoutes({ app, api, operatorToken, sessionKey, isSecure }: PageParts & { readonly operatorToken: string }): readonly Route[] {
  const engine: DeskApp['engine'] = { query: (name, input) => app.engine.query(name, input) }
  const sessions = new OperatorSessions({ token: operatorToken, key: sessionKey, engine })
  return operatorPages({ app, api, sessions, isSecure })
}
