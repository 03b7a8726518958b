// The ledger on the operator's desk: the trial balance of an environment.
import type { TrialBalance } from '../../../engine/contract/operator.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type Html, html } from '../html.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { answerMissing } from './missing.ts'
import { ENVIRONMENT_NAMES, sheet } from './operator-parts.ts'

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
            if (!answer.ok) return answerMissing(desk, call, session, { place: 'ledger', root: '../', message: answer.error.message })
            desk.answer(call, session, { title: 'Balance', place: 'ledger', root: '../', body: ledgerBody(environment, answer.body) })
          }),
        ),
    }),
  ]
}

const KIND_NAMES: Readonly<Record<TrialBalance['accounts'][number]['type'], string>> = {
  settlement: 'Règlement',
  clearing: 'Compensation',
  merchant: 'Marchands',
  wallet: 'Portefeuilles',
}

const COUNT = new Intl.NumberFormat('fr-FR')

function ledgerBody(environment: Environment, { balanced, accounts, transactions, last_sequence }: TrialBalance): Html {
  const [debit, credit] = [sum(accounts.map((row) => row.debit)), sum(accounts.map((row) => row.credit))]
  return html`<h1>Balance</h1>
<nav class="tabs" aria-label="Environnement">${ENVIRONMENTS.map((name) => html`<a href="ledger?environment=${name}"${name === environment && html` aria-current="page"`}>${ENVIRONMENT_NAMES[name]}</a>`)}</nav>
<p class="verdict is-${balanced ? 'good' : 'bad'}" role="status">${balanced ? 'Les débits égalent les crédits.' : 'Les débits n’égalent pas les crédits : arrêtez tout et cherchez pourquoi.'}</p>
${sheet(
  'Balance',
  html`<table>
<thead><tr><th scope="col">Comptes</th><th scope="col" class="figure">Nombre</th><th scope="col" class="figure">Débit</th><th scope="col" class="figure">Crédit</th><th scope="col" class="figure">Dont réservé</th></tr></thead>
<tbody>${accounts.map(({ type, count, debit, credit, held }) => html`<tr><th scope="row">${KIND_NAMES[type]}</th><td class="figure">${COUNT.format(count)}</td><td class="figure">${prettyAmount(debit)}</td><td class="figure">${prettyAmount(credit)}</td><td class="figure">${prettyAmount(held)}</td></tr>`)}</tbody>
<tfoot><tr><th scope="row">Total</th><td></td><td class="figure">${prettyAmount(debit)}</td><td class="figure">${prettyAmount(credit)}</td><td class="figure">${prettyAmount(sum(accounts.map((row) => row.held)))}</td></tr></tfoot>
</table>`,
)}
<p class="hint">${COUNT.format(transactions)} transactions ; état de la séquence ${COUNT.format(last_sequence)} du journal.</p>`
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
