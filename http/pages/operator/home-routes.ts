// The first page of the operator's desk, for the day: what waits for a decision, what needs attention, who did what, and the check
// of the ledger's balance.
import type { OperatorAction, TrialBalance } from '../../../engine/contract/operator.ts'
import { ENVIRONMENTS } from '../../../engine/kernel/environment.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { DayTotalsReader } from '../dashboard/day-totals.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { actionTable } from './audit-routes.ts'
import { clusterState } from './cluster-routes.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { ENVIRONMENT_NAMES, type ListPage } from './operator-parts.ts'
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
            const body = html`<h1>Accueil</h1>
${demoWarning(desk.demoMerchantId)}
<h2>À décider</h2>
${toReview > 0 && html`<p><a class="alone" href="operator/billers">Facturiers à examiner : ${toReview}</a></p>`}
${waitingList(desk, requests, nowMs)}
<h2>À regarder</h2>
${suspicions}
<h2>État du service</h2>
<ul class="tiles">
${tile('Facturiers à examiner', String(toReview), 'operator/billers')}
${balances.map((answer, index) => tile(`Balance, ${ENVIRONMENT_NAMES[ENVIRONMENTS[index] ?? 'live']}`, answer.ok && answer.body.balanced ? 'équilibrée' : 'à vérifier', `operator/ledger?environment=${ENVIRONMENTS[index] ?? 'live'}`))}
${tile('Marchands', String(desk.engine.query('merchants.count', null)), 'operator/merchants')}
${tile('Nœuds', clusterState(desk.cluster()), 'operator/cluster')}
${tile('Portefeuilles', String(desk.engine.query('wallets.count', null)), 'operator/wallets')}
</ul>
<h2>Dernières opérations</h2>
${lastActions(desk, actions.ok ? actions.body.data : [])}
<p><a class="alone" href="operator/audit">Tout le journal</a></p>`
            desk.answer(call, session, { title: 'Accueil', place: 'home', root: '', body })
          }),
        ),
    }),
  ]
}

function demoWarning(merchantId: string | null): Fragment {
  return (
    merchantId !== null &&
    html`<p class="error" role="alert">Ce dossier contient les données de démonstration. Leur compte et leurs clés sont refusés en production. <a href="operator/merchants/${merchantId}">Le marchand de démonstration</a></p>`
  )
}

function tile(name: string, value: string, path: string): Html {
  return html`<li><a class="card tile" href="${path}"><span>${name}</span> <b>${value}</b></a></li>`
}

function lastActions(desk: Desk, actions: readonly OperatorAction[]): Fragment {
  return actions.length === 0 ? html`<p class="hint">Aucune opération pour le moment.</p>` : actionTable(desk, actions, 'operator')
}
