// What waits, on the home page: money that was announced, asked for, or needs a second person, and messages of customers. One line for each kind, which leads to
// its list.

import type { Text } from '../../../text/text.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { live } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import type { RowPage } from '../shared/row-reader.ts'

const TEXTS = texts({
  fr: {
    waiting: 'En attente',
    topUp: 'approvisionnement attend votre virement',
    topUps: 'approvisionnements attendent votre virement',
    withdrawal: 'retrait attend d’être payé',
    withdrawals: 'retraits attendent d’être payés',
    disbursement: 'versement groupé attend une approbation',
    disbursements: 'versements groupés attendent une approbation',
    problem: 'message d’un client attend',
    problems: 'messages de clients attendent',
    more: (count: number) => `Plus de ${count}`,
  },
  en: {
    waiting: 'Waiting',
    topUp: 'top-up waits for your transfer',
    topUps: 'top-ups wait for your transfer',
    withdrawal: 'withdrawal waits to be paid',
    withdrawals: 'withdrawals wait to be paid',
    disbursement: 'bulk payout waits for an approval',
    disbursements: 'bulk payouts wait for an approval',
    problem: 'message from a customer is waiting',
    problems: 'messages from customers are waiting',
    more: (count) => `More than ${count}`,
  },
})

interface Waiting {
  readonly operationId: string
  /** Path of its list. */
  readonly path: string
  readonly state: string
  readonly words: readonly [one: Text, many: Text]
}

const KINDS: readonly Waiting[] = [
  {
    operationId: 'listDisbursements',
    path: 'disbursements',
    state: 'awaiting_approval',
    words: [TEXTS.disbursement, TEXTS.disbursements],
  },
  { operationId: 'listTopUps', path: 'top-ups', state: 'requested', words: [TEXTS.topUp, TEXTS.topUps] },
  { operationId: 'listProblems', path: 'problems', state: 'open', words: [TEXTS.problem, TEXTS.problems] },
  { operationId: 'listWithdrawals', path: 'withdrawals', state: 'requested', words: [TEXTS.withdrawal, TEXTS.withdrawals] },
]

const COUNTED_MAX = 100

/** Renders the kinds that wait; nothing where none does. */
export async function waitingPart(visit: Visit): Promise<Fragment> {
  const rows = await Promise.all(KINDS.map((kind) => waitingRow(visit, kind)))
  const shown = rows.filter((row) => row !== null)
  return live('waiting', shown.length > 0 && html`<section class="card"><h2>${TEXTS.waiting}</h2><ul>${shown}</ul></section>`)
}

async function waitingRow(visit: Visit, { operationId, path, state, words: [one, many] }: Waiting): Promise<Fragment> {
  const answer = await visit.ask<RowPage<unknown>>(operationId, { query: { state, limit: String(COUNTED_MAX) } })
  if (!answer.ok || answer.body.data.length === 0) return null
  const { data, next_cursor } = answer.body
  const count = next_cursor === null ? data.length : TEXTS.more(COUNTED_MAX)
  return html`<li><a class="alone" href="${visit.to(path)}?state=${state}">${count} ${data.length > 1 ? many : one}</a></li>`
}
