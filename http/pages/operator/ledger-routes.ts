// The ledger on the operator's desk: the trial balance of an environment.
import type { TrialBalance } from '../../../engine/contract/operator.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type Column, dataTable } from '../data-table.ts'
import { type Html, html } from '../html.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { answerMissing } from './missing.ts'
import { ENVIRONMENT_NAMES } from './operator-parts.ts'

export function ledgerRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/ledger',
      operationId: 'showOperatorLedger',
      summary: 'The trial balance',
      handle: (call) =>
        desk.signedIn(call, '../', (session) =>
          later(call, async () => {
            const environment: Environment = new URLSearchParams(call.queryText).get('environment') === 'test' ? 'test' : 'live'
            const answer = await desk.ask<TrialBalance>(call, { operationId: 'getTrialBalance', query: { environment } })
            if (!answer.ok)
              return answerMissing(desk, call, session, {
                place: 'ledger',
                root: '../',
                message: answer.error.message,
                status: answer.status,
              })
            desk.answer(call, session, { title: 'Balance', place: 'ledger', root: '../', body: ledgerBody(environment, answer.body) })
          }),
        ),
    }),
  ]
}

type AccountTotal = TrialBalance['accounts'][number]

const KIND_NAMES: Readonly<Record<AccountTotal['type'], string>> = {
  settlement: 'Règlement',
  clearing: 'Compensation',
  merchant: 'Marchands',
  wallet: 'Portefeuilles',
  fee: 'Frais',
}

const COUNT = new Intl.NumberFormat('fr-FR')

const COLUMNS: readonly Column<AccountTotal>[] = [
  { name: 'Comptes', isHeader: true, cell: ({ type }) => KIND_NAMES[type] },
  { name: 'Nombre', isFigure: true, cell: ({ count }) => COUNT.format(count) },
  { name: 'Débit', isFigure: true, cell: ({ debit }) => prettyAmount(debit) },
  { name: 'Crédit', isFigure: true, cell: ({ credit }) => prettyAmount(credit) },
  { name: 'Dont réservé', isFigure: true, cell: ({ held }) => prettyAmount(held) },
]

function ledgerBody(environment: Environment, { balanced, accounts, transactions, last_sequence }: TrialBalance): Html {
  const totals = (['debit', 'credit', 'held'] as const).map((name) => prettyAmount(sum(accounts.map((row) => row[name]))))
  return html`<h1>Balance</h1>
<nav class="tabs" aria-label="Environnement">${ENVIRONMENTS.map((name) => html`<a href="ledger?environment=${name}"${name === environment && html` aria-current="page"`}>${ENVIRONMENT_NAMES[name]}</a>`)}</nav>
<p class="verdict is-${balanced ? 'good' : 'bad'}" role="status">${balanced ? 'Les débits égalent les crédits.' : 'Les débits n’égalent pas les crédits : arrêtez tout et cherchez pourquoi.'}</p>
${dataTable({ name: 'Balance', columns: COLUMNS, rows: accounts, foot: ['Total', null, ...totals] })}
<p class="hint">${COUNT.format(transactions)} transactions ; état de la séquence ${COUNT.format(last_sequence)} du journal.</p>`
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
