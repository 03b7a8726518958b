// The audit trail on the operator's desk: actions of operators, on the desk or through the API, newest first.

import type { Operator, OperatorAction } from '../../../engine/contract/operator.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { ACTION_WORDS } from '../../text/action-words.ts'
import { Text } from '../../text/text.ts'
import { DAY_MS } from '../dashboard/overview/day-totals.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { detailList, targetPart } from './audit-details.ts'
import { TEXTS } from './audit-routes-messages.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { answerMissing } from './missing.ts'
import { environmentBadge, type ListPage, moment, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

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
            const body = auditBody(sent, answer.body, operators.ok ? operators.body.data : [])
            desk.answer(call, session, { title: WORDS.log, place: 'audit', root: '../', body })
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

function auditBody(sent: URLSearchParams, { data, next_cursor }: ListPage<OperatorAction>, operators: readonly Operator[]): Html {
  const kept = Object.fromEntries([...FILTERS, 'cursor'].flatMap((name) => (sent.get(name) ? [[name, sent.get(name) ?? '']] : [])))
  const isFiltered = FILTERS.some((name) => kept[name] !== undefined)
  return html`<h1>${TEXTS.logOperations}</h1>
${filterForm(kept, operators, isFiltered)}
${data.length === 0 ? html`<p class="hint">${isFiltered ? TEXTS.noOperationMatches : OPERATOR_WORDS.noOperationsYet}</p>` : actionTable(data, '../operator')}
${pager('audit', kept, next_cursor)}`
}

function filterForm(kept: Readonly<Record<string, string>>, operators: readonly Operator[], isOpen: boolean): Html {
  const option = (value: string, words: Fragment, chosen: string | undefined): Html =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${words}</option>`
  return html`<details class="filters"${isOpen && html` open`}><summary>${WORDS.filter}</summary>
<form class="card filter-row" method="get" action="audit" role="search">
<div class="field"><label for="operator">${TEXTS.who}</label><select id="operator" name="operator">${option('', WORDS.all, kept.operator)}${option('root', OPERATOR_WORDS.mainAccess, kept.operator)}${operators.map(({ id, name }) => option(id, name, kept.operator))}</select></div>
<div class="field"><label for="action">${WORDS.action}</label><select id="action" name="action">${option('', WORDS.all2, kept.action)}${Object.keys(ACTION_WORDS).map((action) => option(action, actionName(action), kept.action))}</select></div>
<div class="field"><label for="day">${WORDS.day}</label><input id="day" name="day" type="date" value="${kept.day}"></div>
<div><button type="submit">${WORDS.filter}</button></div><a class="alone" href="audit">${WORDS.clearFilters}</a>
</form></details>`
}

/** Renders actions as a table. `deskPath` is the relative path from the page to the desk. */
export function actionTable(actions: readonly OperatorAction[], deskPath: string): Html {
  const columns: readonly Column<OperatorAction>[] = [
    { name: TEXTS.when, card: 'about', cell: ({ created_at }) => moment(created_at) },
    {
      name: TEXTS.who,
      card: 'about',
      cell: ({ operator }) => (operator.id === null ? OPERATOR_WORDS.mainAccess : html`<bdi>${operator.name}</bdi>`),
    },
    {
      name: WORDS.action,
      card: 'title',
      isHeader: true,
      cell: ({ action }) => actionName(action),
    },
    { name: TEXTS.on, card: 'about', cell: (action) => targetPart(action, deskPath) },
    {
      name: WORDS.environment,
      card: 'state',
      cell: ({ environment }) => (environment === null ? TEXTS.both : environmentBadge(environment)),
    },
    { name: TEXTS.details, isProse: true, card: 'action', cell: ({ details }) => detailList(details) },
  ]
  return dataTable({ name: TEXTS.operations, columns, rows: actions })
}

/** Name of an action; its code where it has none. */
export function actionName(action: string): Text | string {
  const words = ACTION_WORDS[action]
  return words === undefined ? action : new Text((language) => words[language])
}
