// Judges and stores lines of a disbursement that is being made, some at a time: a turn of 100 000 lines would hold every other
// account up. They are stored in blocks: a turn of the payment and a page of lines parse few. The creation names them. Those that no creation
// names, because the process stopped or the request ended in between, are never read.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { PayoutFailureCode } from '../../contract/errors.ts'
import { type Amount, isAmount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import { type Position, positionOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { quotaRefusal } from '../quotas.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import { feeOf } from '../rules/fees.ts'
import type { State } from '../state.ts'
import { JUDGED_PER_TURN, LINES_PER_BLOCK, LIVE_DISBURSEMENTS } from './disbursement-limits.ts'
import type { DisbursementLines, PackedDisbursementLine } from './disbursement-state.ts'

export interface JudgeDisbursementLines {
  readonly type: 'JudgeDisbursementLines'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** JUDGED_PER_TURN at most. */
  readonly lines: readonly BatchLine[]
  /** Indexes of those that repeat an earlier line of the whole. */
  readonly duplicates: readonly number[]
}

/** Judged lines, and where they are stored. */
export interface DisbursementChunk {
  /** Of the first event `disbursement.lines`. */
  readonly position: Position
  readonly total_count: number
  readonly total_amount: Amount
  readonly valid_count: number
  readonly valid_amount: Amount
  readonly valid_fee_amount: Amount
  readonly warnings_count: number
  /** Number of invalid lines of each block. */
  readonly invalid: readonly number[]
}

export const JUDGE_DISBURSEMENT_LINES_REJECTIONS = [...MERCHANT_STOPS, 'quota_exceeded'] as const

/** Returns `ok` and a DisbursementChunk. Rejections, in this precedence: MERCHANT_STOPS, quota_exceeded. */
export function decideJudgeDisbursementLines(
  state: State,
  { merchant, lines, duplicates }: JudgeDisbursementLines,
  context: Context,
): Decision<(typeof JUDGE_DISBURSEMENT_LINES_REJECTIONS)[number]> {
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const full = quotaRefusal(state, LIVE_DISBURSEMENTS, merchant)
  if (full !== null) return full
  assert(lines.length <= JUDGED_PER_TURN, 'lines are judged some at a time')
  const checks = new RecipientChecks(state, merchant, context)
  const repeated = new Set(duplicates)
  const judged = lines.map((line, index): PackedDisbursementLine => {
    const { recipient, amount, reference, note } = line
    const fault = faultOf(line, checks)
    const isRecent = fault === null && amount !== null && context.wasPaidRecently({ merchant, recipient, amount })
    const warnings = (repeated.has(index) ? DUPLICATE_BIT : 0) | (isRecent ? RECENT_BIT : 0)
    return [recipient, amount, reference, note, fault, warnings, ...rareOf(line)]
  })
  const blocks = blocksOf(judged)
  const chunk = chunkOfLines(blocks, positionOf(context.sequence, 0), (amount) => feeOf(state, 'payout', merchant, amount)?.amount ?? 0)
  return {
    environment: checks.environment,
    events: [
      ...blocks.map((block) => event('disbursement.lines', 1, merchant, { lines: block } satisfies DisbursementLines)),
      ...checks.events(),
    ],
    transactions: [],
    frames: [],
    kind: 'ok',
    body: JSON.stringify(chunk),
  }
}

const DUPLICATE_BIT = 1
const RECENT_BIT = 2

/** What few lines have, up to the last one that this line has. */
function rareOf({ readings, row, sentAmount }: BatchLine): [readings?: readonly string[] | null, row?: number | null, sent?: string] {
  if (sentAmount !== undefined) return [readings ?? null, row ?? null, sentAmount]
  if (row !== undefined) return [readings ?? null, row]
  return readings === undefined ? [] : [readings]
}

/** A recipient beyond the budget of unknown ones is judged at the turn of its line. */
function faultOf({ fault, recipient }: BatchLine, checks: RecipientChecks): PayoutFailureCode | null {
  if (fault !== null) return fault
  return checks.walletOf(recipient) === 'recipient_not_found' ? 'recipient_not_found' : null
}

function blocksOf(lines: readonly PackedDisbursementLine[]): PackedDisbursementLine[][] {
  const blocks: PackedDisbursementLine[][] = []
  for (let at = 0; at < lines.length; at += LINES_PER_BLOCK) blocks.push(lines.slice(at, at + LINES_PER_BLOCK))
  return blocks
}

function chunkOfLines(
  blocks: readonly (readonly PackedDisbursementLine[])[],
  position: Position,
  feeOfLine: (amount: Amount) => Amount,
): DisbursementChunk {
  const chunk = {
    position,
    total_count: 0,
    total_amount: 0,
    valid_count: 0,
    valid_amount: 0,
    valid_fee_amount: 0,
    warnings_count: 0,
    invalid: blocks.map((lines) => lines.filter(([, , , , fault]) => fault !== null).length),
  }
  for (const [, amount, , , fault, bits] of blocks.flat()) {
    chunk.total_count++
    if (isAmount(amount)) chunk.total_amount += amount
    if (bits !== 0) chunk.warnings_count++
    if (fault !== null || amount === null) continue
    chunk.valid_amount += amount
    chunk.valid_fee_amount += feeOfLine(amount)
    chunk.valid_count++
  }
  return chunk
}
