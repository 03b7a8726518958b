// Everything that waits for a decision of an operator, in one list, the oldest first: approvals, new operators, withdrawals,
// top-ups, activations.
import type { MerchantActivation } from '../../../engine/contract/activation.ts'
import type { Approval } from '../../../engine/contract/approval.ts'
import type { OperatorRequest } from '../../../engine/contract/operator.ts'
import type { OperatorTopUp } from '../../../engine/contract/top-up.ts'
import type { OperatorWithdrawal } from '../../../engine/contract/withdrawal.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type Column, dataTable } from '../data-table.ts'
import { agoText } from '../date-text.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { APPROVAL_NAMES, accountName } from './approval-words.ts'
import type { Desk, DeskCall } from './desk.ts'
import { environmentBadge, type ListPage } from './operator-parts.ts'

interface Waiting {
  readonly kind: string
  /** Merchant or wallet. */
  readonly name: Fragment
  /** Null for activations and operators. */
  readonly amount: number | null
  readonly environment: Environment
  readonly sinceMs: number
  /** Path from the desk. */
  readonly path: string
}

/** What the home page has read for the list and for what needs attention. */
export interface OpenRequests {
  readonly topUps: readonly OperatorTopUp[]
  readonly withdrawals: readonly OperatorWithdrawal[]
  readonly activations: readonly MerchantActivation[]
  readonly approvals: readonly Approval[]
  readonly operators: readonly OperatorRequest[]
}

const LIMIT = '100'

export async function readOpenRequests(desk: Desk, call: DeskCall): Promise<OpenRequests> {
  const ask = async <Row>(operationId: string): Promise<readonly Row[]> => {
    const answer = await desk.ask<ListPage<Row>>(call, { operationId, query: { limit: LIMIT } })
    return answer.ok ? answer.body.data : []
  }
  const [topUps, withdrawals, activations, approvals, operators] = await Promise.all([
    ask<OperatorTopUp>('listOpenTopUps'),
    ask<OperatorWithdrawal>('listOpenWithdrawals'),
    ask<MerchantActivation>('listActivations'),
    ask<Approval>('listApprovals'),
    ask<OperatorRequest>('listOperatorRequests'),
  ])
  return { topUps, withdrawals, activations, approvals, operators }
}

/** Renders the list. Requests of live money come before those of the test environment. */
export function waitingList(desk: Pick<Desk, 'engine'>, requests: OpenRequests, nowMs: number): Html {
  const rows = waitingOf(desk, requests)
  if (rows.length === 0) return html`<p class="hint">Rien n’attend de décision pour le moment.</p>`
  const columns: readonly Column<Waiting>[] = [
    { name: 'Demande', card: 'title', isHeader: true, cell: ({ kind, path }) => html`<a href="operator/${path}">${kind}</a>` },
    { name: 'Montant', isFigure: true, card: 'amount', cell: ({ amount }) => (amount === null ? null : prettyAmount(amount)) },
    { name: 'De', card: 'about', cell: ({ name }) => name },
    { name: 'Attend depuis', card: 'about', cell: ({ sinceMs }) => agoText(sinceMs, nowMs) },
    { name: 'Environnement', card: 'state', cell: ({ environment }) => environmentBadge(environment) },
  ]
  return dataTable({ name: 'Demandes qui attendent', columns, rows })
}

function waitingOf(desk: Pick<Desk, 'engine'>, { topUps, withdrawals, activations, approvals, operators }: OpenRequests): Waiting[] {
  const merchant = (name: string): Html => html`<bdi>${name}</bdi>`
  const rows: Waiting[] = [
    ...approvals.map(({ id, kind, amount, environment, created_at, ...account }) => ({
      kind: `À approuver : ${APPROVAL_NAMES[kind].toLowerCase()}`,
      name: accountName(desk, account),
      ...{ amount, environment, sinceMs: parseRfc3339(created_at), path: `approvals#a-${id}` },
    })),
    ...operators.map(({ id, name, created_at }) => ({
      ...{ kind: 'Accès à approuver', name: html`<bdi>${name}</bdi>`, amount: null, environment: 'live' as const },
      ...{ sinceMs: parseRfc3339(created_at), path: `operators#o-${id}` },
    })),
    ...withdrawals.filter(isUndecided).map(({ id, merchant_name, amount, environment, created_at }) => ({
      ...{ kind: 'Retrait à payer', name: merchant(merchant_name), amount, environment },
      ...{ sinceMs: parseRfc3339(created_at), path: `requests#r-${id}` },
    })),
    ...topUps.filter(isUndecided).map(({ id, merchant_name, amount, environment, created_at }) => ({
      ...{ kind: 'Approvisionnement à créditer', name: merchant(merchant_name), amount, environment },
      ...{ sinceMs: parseRfc3339(created_at), path: `requests#r-${id}` },
    })),
    ...activations.map(({ merchant_id, merchant_name, requested_at }) => ({
      ...{ kind: 'Activation à examiner', name: merchant(merchant_name), amount: null, environment: 'live' as const },
      ...{ sinceMs: requested_at === null ? 0 : parseRfc3339(requested_at), path: `requests#r-${merchant_id}` },
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
