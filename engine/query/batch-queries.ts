// Queries for payout batches: the reports of a merchant's account, one by id, and the report of a dry run.
import type { Hit } from '../actor/index-hit.ts'
import type { BatchReport, ListBatchesQuery } from '../contract/batch.ts'
import { batchNotesOf } from '../domain/payout/batch-events.ts'
import { batchesIndexKey } from '../domain/payout/payout-index-keys.ts'
import { payloadOf, textOf } from '../domain/record.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import { historyPage, type ListInput, type ListPage } from './list-page.ts'
import { batchHit, type OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

/** Returns JSON text of the report with its lines; null when the merchant has no batch with this id. */
export function getBatch({ history }: Reads, { account, id }: OwnId): string | null {
  const hit = batchHit(history, account, id.toLowerCase())
  return hit === null ? null : textOf(hit.event)
}

/** Returns the note of each line; null when the merchant has no batch with this id. */
export function getBatchNotes({ history }: Reads, { account, id }: OwnId): readonly string[] | null {
  const hit = batchHit(history, account, id.toLowerCase())
  return hit === null ? null : batchNotesOf(hit.event)
}

/** Lists reports without their lines. Returns null when the cursor belongs to another kind of list. */
export function listBatches({ history }: Reads, { account, query }: ListInput): ListPage | null {
  return historyPage(history, query, {
    indexKeys: [batchesIndexKey(account)],
    keep: ({ event }) => event.type === 'batch.completed' && event.account === account,
    render: summaryText,
  })
}

/** Lists reports whose reference or id has the text in it. Returns null when the cursor belongs to another kind of list. */
export function searchBatches({ history }: Reads, { account, query }: SliceInput<ListBatchesQuery>): DocumentSlice | null {
  const search = searchOf(query.q)
  return documentSlice(history, query, {
    indexKeys: [batchesIndexKey(account)],
    keep: ({ event }) => event.type === 'batch.completed' && event.account === account,
    current: (hit) => {
      const { id, reference } = payloadOf<BatchReport>(hit.event)
      return search === null || isFoundIn(search, [id, reference]) ? summaryText(hit) : null
    },
  })
}

function summaryText({ event }: Hit): string {
  const { items: _lines, warnings: _warnings, ...summary } = payloadOf<BatchReport>(event)
  return JSON.stringify(summary)
}
