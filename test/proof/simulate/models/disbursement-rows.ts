// What the model of disbursements keeps, and the events that it reads.
import type { DisbursementChunk } from '../../../../engine/domain/disbursement/disbursement-judge-decide.ts'

export type DisbursementState = 'ready' | 'awaiting_approval' | 'scheduled' | 'running' | 'paused' | 'completed' | 'cancelled' | 'rejected'

export type Line = readonly [
  recipient: string,
  amount: number | null,
  reference: string,
  note: string,
  fault: string | null,
  warnings: number,
]

export interface Progress {
  readonly status: {
    readonly state: DisbursementState
    readonly pause_reason: string | null
    readonly paid_count: number
    readonly paid_amount: number
    readonly failed_count: number
    readonly failed_amount: number
    readonly fee_amount: number
  }
  readonly cursor: number
  readonly due_ms: number | null
  readonly is_retried: boolean
}

export interface Created {
  readonly plan: {
    readonly id: string
    readonly start_at: string | null
    readonly on_insufficient_balance: 'pause' | 'fail'
    readonly total_count: number
    readonly valid_count: number
    readonly valid_amount: number
    readonly valid_fee_amount: number
    readonly invalid_count: number
    readonly created_by: { readonly kind: 'key' | 'member'; readonly id: string }
    readonly retry_of: string | null
  }
  readonly person: string
  readonly run?: ModelRun
  readonly chunks: readonly number[]
  readonly invalid: readonly number[]
  readonly progress: Progress
}

/** `turn` has a bit for each failed line of its block, 32 in each of the last two numbers. One that has ended has all turns instead. */
export interface Changed {
  readonly disbursement_id: string
  readonly progress: Progress & { readonly turns?: readonly Turn[] }
  readonly turn?: Turn
}

export type Turn = readonly [from: number, position: number, low: number, high: number]

export function failedPlaces([, , low, high]: Turn = [0, 0, 0, 0]): number[] {
  return [low, high].flatMap((bits, half) =>
    Array.from({ length: 32 }, (_, bit) => ((bits & (1 << bit)) === 0 ? [] : [half * 32 + bit])).flat(),
  )
}

/** Of a disbursement that is a run of a schedule. */
export interface ModelRun {
  readonly run_id: string
  readonly schedule_id: string
  readonly scheduled_for: string
}

/** The payload of `schedule.run_ended`. */
export interface RunEnded {
  readonly schedule_id: string
  readonly run: {
    readonly id: string
    readonly state: string
    readonly disbursement_id: string | null
    readonly paid_count: number
    readonly failed_count: number
  }
}

export interface ModelDisbursement {
  readonly id: string
  readonly run: ModelRun | null
  readonly account: number
  readonly person: string
  readonly lines: readonly Line[]
  readonly validAmount: number
  readonly startMs: number | null
  readonly onShort: 'pause' | 'fail'
  readonly paid: { count: number; amount: number; fees: number }
  readonly failed: { count: number; amount: number }
  readonly failedLines: string[]
  state: DisbursementState
  pauseReason: string | null
  cursor: number
  dueMs: number | null
  isRetried: boolean
}

export interface ModelBlock {
  readonly account: number
  readonly lines: readonly Line[]
  readonly chunk: DisbursementChunk
}

export function isOver(state: DisbursementState): boolean {
  return state === 'completed' || state === 'cancelled' || state === 'rejected'
}

export function isValid([, amount, , , fault]: Line): boolean {
  return fault === null && amount !== null
}

export function amountOf(lines: readonly Line[]): number {
  return lines.reduce((sum, [, amount]) => sum + (amount ?? 0), 0)
}
