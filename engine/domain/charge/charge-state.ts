// Charges. Live state holds what a turn needs of the pending ones and nothing of the others: every version of a charge
// is a record in the log, and the newest is the charge.

import type { CHARGE_STATES, Charge as ShapeCharge } from '../../contract/charge.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { TimerBook } from '../../kernel/timer-book.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

export type ChargeState = (typeof CHARGE_STATES)[number]

/** What moves a charge on; the names of its events are `charge.` and these. */
export const CHARGE_MOVES = ['paid', 'expired', 'cancelled', 'refunded'] as const satisfies readonly ChargeState[]

export type ChargeMove = (typeof CHARGE_MOVES)[number]

/** Where each move may start. Everything else is refused. */
export const CHARGE_MOVES_FROM = {
  paid: 'pending',
  expired: 'pending',
  cancelled: 'pending',
  refunded: 'paid',
} as const satisfies Record<ChargeMove, ChargeState>

/** The charge as its merchant sees it, and as the log keeps it whole: version 1 of all `charge.…` events. */
export type Charge = Immutable<ShapeCharge>

/** What changes in a charge after its creation. */
export type ChargeProgress = Pick<
  Charge,
  'state' | 'paid_at' | 'cancelled_at' | 'refunded_at' | 'transaction_id' | 'refund_transaction_id' | 'payer_tag'
>

/** Version 2 of all `charge.…` events but `charge.created`: everything that changes, and the place of a version that is whole. */
export interface ChargeChange extends Pick<Charge, 'id' | 'token'>, ChargeProgress {
  readonly whole_position: Position
}

/** Small whatever its merchant wrote into the charge: the texts stay in the log. */
export interface PendingCharge {
  readonly token: string
  /** The merchant's. */
  readonly account: AccountNumber
  readonly amount: Amount
  readonly customer_tag: string
  readonly expires_at_ms: TimeMs
  /** Of its `charge.created` event. */
  readonly position: Position
}

/** Kind of the timers that end pending charges; their key is the token. */
export const CHARGE_TIMER = 'charge'

declare module '../../ledger/transaction.ts' {
  interface TransactionTypes {
    readonly charge: true
    readonly refund: true
  }
}

declare module '../stream/stream-state.ts' {
  interface FrameTypes {
    readonly 'charge.updated': true
  }
}

declare module '../state.ts' {
  interface State {
    readonly charges: Charges
  }
}

export class Charges extends SnapshotTables {
  readonly #timers: TimerBook
  readonly #counts = new Map<AccountNumber, number>()

  constructor(timers: TimerBook) {
    super()
    this.#timers = timers
  }

  /** By token. A row brings its timer along, so a restored image has the timers of its rows. */
  readonly pending = new Table<PendingCharge>(this, 'charge', (row, before) => {
    const { token, account } = (row ?? before) as PendingCharge
    if (row === undefined) this.#timers.cancel(CHARGE_TIMER, token)
    else this.#timers.set(CHARGE_TIMER, token, row.expires_at_ms)
    const change = (row === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
    this.#count(account, change)
  })

  /** Pending charges of one account. */
  pendingOf(account: AccountNumber): number {
    return this.#counts.get(account) ?? 0
  }

  #count(account: AccountNumber, change: number): void {
    const count = this.pendingOf(account) + change
    if (count === 0) this.#counts.delete(account)
    else this.#counts.set(account, count)
  }
}
