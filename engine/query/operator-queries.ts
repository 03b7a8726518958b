// Queries for operators: operators with a name, movements that wait for a second operator, the audit trail.
import type { ListApprovalsQuery } from '../contract/approval.ts'
import type { PageQuery } from '../contract/common.ts'
import type { ListOperatorActionsQuery } from '../contract/operator.ts'
import { asItStands } from '../domain/funding/approval-request.ts'
import { approvalIndexKey, approvalsIndexKey } from '../domain/funding/funding-index-keys.ts'
import type { Approval } from '../domain/funding/funding-state.ts'
import { publicOperator } from '../domain/operator/operator-account-decide.ts'
import type { OperatorAction } from '../domain/operator/operator-decide.ts'
import { AUDIT_INDEX_KEY, auditByOperatorIndexKey, auditOfSubjectIndexKey, isAbout } from '../domain/operator/operator-index-keys.ts'
import type { OperatorRequest, OperatorRow } from '../domain/operator/operator-state.ts'
import { payloadOf, type StoredEvent, textOf } from '../domain/record.ts'
import { normalizeTag } from '../kernel/tag.ts'
import { type DocumentSlice, documentSlice } from './document-slice.ts'
import { historyPage, type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'
import type { ByTokenHash } from './sign-in-queries.ts'

/** An operator or a movement by its id. */
export interface ByOwnId {
  readonly id: string
}

export interface OfAll {
  readonly query: PageQuery
}

export interface OperatorActionsInput {
  readonly query: ListOperatorActionsQuery
  readonly slice: 'first' | 'next'
}

/** Lists the actions of operators, in slices. Returns null when the cursor belongs to another kind of list. */
export function listOperatorActions({ history }: Reads, { query }: OperatorActionsInput): DocumentSlice | null {
  const { operator_id, operator = operator_id, action, merchant_id, tag, from, to, ...page } = query
  const operatorId = operator === 'root' ? null : operator?.toLowerCase()
  const merchantId = merchant_id?.toLowerCase()
  const wallet = tag === undefined ? undefined : (normalizeTag(tag) ?? '')
  const indexKeys = [
    ...(operatorId === undefined ? [] : [auditByOperatorIndexKey(operatorId)]),
    ...(merchantId === undefined ? [] : [auditOfSubjectIndexKey('merchant', merchantId)]),
    ...(wallet === undefined ? [] : [auditOfSubjectIndexKey('wallet', wallet)]),
  ]
  const isWanted = (acted: OperatorAction): boolean =>
    (operatorId === undefined || acted.operator.id === operatorId) &&
    (operator_id === undefined || acted.operator.id === operator_id.toLowerCase()) &&
    (merchantId === undefined || isAbout(acted, 'merchant', merchantId)) &&
    (wallet === undefined || isAbout(acted, 'wallet', wallet)) &&
    (action === undefined || acted.action === action)
  const range = { ...(from === undefined ? {} : { created_from: from }), ...(to === undefined ? {} : { created_to: to }) }
  return documentSlice(
    history,
    { ...page, ...range },
    {
      indexKeys: indexKeys.length === 0 ? [AUDIT_INDEX_KEY] : indexKeys,
      keep: ({ event }) => event.type === 'operator.acted',
      current: ({ event }) => (isWanted(payloadOf<OperatorAction>(event)) ? textOf(event) : null),
    },
  )
}

/** Returns null for an unknown or revoked operator. */
export function operatorById({ state }: Reads, { id }: ByOwnId): OperatorRow | null {
  return state.operators.operators.get(id) ?? null
}

/** Returns null for an unknown or revoked token. */
export function operatorByTokenHash({ state }: Reads, { tokenHash }: ByTokenHash): OperatorRow | null {
  return state.operators.byTokenHash(tokenHash) ?? null
}

/** Returns null when the cursor belongs to another kind of list. */
export function listOperators({ state }: Reads, { query }: OfAll): ListPage | null {
  return statePage(query, { rows: state.operators.operators.values(), render: publicOperator })
}

/** Lists requests for new operators that wait. Returns null when the cursor belongs to another kind of list. */
export function listOperatorRequests({ state }: Reads, { query }: OfAll): ListPage | null {
  return statePage(query, { rows: state.operators.waiting.values(), render: (request) => request })
}

/** Returns a request that waits; null for any other. */
export function operatorRequestById({ state }: Reads, { id }: ByOwnId): OperatorRequest | null {
  return state.operators.waiting.get(id) ?? null
}

export function countWaitingApprovals({ state }: Reads): number {
  return state.approvals.waiting.size
}

/** Returns JSON text of the movement; null for an unknown one. */
export function getApproval({ state, history }: Reads, { id }: ByOwnId): string | null {
  const waiting = state.approvals.waiting.get(id)
  if (waiting !== undefined) return JSON.stringify(asItStands(state, waiting))
  const decided = history.latest(approvalIndexKey(id), (event) => isDecision(event) && payloadOf<Approval>(event).id === id)
  return decided === null ? null : textOf(decided)
}

export interface ApprovalsInput {
  readonly query: ListApprovalsQuery
}

/** Lists movements of one state. Returns null when the cursor belongs to another kind of list. */
export function listApprovals({ state: live, history }: Reads, { query }: ApprovalsInput): ListPage | null {
  const { state = 'waiting' } = query
  if (state === 'waiting')
    return statePage(query, { rows: live.approvals.waiting.values(), render: (approval) => asItStands(live, approval) })
  return historyPage(history, query, {
    indexKeys: [approvalsIndexKey(state)],
    keep: ({ event }) => isDecision(event) && payloadOf<Approval>(event).state === state,
    render: ({ event }) => textOf(event),
  })
}

function isDecision({ type }: StoredEvent): boolean {
  return type === 'approval.decided'
}
