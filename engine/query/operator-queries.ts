// Queries for operators: the audit trail.
import type { PageQuery } from '../contract/common.ts'
import { AUDIT_INDEX_KEY } from '../domain/operator/operator-index-keys.ts'
import { historyPage, type ListPage } from './list-page.ts'
import type { Reads } from './reads.ts'

export interface OfAll {
  readonly query: PageQuery
}

/** Lists the actions of operators. Returns null when the cursor belongs to another kind of list. */
export function listOperatorActions({ history }: Reads, { query }: OfAll): ListPage | null {
  return historyPage(history, query, {
    indexKeys: [AUDIT_INDEX_KEY],
    keep: ({ event }) => event.type === 'operator.acted',
    render: ({ event }) => event.text,
  })
}
