// Mandates: what a customer lets a merchant collect. Live state holds what a turn needs to find the ones that are not
// final; every version of a mandate is an event in the log, and the newest is the mandate.

import type {
  MANDATE_INTERVALS,
  MANDATE_STATES,
  Mandate as ShapeMandate,
  MandatePayment as ShapeMandatePayment,
} from '../../contract/mandate.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { LIVE_MANDATES } from './mandate-limits.ts'

export type MandateState = (typeof MANDATE_STATES)[number]

export type MandateInterval = (typeof MANDATE_INTERVALS)[number]

/** What moves a mandate on; the names of its events are `mandate.` and these. */
export const MANDATE_MOVES = ['approved', 'rejected', 'cancelled', 'charged', 'charge_failed', 'paused', 'expired'] as const

export type MandateMove = (typeof MANDATE_MOVES)[number]

/** States in which each move may start. Every other move is rejected. */
export const MANDATE_MOVES_FROM = {
  // A customer whose mandate paused approves it again, and it goes on.
  approved: ['pending', 'paused'],
  rejected: ['pending'],
  cancelled: ['pending', 'active', 'paused'],
  charged: ['active'],
  charge_failed: ['active'],
  paused: ['active'],
  expired: ['pending', 'active', 'paused'],
} as const satisfies Record<MandateMove, readonly MandateState[]>

/** The mandate as its merchant sees it. */
export type Mandate = Immutable<ShapeMandate>

export type MandatePayment = Immutable<ShapeMandatePayment>

/** The payload of `mandate.created`: the mandate, and what only the engine needs of it. */
export interface MandateVersion {
  readonly mandate: Mandate
  readonly customer: AccountNumber
  /** Occurrences count from here; null before the approval. */
  readonly anchor_at: string | null
  /** The occurrence that attempts are about; null where nothing is collected by itself. */
  readonly occurrence_at: string | null
  /** When its timer has something to do; null: never by itself. */
  readonly due_at: string | null
  /** What was collected or tried, where it is what happened. */
  readonly payment: MandatePayment | null
  /** Of `on_demand` with `max_amount`: what was collected in a month. Absent before the first such payment. */
  readonly collected?: CollectedInMonth
}

export interface CollectedInMonth {
  /** Of the calendar, UTC: `2026-11`. */
  readonly month: string
  readonly amount: Amount
}

/** What changes in a mandate after its creation. */
export type MandateProgress = Pick<
  Mandate,
  'state' | 'next_charge_at' | 'payments_count' | 'failed_attempts' | 'approved_at' | 'cancelled_at'
>

/** The payload of all `mandate.…` events but `mandate.created`: everything that changes, and the position of `mandate.created`. */
export interface MandateChange extends Omit<MandateVersion, 'mandate'> {
  readonly mandate: Pick<Mandate, 'id'> & MandateProgress
  readonly created_position: Position
}

/** A mandate that is not final. */
export interface LiveMandate {
  readonly id: string
  /** Account number of the merchant. */
  readonly account: AccountNumber
  readonly customer: AccountNumber
  /** When its timer has something to do; null: never by itself. */
  readonly dueMs: TimeMs | null
  /** Of its newest version. */
  readonly position: Position
  /** The customer has not answered. */
  readonly isPending?: true
}

/** Kind of the timers that collect and expire mandates; their key is the id. */
export const MANDATE_TIMER = 'mandate'

declare module '../../ledger/transaction.ts' {
  interface TransactionTypes {
    readonly mandate: true
  }
}

declare module '../stream/stream-state.ts' {
  interface FrameTypes {
    readonly 'mandate.requested': true
  }
}

declare module '../state.ts' {
  interface State {
    readonly mandates: Mandates
  }
}

export class Mandates extends SnapshotTables {
  readonly #pending = new Counts<string>()
  /** Keyed by id. Setting a row also sets its timer, so a restored snapshot has the timers of its rows. */
  readonly live: Table<LiveMandate>

  constructor(shared: SharedState) {
    super()
    const { timers } = shared
    this.live = new Table(this, 'mandate', countedByAccount(shared, LIVE_MANDATES), (row, before) => {
      const { id, account, customer } = (row ?? before) as LiveMandate
      const dueMs = row?.dueMs ?? null
      if (dueMs === null) timers.cancel(MANDATE_TIMER, id)
      else timers.set(MANDATE_TIMER, id, dueMs)
      this.#pending.add(pairOf(account, customer), Number(row?.isPending === true) - Number(before?.isPending === true))
    })
  }

  /** How many requests of the merchant that wallet has not answered. */
  pendingOf(account: AccountNumber, customer: AccountNumber): number {
    return this.#pending.of(pairOf(account, customer))
  }
}

function pairOf(account: AccountNumber, customer: AccountNumber): string {
  return `${account}:${customer}`
}

/** Keys whose count is zero take no room. */
class Counts<Key> {
  readonly #counts = new Map<Key, number>()

  of(key: Key): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: Key, change: number): void {
    const count = this.of(key) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
