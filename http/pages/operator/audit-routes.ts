// The audit trail on the operator's desk: actions of operators, on the desk or through the API, newest first.
import type { Operator, OperatorAction } from '../../../engine/contract/operator.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { DAY_MS } from '../dashboard/day-totals.ts'
import { type Column, dataTable } from '../data-table.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { detailList, targetPart } from './audit-details.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { answerMissing } from './missing.ts'
import { environmentBadge, type ListPage, moment, pager } from './operator-parts.ts'

export function auditRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/audit',
      operationId: 'showOperatorAudit',
      summary: 'What operators did',
      handle: (call) =>
        desk.signedIn(call, '../', (session) =>
          later(call, async () => {
            const sent = new URLSearchParams(call.queryText)
            const query = auditQuery(sent)
            const [answer, operators] = await Promise.all([
              desk.ask<ListPage<OperatorAction>>(call, { operationId: 'listOperatorActions', query }),
              desk.ask<ListPage<Operator>>(call, { operationId: 'listOperators', query: { limit: '100' } }),
            ])
            if (!answer.ok)
              return answerMissing(desk, call, session, {
                place: 'audit',
                root: '../',
                message: answer.error.message,
                status: answer.status,
              })
            const body = auditBody(desk, sent, answer.body, operators.ok ? operators.body.data : [])
            desk.answer(call, session, { title: 'Journal', place: 'audit', root: '../', body })
          }),
        ),
    }),
  ]
}

const FILTERS = ['operator', 'action', 'day'] as const
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Returns the query for the API: a day is a day in UTC. */
function auditQuery(sent: URLSearchParams): Readonly<Record<string, string>> {
  const wanted: Record<string, string> = {}
  for (const name of ['operator', 'action', 'cursor']) {
    const value = sent.get(name)?.trim() ?? ''
    if (value !== '') wanted[name] = value
  }
  const day = sent.get('day') ?? ''
  const from = DAY.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  if (Number.isNaN(from) || day >= '9999-12-31') return wanted
  return { ...wanted, created_from: new Date(from).toISOString(), created_to: new Date(from + DAY_MS).toISOString() }
}

function auditBody(
  desk: Desk,
  sent: URLSearchParams,
  { data, next_cursor }: ListPage<OperatorAction>,
  operators: readonly Operator[],
): Html {
  const kept = Object.fromEntries([...FILTERS, 'cursor'].flatMap((name) => (sent.get(name) ? [[name, sent.get(name) ?? '']] : [])))
  const isFiltered = FILTERS.some((name) => kept[name] !== undefined)
  return html`<h1>Journal des opérations</h1>
${filterForm(kept, operators, isFiltered)}
${data.length === 0 ? html`<p class="hint">${isFiltered ? 'Aucune opération ne correspond.' : 'Aucune opération pour le moment.'}</p>` : actionTable(desk, data, '../operator')}
${pager('audit', kept, next_cursor)}`
}

function filterForm(kept: Readonly<Record<string, string>>, operators: readonly Operator[], isOpen: boolean): Html {
  const option = (value: string, words: Fragment, chosen: string | undefined): Html =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${words}</option>`
  return html`<details class="filters"${isOpen && html` open`}><summary>Filtrer</summary>
<form class="card filter-row" method="get" action="audit" role="search">
<div class="field"><label for="operator">Qui</label><select id="operator" name="operator">${option('', 'Tous', kept.operator)}${option('root', 'Accès principal', kept.operator)}${operators.map(({ id, name }) => option(id, name, kept.operator))}</select></div>
<div class="field"><label for="action">Action</label><select id="action" name="action">${option('', 'Toutes', kept.action)}${Object.entries(ACTION_NAMES).map(([value, words]) => option(value, words, kept.action))}</select></div>
<div class="field"><label for="day">Jour</label><input id="day" name="day" type="date" value="${kept.day}"></div>
<div><button type="submit">Filtrer</button></div><a class="alone" href="audit">Effacer les filtres</a>
</form></details>`
}

/** Renders actions as a table. `deskPath` is the relative path from the page to the desk. */
export function actionTable(desk: Pick<Desk, 'engine'>, actions: readonly OperatorAction[], deskPath: string): Html {
  const columns: readonly Column<OperatorAction>[] = [
    { name: 'Quand', card: 'about', cell: ({ created_at }) => moment(created_at) },
    {
      name: 'Qui',
      card: 'about',
      cell: ({ operator }) => (operator.id === null ? 'Accès principal' : html`<bdi>${operator.name}</bdi>`),
    },
    {
      name: 'Action',
      card: 'title',
      isHeader: true,
      cell: ({ action }) => ACTION_NAMES[action] ?? html`<code>${action}</code>`,
    },
    { name: 'Sur', card: 'about', cell: (action) => targetPart(desk, action, deskPath) },
    {
      name: 'Environnement',
      card: 'state',
      cell: ({ environment }) => (environment === null ? 'les deux' : environmentBadge(environment)),
    },
    { name: 'Détails', isProse: true, card: 'action', cell: ({ details }) => detailList(details) },
  ]
  return dataTable({ name: 'Opérations', columns, rows: actions })
}

const ACTION_NAMES: Readonly<Record<string, string>> = {
  'merchant.create': 'Marchand créé',
  'api_key.create': 'Clé API créée',
  'api_key.revoke': 'Clé API révoquée',
  'deposit.create': 'Dépôt',
  'deposit.request': 'Dépôt demandé',
  'deposit.refuse': 'Dépôt refusé',
  'withdrawal.create': 'Retrait',
  'withdrawal.request': 'Retrait demandé',
  'withdrawal.refuse': 'Retrait refusé',
  'withdrawal.pay': 'Retrait payé',
  'top_up.confirm': 'Approvisionnement crédité',
  'top_up.refuse': 'Approvisionnement refusé',
  'top_up_confirmation.request': 'Crédit d’un approvisionnement demandé',
  'top_up_confirmation.refuse': 'Crédit d’un approvisionnement refusé',
  'withdrawal_payment.request': 'Paiement d’un retrait demandé',
  'withdrawal_payment.refuse': 'Paiement d’un retrait refusé',
  'wallet.block': 'Portefeuille bloqué',
  'wallet.unblock': 'Portefeuille débloqué',
  'merchant.suspend': 'Marchand suspendu',
  'merchant.reinstate': 'Marchand rétabli',
  'merchant.limits': 'Limites d’un marchand changées',
  'merchant.activate': 'Marchand activé',
  'merchant.refuse': 'Activation refusée',
  'merchant.note': 'Note sur un marchand',
  'wallet.note': 'Note sur un portefeuille',
  'member.totp_reset': 'Validation en deux étapes désactivée',
  'operator.request': 'Opérateur demandé',
  'operator.revocation_request': 'Révocation d’un opérateur demandée',
  'operator.refuse': 'Opérateur refusé',
  'operator.create': 'Opérateur créé',
  'operator.revoke': 'Opérateur révoqué',
  'biller.approve': 'Facturier approuvé',
  'biller.reject': 'Facturier refusé',
  'biller.suspend': 'Facturier suspendu',
  'biller.reinstate': 'Facturier rétabli',
  'biller.logo.approve': 'Logo approuvé',
  'biller.logo.reject': 'Logo refusé',
}
