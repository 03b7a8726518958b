// Queries for disbursements: one by id, the list, and the lines of one, oldest first, each in its present state.
import type { BatchLine } from '../contract/batch-line.ts'
import { LIST_LIMIT_DEFAULT } from '../contract/common.ts'
import { decodeCursor, encodeCursor } from '../contract/cursor.ts'
import type { DisbursementLine, ListDisbursementLinesQuery, ListDisbursementsQuery } from '../contract/disbursement.ts'
import { disbursementsIndexKey } from '../domain/disbursement/disbursement-index-keys.ts'
import { LINES_PER_TURN } from '../domain/disbursement/disbursement-limits.ts'
import {
  type DisbursementCreated,
  type DisbursementRow,
  type DisbursementState,
  disbursementOf,
  hasEnded,
} from '../domain/disbursement/disbursement-state.ts'
import { chunkOf, findDisbursement } from '../domain/disbursement/disbursement-versions.ts'
import { paidLinesOf } from '../domain/payout/batch-events.ts'
import type { DecidedLine } from '../domain/payout/batch-line.ts'
import { payloadOf } from '../domain/record.ts'
import { normalizeRecipient } from '../kernel/recipient.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

/** Stored events of lines that one query reads: a page of a rare state may end early. */
const CHUNKS_PER_QUERY = 8

/** Returns JSON text of the disbursement; null when the merchant has none with this id. */
export function getDisbursement(reads: Reads, input: OwnId): string | null {
  const row = ownDisbursement(reads, input)
  return row === null ? null : JSON.stringify(disbursementOf(row.plan, row.status))
}

/** Returns null when the cursor belongs to another kind of list. */
export function listDisbursements({ state, history }: Reads, { account, query }: SliceInput<ListDisbursementsQuery>): DocumentSlice | null {
  const reference = query.reference === undefined ? undefined : foldReference(query.reference)
  const search = searchOf(query.q)
  return documentSlice(history, query, {
    indexKeys: [disbursementsIndexKey(account)],
    keep: ({ event }) => event.type === 'disbursement.created' && event.account === account,
    current: ({ event }) => {
      const { plan } = payloadOf<DisbursementCreated>(event)
      if (reference !== undefined && !isReference(plan.reference, reference)) return null
      if (search !== null && !isFoundIn(search, [plan.id, plan.reference])) return null
      const row = findDisbursement(state, history, plan.id)
      if (row === null || (query.state !== undefined && row.status.state !== query.state)) return null
      return JSON.stringify(disbursementOf(plan, row.status))
    },
  })
}

/** A line without the masked name of its wallet. */
export type FoundLine = Omit<DisbursementLine, 'holder'> & {
  readonly wallet: { readonly given_name: string; readonly family_name: string } | null
}

export interface LinesPage {
  readonly lines: readonly FoundLine[]
  readonly nextCursor: string | null
}

export interface LinesInput extends OwnId {
  readonly query: ListDisbursementLinesQuery
}

/** Returns `not_found` where the merchant has no such disbursement; null when the cursor belongs to another kind of list. */
export function listDisbursementLines(reads: Reads, { account, id, query }: LinesInput): LinesPage | 'not_found' | null {
  const row = ownDisbursement(reads, { account, id })
  if (row === null) return 'not_found'
  const place = query.cursor === undefined ? { position: 0 } : decodeCursor(query.cursor)
  if (place === null || !('position' in place)) return null
  const { limit = LIST_LIMIT_DEFAULT } = query
  const total = row.plan.total_count
  if (hasNone(row, query.state)) return { lines: [], nextCursor: null }
  const lines: FoundLine[] = []
  let index = place.position
  const end = Math.min(total, (Math.floor(index / LINES_PER_TURN) + CHUNKS_PER_QUERY) * LINES_PER_TURN)
  while (index < end && lines.length < limit) {
    const chunk = Math.floor(index / LINES_PER_TURN)
    const found = linesOfChunk(reads, row, chunk)
    for (let at = index % LINES_PER_TURN; at < found.length && lines.length < limit; at++, index++) {
      const line = found[at] as FoundLine
      if (isWanted(line, query)) lines.push(line)
    }
  }
  return { lines: lines.map((line) => withWallet(reads, row, line)), nextCursor: index < total ? encodeCursor({ position: index }) : null }
}

/** Whether the counters say that no line is in the state. */
function hasNone({ plan, status }: DisbursementRow, state: ListDisbursementLinesQuery['state']): boolean {
  if (state === 'paid') return status.paid_count === 0
  if (state === 'failed') return status.failed_count === 0
  return state === 'invalid' && plan.invalid_count === 0
}

/**
 * Returns the failed lines of a stored event of lines, as they were sent; null where the disbursement has no such event. For a retry,
 * which reads one after the other.
 */
export function failedDisbursementLines(
  reads: Reads,
  { account, id, chunk }: OwnId & { readonly chunk: number },
): readonly BatchLine[] | null {
  const row = ownDisbursement(reads, { account, id })
  if (row === null || chunk * LINES_PER_TURN >= row.plan.total_count) return null
  return decidedLines(reads, row, chunk * LINES_PER_TURN).flatMap(({ line, failure }) => (failure === null ? [] : [line]))
}

function isWanted({ state, recipient, reference }: FoundLine, query: ListDisbursementLinesQuery): boolean {
  if (query.state !== undefined && state !== query.state) return false
  const q = query.q?.trim() ?? ''
  return q === '' || recipient === (normalizeRecipient(q) ?? q) || isReference(reference, foldReference(q))
}

function withWallet({ state }: Reads, { plan }: DisbursementRow, line: FoundLine): FoundLine {
  if (line.state !== 'paid') return line
  const wallet = state.wallets.byRecipient(plan.environment, line.recipient)
  return wallet === undefined ? line : { ...line, wallet: { given_name: wallet.given_name, family_name: wallet.family_name } }
}

function linesOfChunk(reads: Reads, row: DisbursementRow, chunk: number): FoundLine[] {
  const { plan, createdPosition, status } = row
  const first = chunk * LINES_PER_TURN
  const decided = decidedLines(reads, row, first)
  let next = 0
  return chunkOf(reads.history, createdPosition, chunk).map(
    ([recipient, amount, reference, note, fault, bits, readings = null, row], at): FoundLine => {
      const warnings = WARNINGS.filter((_code, bit) => (bits & (1 << bit)) !== 0)
      const own = { index: first + at, recipient, amount, currency: plan.currency, fee: 0, reference, note, warnings, wallet: null }
      const about = row === undefined ? own : { ...own, row }
      if (fault !== null)
        return { ...about, state: 'invalid', failure_code: fault, ...(readings === null ? {} : { amount_readings: [...readings] }) }
      const line = decided[next++]
      return { ...about, ...(line === undefined ? { state: undecided(status.state) } : fateOf(line)) }
    },
  )
}

const WARNINGS = ['duplicate_line', 'recently_paid'] as const

/** What turns have decided about the valid lines of one stored event, in their order. */
function decidedLines({ history }: Reads, { turns }: DisbursementRow, first: number): DecidedLine[] {
  return turns
    .filter(([from]) => from >= first && from < first + LINES_PER_TURN)
    .flatMap(([, position]) => [...paidLinesOf(history.eventAt(position))])
}

function fateOf({
  payoutId,
  transactionId,
  failure,
  fee,
}: DecidedLine): Pick<FoundLine, 'state' | 'failure_code' | 'payout_id' | 'transaction_id' | 'fee'> {
  const payout_id = payoutId as string
  if (failure !== null) return { state: 'failed', failure_code: failure, payout_id, fee }
  return { state: 'paid', payout_id, transaction_id: transactionId as string, fee }
}

function undecided(state: DisbursementState): FoundLine['state'] {
  if (state === 'ready') return 'valid'
  return hasEnded(state) ? 'cancelled' : 'waiting'
}

function ownDisbursement({ state, history }: Reads, { account, id }: OwnId): DisbursementRow | null {
  const row = findDisbursement(state, history, id.toLowerCase())
  return row?.account === account ? row : null
}

export const DISBURSEMENT_QUERIES = {
  'disbursements.failedLines': failedDisbursementLines,
  'disbursements.get': getDisbursement,
  'disbursements.lines': listDisbursementLines,
  'disbursements.list': listDisbursements,
} as const
