// Everything that waits for a decision of an operator, in one list, the oldest first: approvals, new operators, withdrawals,
// top-ups, withdrawal accounts, activations, new names, new logos.

import type { MerchantActivation } from '../../../engine/contract/activation.ts'
import type { Approval } from '../../../engine/contract/approval.ts'
import type { MerchantLogoChange, MerchantNameChange } from '../../../engine/contract/merchant-account.ts'
import type { OperatorRequest } from '../../../engine/contract/operator.ts'
import type { OperatorTopUp } from '../../../engine/contract/top-up.ts'
import type { OperatorWithdrawal } from '../../../engine/contract/withdrawal.ts'
import type { OperatorWithdrawalAccount } from '../../../engine/contract/withdrawal-account.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { agoText } from '../shared/date-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { APPROVAL_NAMES, accountName } from './approval-words.ts'
import type { Desk, DeskCall } from './desk.ts'
import { environmentBadge, type ListPage } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    nothingWaitsForDecision: 'Rien n’attend de décision pour le moment.',
    waitingFor: 'Depuis',
    requestsWait: 'Demandes qui attendent',
    approve: (value: string) => `À approuver : ${value}`,
    withdrawalPay: 'Retrait à payer',
    topUpCredit: 'Approvisionnement à créditer',
    activationReview: 'Activation à examiner',
    logoReview: 'Nouveau logo à vérifier',
    nameReview: 'Nouveau nom à vérifier',
    withdrawalAccountConfirm: 'Compte de retrait à confirmer',
  },
  en: {
    nothingWaitsForDecision: 'Nothing waits for a decision.',
    waitingFor: 'Since',
    requestsWait: 'Requests that wait',
    approve: (value) => `To approve: ${value}`,
    withdrawalPay: 'Withdrawal to pay',
    topUpCredit: 'Top-up to credit',
    activationReview: 'Activation to review',
    logoReview: 'New logo to review',
    nameReview: 'New name to review',
    withdrawalAccountConfirm: 'Withdrawal account to confirm',
  },
})

interface Waiting {
  readonly kind: Text
  /** Merchant or wallet. */
  readonly name: Fragment
  /** Null for activations, new names and logos, withdrawal accounts and operators. */
  readonly amount: number | null
  readonly currency: string | null
  readonly environment: Environment
  readonly sinceMs: number
  /** Path from the desk. */
  readonly path: string
}

/** What the home page has read for the list and for what needs attention. */
export interface OpenRequests {
  readonly topUps: readonly OperatorTopUp[]
  readonly withdrawals: readonly OperatorWithdrawal[]
  readonly accounts: readonly OperatorWithdrawalAccount[]
  readonly activations: readonly MerchantActivation[]
  readonly names: readonly MerchantNameChange[]
  readonly logos: readonly MerchantLogoChange[]
  readonly approvals: readonly Approval[]
  readonly operators: readonly OperatorRequest[]
}

const LIMIT = '100'

export async function readOpenRequests(desk: Desk, call: DeskCall): Promise<OpenRequests> {
  const ask = async <Row>(operationId: string): Promise<readonly Row[]> => {
    const answer = await desk.ask<ListPage<Row>>(call, { operationId, query: { limit: LIMIT } })
    return answer.ok ? answer.body.data : []
  }
  const [topUps, withdrawals, accounts, activations, names, logos, approvals, operators] = await Promise.all([
    ask<OperatorTopUp>('listOpenTopUps'),
    ask<OperatorWithdrawal>('listOpenWithdrawals'),
    ask<OperatorWithdrawalAccount>('listWaitingWithdrawalAccounts'),
    ask<MerchantActivation>('listActivations'),
    ask<MerchantNameChange>('listNameChanges'),
    ask<MerchantLogoChange>('listLogoChanges'),
    ask<Approval>('listApprovals'),
    ask<OperatorRequest>('listOperatorRequests'),
  ])
  return { topUps, withdrawals, accounts, activations, names, logos, approvals, operators }
}

/** Renders the list. Requests of live money come before those of the test environment. */
export function waitingList(desk: Pick<Desk, 'engine'>, requests: OpenRequests, nowMs: number): Html {
  const rows = waitingOf(desk, requests)
  if (rows.length === 0) return html`<p class="hint">${TEXTS.nothingWaitsForDecision}</p>`
  const columns: readonly Column<Waiting>[] = [
    { name: OPERATOR_WORDS.request, card: 'title', isHeader: true, cell: ({ kind, path }) => html`<a href="operator/${path}">${kind}</a>` },
    {
      name: WORDS.amount,
      isFigure: true,
      card: 'amount',
      cell: ({ amount, currency }) => (amount === null || currency === null ? null : amountText(amount, currency)),
    },
    { name: WORDS.from2, card: 'about', cell: ({ name }) => name },
    { name: TEXTS.waitingFor, card: 'about', cell: ({ sinceMs }) => agoText(sinceMs, nowMs) },
    { name: WORDS.environment, card: 'state', cell: ({ environment }) => environmentBadge(environment) },
  ]
  return dataTable({ name: TEXTS.requestsWait, columns, rows })
}

function waitingOf(desk: Pick<Desk, 'engine'>, open: OpenRequests): Waiting[] {
  const { topUps, withdrawals, accounts, activations, names, logos, approvals, operators } = open
  const merchant = (name: string): Html => html`<bdi>${name}</bdi>`
  const rows: Waiting[] = [
    ...approvals.map(({ id, kind, amount, currency, environment, created_at, ...account }) => ({
      kind: TEXTS.approve(inSentence(APPROVAL_NAMES[kind])),
      name: accountName(desk, account),
      ...{ amount, currency, environment, sinceMs: parseRfc3339(created_at), path: `approvals#a-${id}` },
    })),
    ...operators.map(({ id, name, created_at }) => ({
      ...{
        kind: OPERATOR_WORDS.accessesApprove,
        name: html`<bdi>${name}</bdi>`,
        amount: null,
        currency: null,
        environment: 'live' as const,
      },
      ...{ sinceMs: parseRfc3339(created_at), path: `operators#o-${id}` },
    })),
    ...withdrawals.filter(isUndecided).map(({ id, merchant_name, amount, currency, environment, created_at }) => ({
      ...{ kind: TEXTS.withdrawalPay, name: merchant(merchant_name), amount, currency, environment },
      ...{ sinceMs: parseRfc3339(created_at), path: `requests#r-${id}` },
    })),
    ...topUps.filter(isUndecided).map(({ id, merchant_name, amount, currency, environment, created_at }) => ({
      ...{ kind: TEXTS.topUpCredit, name: merchant(merchant_name), amount, currency, environment },
      ...{ sinceMs: parseRfc3339(created_at), path: `requests#r-${id}` },
    })),
    ...accounts.map(({ id, merchant_name, environment, created_at }) => ({
      ...{ kind: TEXTS.withdrawalAccountConfirm, name: merchant(merchant_name), amount: null, currency: null, environment },
      ...{ sinceMs: parseRfc3339(created_at), path: `requests#r-${id}` },
    })),
    ...activations.map(({ merchant_id, merchant_name, requested_at }) => ({
      ...{ kind: TEXTS.activationReview, name: merchant(merchant_name), amount: null, currency: null, environment: 'live' as const },
      ...{ sinceMs: requested_at === null ? 0 : parseRfc3339(requested_at), path: `requests#r-${merchant_id}` },
    })),
    ...names.map(({ merchant_id, merchant_name, requested_at }) => ({
      ...{ kind: TEXTS.nameReview, name: merchant(merchant_name), amount: null, currency: null, environment: 'live' as const },
      ...{ sinceMs: parseRfc3339(requested_at), path: `requests#n-${merchant_id}` },
    })),
    ...logos.map(({ merchant_id, merchant_name, requested_at }) => ({
      ...{ kind: TEXTS.logoReview, name: merchant(merchant_name), amount: null, currency: null, environment: 'live' as const },
      ...{ sinceMs: parseRfc3339(requested_at), path: `requests#l-${merchant_id}` },
    })),
  ]
  return rows.sort((one, other) => rank(one) - rank(other) || one.sinceMs - other.sinceMs)
}

function isUndecided({ approval_id }: { readonly approval_id: string | null }): boolean {
  return approval_id === null
}

function rank({ environment }: Waiting): number {
  return environment === 'live' ? 0 : 1
}

/** Returns a name as it stands within a sentence. */
function inSentence(name: Text): Text {
  return new Text((language) => name.in(language).toLowerCase())
}
