// Disbursements. Live state holds counters and a cursor of those that have not ended. Their lines, and those that have ended, stand
// in the log.

import type { Caller } from '../../contract/created-by.ts'
import type { Disbursement as ShapeDisbursement } from '../../contract/disbursement.ts'
import type { PayoutFailureCode } from '../../contract/errors.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { RunOrigin } from '../schedule/run-outcome.ts'
import type { SharedState } from '../state.ts'
import { LIVE_DISBURSEMENTS } from './disbursement-limits.ts'

/** The disbursement as its merchant sees it. */
export type Disbursement = Immutable<ShapeDisbursement>

export type DisbursementState = Disbursement['state']

/** What never changes. */
export type DisbursementPlan = Pick<
  Disbursement,
  | 'id'
  | 'reference'
  | 'currency'
  | 'environment'
  | 'start_at'
  | 'on_insufficient_balance'
  | 'total_count'
  | 'total_amount'
  | 'valid_count'
  | 'valid_amount'
  | 'valid_fee_amount'
  | 'invalid_count'
  | 'warnings_count'
  | 'created_by'
  | 'retry_of'
  | 'created_at'
>

export interface DisbursementStatus {
  readonly state: DisbursementState
  readonly paid_count: number
  readonly paid_amount: Amount
  readonly failed_count: number
  readonly failed_amount: Amount
  readonly fee_amount: Amount
  readonly approval: Disbursement['approval']
  readonly pause_reason: Disbursement['pause_reason']
  readonly started_at: string | null
  readonly completed_at: string | null
  readonly cancelled_at: string | null
}

/** Which lines of a block: a bit for each place, 32 in each number. */
export type BlockMask = readonly [low: number, high: number]

/**
 * Valid lines of one block, from the line `from` on, were decided in the record at this position. It is that of the report, which stands
 * behind one payout for each of them. The mask has those that failed.
 */
export type DisbursementTurn = readonly [from: number, position: Position, ...failed: BlockMask]

/** What changes after the creation. */
export interface DisbursementProgress {
  readonly status: DisbursementStatus
  /** Index of the first line that no turn has decided. */
  readonly cursor: number
  /** When its next turn is due; null: something else must happen first. */
  readonly due_ms: TimeMs | null
  readonly turns: readonly DisbursementTurn[]
  /** True: its failed lines are another disbursement. */
  readonly is_retried: boolean
}

/** The payload of `disbursement.created`. */
export interface DisbursementCreated {
  readonly plan: DisbursementPlan
  /** The person behind `created_by`: the member, or the member who made the key, or the key of an operator. */
  readonly person: string
  /** Present: it is a run of a schedule. */
  readonly run?: RunOrigin
  /**
   * The first event `disbursement.lines` of each JUDGED_PER_TURN lines. Each event is a block of LINES_PER_BLOCK lines, and the last of the
   * rest. They are older than the creation.
   */
  readonly chunks: readonly Position[]
  /** Number of invalid lines of each block: a page of lines in one state reads no block without one. */
  readonly invalid: readonly number[]
  readonly progress: DisbursementProgress
}

/** What a key or a member did with a disbursement. */
export interface DisbursementAct {
  readonly verb: 'start' | 'approve' | 'reject' | 'pause' | 'resume' | 'cancel'
  readonly by: Caller
}

/** The payload of `disbursement.changed`. */
export interface DisbursementChanged {
  /** What a person did; absent: a turn of the payment, or the mark of a retry. */
  readonly act?: DisbursementAct
  readonly disbursement_id: string
  readonly created_position: Position
  /** With all turns once it has ended. Until then 1 600 turns of a large one would each repeat those before. */
  readonly progress: Omit<DisbursementProgress, 'turns'> & Partial<Pick<DisbursementProgress, 'turns'>>
  /** The turn that this record is. */
  readonly turn?: DisbursementTurn
}

/** A line as the log keeps it. `warnings` has bits of WARNING_BITS. `readings` of an amount that can be read in two ways, `row` of a line of a file, `sent` of an amount that is no number. */
export type PackedDisbursementLine = readonly [
  recipient: string,
  amount: Amount | null,
  reference: string,
  note: string,
  fault: PayoutFailureCode | null,
  warnings: number,
  readings?: readonly string[] | null,
  row?: number | null,
  sent?: string,
]

export interface DisbursementLines {
  readonly lines: readonly PackedDisbursementLine[]
}

export interface DisbursementRow extends DisbursementProgress {
  readonly account: AccountNumber
  readonly plan: DisbursementPlan
  readonly person: string
  /** Present: it is a run of a schedule. */
  readonly run?: RunOrigin
  readonly createdPosition: Position
}

/** Kind of the timers of turns; their key is the id. */
export const DISBURSEMENT_TIMER = 'disbursement'

declare module '../state.ts' {
  interface State {
    readonly disbursements: Disbursements
  }
}

export class Disbursements extends SnapshotTables {
  /** Keyed by id. Setting a row also sets its timer. */
  readonly live: Table<DisbursementRow>

  constructor(shared: SharedState) {
    super()
    const { timers } = shared
    this.live = new Table(this, 'disbursement', countedByAccount(shared, LIVE_DISBURSEMENTS), (row, before) => {
      const { id } = ((row ?? before) as DisbursementRow).plan
      const due = row?.due_ms ?? null
      if (due === null) timers.cancel(DISBURSEMENT_TIMER, id)
      else timers.set(DISBURSEMENT_TIMER, id, due)
    })
  }
}

const ENDED: ReadonlySet<DisbursementState> = new Set(['completed', 'cancelled', 'rejected'])

export function hasEnded(state: DisbursementState): boolean {
  return ENDED.has(state)
}

export function disbursementOf(plan: DisbursementPlan, status: DisbursementStatus): Disbursement {
  const isWaiting = status.state !== 'ready' && !hasEnded(status.state)
  const waiting_count = isWaiting ? plan.valid_count - status.paid_count - status.failed_count : 0
  return { ...plan, ...status, waiting_count }
}

/** The person behind a caller: a key that a member made is that member. */
export function personOf({ kind, id }: Caller, madeBy: string | null): string {
  return kind === 'member' ? id : (madeBy ?? id)
}
