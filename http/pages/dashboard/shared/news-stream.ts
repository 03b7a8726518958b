// The merchant's event stream for the dashboard's pages. An EventSource sends no header, so the environment stands in the
// address. Pages use the type of a frame alone, and then read themselves again.
import { ENVIRONMENTS } from '../../../../engine/kernel/environment.ts'
import { openMerchantStream } from '../../../api/stream/merchant-stream-routes.ts'
import { EXHAUSTED } from '../../../server/rate-limit.ts'
import { type Call, type Route, route } from '../../../server/route.ts'
import { cashierOf } from '../../../server/route-guards.ts'
import { isSameSite } from '../../../server/same-site.ts'
import { PAGE_HEADERS } from '../../shared/layout.ts'
import { type DashboardParts, PAGE, placeOf } from './dashboard-visit.ts'

export function newsRows(parts: DashboardParts): readonly Route[] {
  return [
    route({
      ...PAGE,
      ...placeOf('/news').shape,
      method: 'GET',
      operationId: 'streamDashboardNews',
      summary: 'News for the pages',
      responses: [{ status: 200, description: 'Server-sent events.', contentType: 'text/event-stream' }],
      handle: (call) => openNews(parts, call),
    }),
  ]
}

/** Cashiers see charges, not payouts or balances. The names do not say whose charge it was. */
const CASHIERS_EVENTS = 'charge.'

type NewsCall = Pick<Call, 'params' | 'browser' | 'acceptEncoding' | 'lastEventId' | 'stream' | 'refuse' | 'answerAs'>

function openNews({ app, rate }: DashboardParts, call: NewsCall): void {
  if (!isSameSite(call)) return call.refuse('csrf_failed')
  const environment = ENVIRONMENTS.find((name) => name === call.params[0])
  const principal = environment === undefined ? null : app.dashboard.sessions.check(call.browser.cookie, environment)
  // 204 ends the reconnections of an EventSource (HTML, section 9.2.3).
  if (principal === null) return call.answerAs(204, '', PAGE_HEADERS)
  if (rate.take(principal.account, principal.environment, performance.now()) === EXHAUSTED) return call.refuse('rate_limited')
  const isCashier = cashierOf(principal) !== null
  openMerchantStream(app, call, principal, { lastEventId: null, ...(isCashier ? { namesOf: CASHIERS_EVENTS } : { withChanges: true }) })
}
