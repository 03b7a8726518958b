// The ledger on the operator's desk: the trial balance of an environment.

import type { TrialBalance } from '../../../engine/contract/operator.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { amountText, countText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { answerMissing } from './missing.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { type Scope, scopeOf, scopeTabs } from './rules-view.ts'

const TEXTS = texts({
  fr: {
    settlement: 'Règlement',
    clearing: 'Compensation',
    accounts: 'Comptes',
    whichReserved: 'Dont réservé',
    transactionsStateSequenceLog: (transactions: string, lastSequence: string) =>
      `${transactions} transactions ; état de la séquence ${lastSequence} du journal.`,
    debitsEqualCredits: 'Les débits égalent les crédits.',
    debitsDoNotEqualCredits: 'Les débits n’égalent pas les crédits : arrêtez tout et cherchez pourquoi.',
    fees: 'Frais',
  },
  en: {
    settlement: 'Settlement',
    clearing: 'Clearing',
    accounts: 'Accounts',
    whichReserved: 'Of which reserved',
    transactionsStateSequenceLog: (transactions, lastSequence) =>
      `${transactions} transactions; state of sequence ${lastSequence} of the log.`,
    debitsEqualCredits: 'Debits equal credits.',
    debitsDoNotEqualCredits: 'Debits do not equal credits: stop everything and find out why.',
    fees: 'Fees',
  },
})

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
            const scope = scopeOf(desk, call.queryText)
            const query = { environment: scope.environment, currency: scope.currency }
            const answer = await desk.ask<TrialBalance>(call, { operationId: 'getTrialBalance', query })
            if (!answer.ok)
              return answerMissing(desk, call, session, {
                place: 'ledger',
                root: '../',
                message: answer.error.message,
                status: answer.status,
              })
            desk.answer(call, session, {
              title: OPERATOR_WORDS.trialBalance,
              place: 'ledger',
              root: '../',
              body: ledgerBody(desk, scope, answer.body),
            })
          }),
        ),
    }),
  ]
}

type AccountTotal = TrialBalance['accounts'][number]

const KIND_NAMES: Readonly<Record<AccountTotal['type'], Text>> = {
  settlement: TEXTS.settlement,
  clearing: TEXTS.clearing,
  merchant: OPERATOR_WORDS.merchants,
  wallet: OPERATOR_WORDS.wallets,
  fee: TEXTS.fees,
}

function columnsIn(currency: string): readonly Column<AccountTotal>[] {
  return [
    { name: TEXTS.accounts, isHeader: true, cell: ({ type }) => KIND_NAMES[type] },
    { name: WORDS.number, isFigure: true, cell: ({ count }) => countText(count) },
    { name: WORDS.debit, isFigure: true, cell: ({ debit }) => amountText(debit, currency) },
    { name: WORDS.credit, isFigure: true, cell: ({ credit }) => amountText(credit, currency) },
    { name: TEXTS.whichReserved, isFigure: true, cell: ({ held }) => amountText(held, currency) },
  ]
}

function ledgerBody(desk: Desk, scope: Scope, { balanced, accounts, transactions, last_sequence }: TrialBalance): Html {
  const { currency } = scope
  const totals = (['debit', 'credit', 'held'] as const).map((name) => amountText(sum(accounts.map((row) => row[name])), currency))
  return html`<h1>${OPERATOR_WORDS.trialBalance}</h1>
${scopeTabs(desk, 'ledger', scope)}
<p class="verdict is-${balanced ? 'good' : 'bad'}" role="status">${balanced ? TEXTS.debitsEqualCredits : TEXTS.debitsDoNotEqualCredits}</p>
${dataTable({ name: OPERATOR_WORDS.trialBalance, columns: columnsIn(currency), rows: accounts, foot: [WORDS.total, null, ...totals] })}
<p class="hint">${TEXTS.transactionsStateSequenceLog(countText(transactions), countText(last_sequence))}</p>`
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
