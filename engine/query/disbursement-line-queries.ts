// Queries for the lines of a disbursement, oldest first, each in its present state. They parse the blocks alone that may have a wanted line,
// and of a turn the payouts of the wanted lines alone.
import type { BatchLine } from '../contract/batch-line.ts'
import { LIST_LIMIT_DEFAULT } from '../contract/common.ts'
import { decodeCursor, encodeCursor } from '../contract/cursor.ts'
import type { DisbursementLine, ListDisbursementLinesQuery } from '../contract/disbursement.ts'
import { LINES_PER_BLOCK } from '../domain/disbursement/disbursement-limits.ts'
import {
  type BlockMask,
  type DisbursementCreated,
  type DisbursementRow,
  type DisbursementTurn,
  hasEnded,
  type PackedDisbursementLine,
} from '../domain/disbursement/disbursement-state.ts'
import { blockOf } from '../domain/disbursement/disbursement-versions.ts'
import type { Payout, PayoutFailure } from '../domain/payout/payout-state.ts'
import { payloadOf } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import { eventIndexOf, type Position, positionOf, sequenceOf } from '../kernel/position.ts'
import { normalizeRecipient } from '../kernel/recipient.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import { ownDisbursement } from './disbursement-queries.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'

/** Blocks that one query parses, 2 ms: a page of 50 where each block has one line of the state. */
const BLOCKS_PER_QUERY = 64
/** Payouts of one turn up to which each is read by itself. */
const READ_SINGLY_MAX = 4

/** A line without the masked name of its wallet. */
export type FoundLine = Omit<DisbursementLine, 'holder'> & {
  readonly wallet: { readonly given_name: string; readonly family_name: string } | null
}

export interface LinesSlice {
  readonly lines: readonly FoundLine[]
  /** Where the list goes on behind each line: the position of a cursor. */
  readonly positions: readonly number[]
  /** Number of blocks that were parsed. */
  readonly candidates: number
  /** Cursor of the next slice; null at the end of the list. A slice may have fewer lines than the limit and a cursor. */
  readonly nextCursor: string | null
}

export interface LinesInput extends OwnId {
  readonly query: ListDisbursementLinesQuery
}

/** Returns `not_found` where the merchant has no such disbursement; null when the cursor belongs to another kind of list. */
export function listDisbursementLines(reads: Reads, { account, id, query }: LinesInput): LinesSlice | 'not_found' | null {
  const row = ownDisbursement(reads, { account, id })
  if (row === null) return 'not_found'
  const place = query.cursor === undefined ? { position: 0 } : decodeCursor(query.cursor)
  if (place === null || !('position' in place)) return null
  const stored = new StoredLines(reads, row)
  const { found, next, candidates } = seek(stored, row.plan.total_count, place.position, query)
  return {
    lines: stored.shown(found),
    positions: found.map(({ index }) => index + 1),
    candidates,
    nextCursor: next < row.plan.total_count ? encodeCursor({ position: next }) : null,
  }
}

interface Sought {
  readonly found: readonly PlacedLine[]
  /** Index of the line to go on with. */
  readonly next: number
  readonly candidates: number
}

/** Seeks from the line `from` on, until there are enough or so many blocks were parsed. */
function seek(
  stored: StoredLines,
  total: number,
  from: number,
  { limit = LIST_LIMIT_DEFAULT, state, q }: ListDisbursementLinesQuery,
): Sought {
  const isSought = seeking(q)
  const found: PlacedLine[] = []
  let next = from
  let candidates = 0
  while (next < total && candidates < BLOCKS_PER_QUERY) {
    const block = Math.floor(next / LINES_PER_BLOCK)
    if (stored.mayHave(block, state)) {
      candidates++
      for (const line of stored.linesOf(block)) {
        if (line.index < next || (state !== undefined && line.state !== state) || !isSought(line.packed)) continue
        if (found.push(line) === limit) return { found, next: line.index + 1, candidates }
      }
    }
    next = Math.min((block + 1) * LINES_PER_BLOCK, total)
  }
  return { found, next, candidates }
}

/** Whether a line has the recipient or the reference. */
function seeking(sent = ''): (line: PackedDisbursementLine) => boolean {
  const q = sent.trim()
  if (q === '') return () => true
  const wanted = normalizeRecipient(q) ?? q
  const folded = foldReference(q)
  return ([recipient, , reference]) => recipient === wanted || isReference(reference, folded)
}

interface FailedLines {
  readonly lines: readonly BatchLine[]
  /** The block to go on with; null behind the last one. */
  readonly next: number | null
}

/**
 * Returns failed lines of the block `from` and later, as they were sent; null where the disbursement has no such block. For a retry, which
 * reads them all.
 */
export function failedDisbursementLines(reads: Reads, { account, id, from }: OwnId & { readonly from: number }): FailedLines | null {
  const row = ownDisbursement(reads, { account, id })
  const blocks = row === null ? 0 : Math.ceil(row.plan.total_count / LINES_PER_BLOCK)
  if (row === null || from >= blocks) return null
  const stored = new StoredLines(reads, row)
  const failed: PlacedLine[] = []
  let block = from
  for (let parsed = 0; block < blocks && parsed < BLOCKS_PER_QUERY; block++) {
    if (!stored.mayHave(block, 'failed')) continue
    parsed++
    failed.push(...stored.linesOf(block).filter(({ state }) => state === 'failed'))
  }
  const lines = stored.payoutsOf(failed).map((payout): BatchLine => {
    assert(payout !== null, 'a failed line has a payout')
    const { recipient, amount, reference, note } = payout
    return { recipient, amount, reference, note, fault: null }
  })
  return { lines, next: block < blocks ? block : null }
}

/** A line in its present state, and the event of its payout, if it has one. */
interface PlacedLine {
  readonly index: number
  readonly packed: PackedDisbursementLine
  readonly state: DisbursementLine['state']
  readonly payout: Position | null
}

/** The stored lines of a disbursement, and what its turns decided about them. */
class StoredLines {
  readonly #reads: Reads
  readonly #row: DisbursementRow
  readonly #invalid: DisbursementCreated['invalid']
  readonly #undecided: DisbursementLine['state']

  constructor(reads: Reads, row: DisbursementRow) {
    this.#reads = reads
    this.#row = row
    this.#invalid = payloadOf<DisbursementCreated>(reads.history.eventAt(row.createdPosition)).invalid
    const { state } = row.status
    this.#undecided = state === 'ready' ? 'valid' : hasEnded(state) ? 'cancelled' : 'waiting'
  }

  /** False: the block has no line in the state. Reads nothing. */
  mayHave(block: number, state: DisbursementLine['state'] | undefined): boolean {
    const { plan, cursor } = this.#row
    const end = Math.min((block + 1) * LINES_PER_BLOCK, plan.total_count)
    switch (state) {
      case undefined:
        return true
      case 'invalid':
        return this.#invalid[block] !== 0
      case 'failed':
        return this.#turnsOf(block).some(([, , ...failed]) => bitsOf(failed) > 0)
      case 'paid':
        return this.#turnsOf(block).some(([, position, ...failed]) => bitsOf(failed) < eventIndexOf(position))
      default:
        return state === this.#undecided && end > cursor && this.#invalid[block] !== end - block * LINES_PER_BLOCK
    }
  }

  linesOf(block: number): PlacedLine[] {
    const { history } = this.#reads
    const turns = this.#turnsOf(block)
    // Turns decide the valid lines in their order.
    let at = 0
    let decided = 0
    return blockOf(history, this.#row.createdPosition, block).map((packed, place): PlacedLine => {
      const index = block * LINES_PER_BLOCK + place
      const [, , , , fault] = packed
      if (fault !== null) return { index, packed, state: 'invalid', payout: null }
      const turn = turns[at]
      if (turn === undefined) return { index, packed, state: this.#undecided, payout: null }
      const [, position, ...failed] = turn
      const payout = positionOf(sequenceOf(position), decided++)
      if (decided === eventIndexOf(position)) [at, decided] = [at + 1, 0]
      return { index, packed, state: hasBit(failed, place) ? 'failed' : 'paid', payout }
    })
  }

  /** Returns the payout of each line. Of a turn of which few are wanted each is read by itself. */
  payoutsOf(lines: readonly PlacedLine[]): (Payout | null)[] {
    const { history } = this.#reads
    const wanted = new Map<number, number>()
    for (const { payout } of lines) if (payout !== null) wanted.set(sequenceOf(payout), (wanted.get(sequenceOf(payout)) ?? 0) + 1)
    return lines.map(({ payout }) => {
      if (payout === null) return null
      const isSingle = (wanted.get(sequenceOf(payout)) as number) <= READ_SINGLY_MAX
      return payloadOf<Payout>(isSingle ? history.hitAt(payout).event : history.eventAt(payout))
    })
  }

  shown(lines: readonly PlacedLine[]): FoundLine[] {
    const payouts = this.payoutsOf(lines)
    return lines.map((line, index) => this.#shown(line, payouts[index] ?? null))
  }

  #shown({ index, packed, state }: PlacedLine, payout: Payout | null): FoundLine {
    const { currency, environment } = this.#row.plan
    const [recipient, amount, reference, note, fault, bits, readings = null, row = null, sent] = packed
    const warnings = WARNINGS.filter((_code, bit) => (bits & (1 << bit)) !== 0)
    const fee = payout?.fee ?? 0
    const about = {
      index,
      recipient,
      amount,
      currency,
      fee,
      reference,
      note,
      warnings,
      state,
      wallet: null,
      ...(row === null ? {} : { row }),
    }
    if (fault !== null)
      return {
        ...about,
        failure_code: fault,
        ...(sent === undefined ? {} : { amount_sent: sent }),
        ...(readings === null ? {} : { amount_readings: [...readings] }),
      }
    if (payout === null) return about
    if (payout.state === 'failed') return { ...about, failure_code: payout.failure_code as PayoutFailure, payout_id: payout.id }
    const wallet = this.#reads.state.wallets.byRecipient(environment, recipient)
    const names = wallet === undefined ? null : { given_name: wallet.given_name, family_name: wallet.family_name }
    return { ...about, payout_id: payout.id, transaction_id: payout.transaction_id as string, wallet: names }
  }

  /** A turn decides lines of one block. More than one: it was stopped. */
  #turnsOf(block: number): readonly DisbursementTurn[] {
    const { turns } = this.#row
    const first = firstFrom(turns, block * LINES_PER_BLOCK)
    return turns.slice(first, firstFrom(turns, (block + 1) * LINES_PER_BLOCK))
  }
}

const WARNINGS = ['duplicate_line', 'recently_paid'] as const

/** Returns the index of the first turn that begins at the line or behind it. Turns ascend. */
function firstFrom(turns: readonly DisbursementTurn[], line: number): number {
  let low = 0
  let high = turns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((turns[middle] as DisbursementTurn)[0] < line) low = middle + 1
    else high = middle
  }
  return low
}

function hasBit([low, high]: BlockMask, place: number): boolean {
  return (((place < 32 ? low : high) >>> (place % 32)) & 1) === 1
}

/** Number of set bits. */
function bitsOf(mask: BlockMask): number {
  let count = 0
  for (let rest of mask) for (; rest !== 0; rest &= rest - 1) count++
  return count
}

export const DISBURSEMENT_LINE_QUERIES = {
  'disbursements.failedLines': failedDisbursementLines,
  'disbursements.lines': listDisbursementLines,
} as const
