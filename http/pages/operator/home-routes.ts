// The first page of the operator's desk, for the day: what waits for a decision, what needs attention, who did what, and the check
// of the ledger's balance.

import type { OperatorAction, TrialBalance } from '../../../engine/contract/operator.ts'
import { ENVIRONMENTS } from '../../../engine/kernel/environment.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { DayTotalsReader } from '../dashboard/overview/day-totals.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { actionTable } from './audit-routes.ts'
import { clusterState } from './cluster-routes.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { TEXTS } from './home-routes-messages.ts'
import { ENVIRONMENT_NAMES, type ListPage } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { searchForm } from './search-routes.ts'
import { suspicionList } from './suspicions.ts'
import { readOpenRequests, waitingList } from './waiting-list.ts'

const ACTIONS_SHOWN = '5'

export function homeRoutes(desk: Desk): readonly Route[] {
  const totals = new DayTotalsReader()
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator',
      operationId: 'showOperatorHome',
      summary: 'The desk',
      handle: (call) =>
        desk.signedIn(call, '', (session) =>
          later(call, async () => {
            const nowMs = desk.engine.query('engine.time', null)
            const requests = await readOpenRequests(desk, call)
            const [suspicions, actions, ...balances] = await Promise.all([
              suspicionList(desk, call, requests, totals),
              desk.ask<ListPage<OperatorAction>>(call, { operationId: 'listOperatorActions', query: { limit: ACTIONS_SHOWN } }),
              ...ENVIRONMENTS.map((environment) =>
                desk.ask<TrialBalance>(call, { operationId: 'getTrialBalance', query: { environment } }),
              ),
            ])
            const toReview = desk.engine.query('billers.countToReview', null)
            const body = html`<h1>${WORDS.home}</h1>
${demoWarning(desk.demoMerchantId)}
${searchForm('operator/search')}
<h2>${TEXTS.decide}</h2>
${toReview > 0 && html`<p><a class="alone" href="operator/billers">${TEXTS.billersReview(toReview)}</a></p>`}
${waitingList(desk, requests, nowMs)}
<h2>${TEXTS.lookAt}</h2>
${suspicions}
<h2>${TEXTS.stateService}</h2>
<ul class="tiles">
${tile(TEXTS.billersReview2, String(toReview), 'operator/billers')}
${balances.map((answer, index) => tile(TEXTS.trialBalance(ENVIRONMENT_NAMES[ENVIRONMENTS[index] ?? 'live']), answer.ok && answer.body.balanced ? TEXTS.balanced : OPERATOR_WORDS.check, `operator/ledger?environment=${ENVIRONMENTS[index] ?? 'live'}`))}
${tile(OPERATOR_WORDS.merchants, String(desk.engine.query('merchants.count', null)), 'operator/merchants')}
${tile(OPERATOR_WORDS.nodes, clusterState(desk.cluster()), 'operator/cluster')}
${tile(OPERATOR_WORDS.wallets, String(desk.engine.query('wallets.count', null)), 'operator/wallets')}
</ul>
<h2>${TEXTS.latestOperations}</h2>
${lastActions(actions.ok ? actions.body.data : [])}
<p><a class="alone" href="operator/audit">${TEXTS.wholeLog}</a></p>`
            desk.answer(call, session, { title: WORDS.home, place: 'home', root: '', body })
          }),
        ),
    }),
  ]
}

function demoWarning(merchantId: string | null): Fragment {
  return merchantId !== null && html`<p class="error" role="alert">${TEXTS.folderHasDemoDataIts(merchantId)}</p>`
}

function tile(name: Text | string, value: Text | string, path: string): Html {
  return html`<li><a class="card tile" href="${path}"><span>${name}</span> <b>${value}</b></a></li>`
}

function lastActions(actions: readonly OperatorAction[]): Fragment {
  return actions.length === 0 ? html`<p class="hint">${OPERATOR_WORDS.noOperationsYet}</p>` : actionTable(actions, 'operator')
}
