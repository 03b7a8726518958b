// Queries for top-ups and withdrawals: one by id and lists, for the merchant, and what waits for operators.
import type { PageQuery } from '../contract/common.ts'
import { cashRequestsIndexKey } from '../domain/cash-request/cash-request-index-keys.ts'
import type { CashRequest, CashRequestKind, OpenCashRequest } from '../domain/cash-request/cash-request-state.ts'
import { type FoundCashRequest, findCashRequest } from '../domain/cash-request/cash-request-versions.ts'
import { operatorAccount } from '../domain/cash-request/withdrawal-account-decide.ts'
import { payloadOf } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import type { Environment } from '../kernel/environment.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import { type ListInput, type ListPage, statePage } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

export interface OwnCashRequest extends OwnId {
  readonly kind: CashRequestKind
}

/** Returns JSON text of the merchant's request; null when the merchant has none of the kind with this id. */
export function getCashRequest({ state, history }: Reads, { kind, account, id }: OwnCashRequest): string | null {
  const found = findCashRequest(state, history, kind, id.toLowerCase())
  return found?.account === account ? JSON.stringify(found.request) : null
}

export interface CashRequestFilters extends PageQuery {
  readonly state?: string
  readonly reference?: string
  readonly q?: string
}

export interface CashRequestsInput extends SliceInput<CashRequestFilters> {
  readonly kind: CashRequestKind
}

/** Returns null when the cursor belongs to another kind of list. */
export function listCashRequests({ state, history }: Reads, { kind, account, query }: CashRequestsInput): DocumentSlice | null {
  const reference = query.reference?.toLowerCase()
  const search = searchOf(query.q)
  return documentSlice(history, query, {
    indexKeys: [cashRequestsIndexKey(kind, account, reference)],
    keep: ({ event }) => {
      if (event.type !== `${kind}.requested` || event.account !== account) return false
      return reference === undefined || payloadOf<CashRequest>(event).reference.toLowerCase() === reference
    },
    current: ({ event }) => {
      const found = findCashRequest(state, history, kind, payloadOf<CashRequest>(event).id)
      if (found === null || (query.state !== undefined && found.request.state !== query.state)) return null
      return search === null || isFoundIn(search, textsOf(found.request)) ? JSON.stringify(found.request) : null
    },
  })
}

function textsOf(request: CashRequest): readonly (string | null)[] {
  const { id, reference, settlement_reference } = request
  const own = 'destination' in request ? [request.destination.name, request.destination.account] : [request.payment_reference]
  return [id, reference, settlement_reference, ...own]
}

export interface CashRequestById {
  readonly kind: CashRequestKind
  readonly id: string
}

/** Returns JSON text of any merchant's request with its merchant; null when there is none of the kind with this id. */
export function cashRequestForOperator(reads: Reads, { kind, id }: CashRequestById): string | null {
  const found = findCashRequest(reads.state, reads.history, kind, id.toLowerCase())
  return found === null ? null : JSON.stringify(withMerchant(reads, found))
}

export interface OpenCashRequestsInput {
  readonly kind: CashRequestKind
  readonly environment: Environment | null
  readonly merchantId: string | null
  /** As the request has it. */
  readonly paymentReference: string | null
  readonly query: PageQuery
}

/** Lists the open requests of all merchants. Returns null when the cursor belongs to another kind of list. */
export function listOpenCashRequests(reads: Reads, input: OpenCashRequestsInput): ListPage | null {
  const { state } = reads
  const render = ({ kind, id }: OpenCashRequest): object => {
    const found = findCashRequest(state, reads.history, kind, id)
    assert(found !== null, 'an open request is in the log')
    return withMerchant(reads, found)
  }
  return statePage(input.query, { rows: openRows(reads, input), render })
}

export interface OpenCashRequests {
  readonly topUps: number
  readonly withdrawals: number
}

/** Returns how many requests wait for an operator, in both environments together. */
export function countOpenCashRequests({ state }: Reads): OpenCashRequests {
  let topUps = 0
  for (const { kind } of state.cashRequests.open.values()) if (kind === 'top_up') topUps++
  return { topUps, withdrawals: state.cashRequests.open.size - topUps }
}

function* openRows({ state }: Reads, input: OpenCashRequestsInput): IterableIterator<OpenCashRequest> {
  const { kind, environment, merchantId, paymentReference } = input
  for (const row of state.cashRequests.open.values()) {
    if (row.kind !== kind || (paymentReference !== null && row.payment_reference !== paymentReference)) continue
    if (environment !== null && state.accounts.environment(row.account) !== environment) continue
    if (merchantId === null || merchantIdOf(state, row.account) === merchantId) yield row
  }
}

function merchantIdOf({ merchants }: Reads['state'], account: AccountNumber): string | undefined {
  return merchants.byAccount(account)?.id
}

function withMerchant({ state }: Reads, { request, account }: FoundCashRequest): object {
  const merchant = state.merchants.byAccount(account)
  assert(merchant !== undefined, 'a cash request belongs to a merchant')
  return { ...request, merchant_id: merchant.id, merchant_name: merchant.name, approval_id: state.approvals.waitingFor(request.id) }
}

/** Lists the merchant's saved withdrawal accounts. Returns null when the cursor belongs to another kind of list. */
export function listWithdrawalAccounts({ state }: Reads, { account, query }: ListInput): ListPage | null {
  const rows = [...state.cashRequests.accounts.values()].filter(({ merchant }) => merchant === account).map(({ saved }) => saved)
  return statePage(query, { rows, render: (row) => row })
}

/** Lists live accounts that are not usable yet. Returns null when the cursor belongs to another kind of list. */
export function listWaitingWithdrawalAccounts(reads: Reads, { query }: { readonly query: PageQuery }): ListPage | null {
  const { state } = reads
  const now = rfc3339(reads.nowMs())
  const rows = [...state.cashRequests.accounts.values()].filter(({ saved }) => saved.environment === 'live' && saved.usable_from > now)
  return statePage(query, { rows: rows.map((row) => operatorAccount(state, row)), render: (row) => row })
}
