// Charges. Live state holds what a turn needs of pending ones only. Every version of a charge is a record in the log,
// and the newest is current.

import type { CHARGE_STATES, Charge as ShapeCharge } from '../../contract/charge.ts'
import type { RefundedFor } from '../../contract/payment-reason.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { TakenFee } from '../rules/movement-rules.ts'
import type { SharedState } from '../state.ts'
import { PENDING_CHARGES } from './charge-limits.ts'

export type ChargeState = (typeof CHARGE_STATES)[number]

/** Moves of a charge; the names of its events are `charge.` and the move. */
export const CHARGE_MOVES = ['paid', 'expired', 'cancelled', 'refunded'] as const satisfies readonly ChargeState[]

export type ChargeMove = (typeof CHARGE_MOVES)[number]

/** States in which each move may start. Every other move is rejected. */
export const CHARGE_MOVES_FROM = {
  paid: 'pending',
  expired: 'pending',
  cancelled: 'pending',
  refunded: 'paid',
} as const satisfies Record<ChargeMove, ChargeState>

/** The charge for its merchant, and as `charge.created` holds it. */
export type Charge = Immutable<ShapeCharge>

/** A charge with what a refund needs of its fee, which the merchant does not see. */
export type ChargeWithTerms = Charge & Partial<TakenFee>

/** Fields of a charge that change after its creation. */
export type ChargeProgress = Pick<
  Charge,
  'state' | 'paid_at' | 'cancelled_at' | 'refunded_at' | 'transaction_id' | 'refund_transaction_id' | 'payer_tag' | 'fee'
> &
  RefundedFor

/** The payload of all `charge.…` events but `charge.created`: the fields that change, and the position of `charge.created`. */
export interface ChargeChange extends Pick<Charge, 'id' | 'token'>, ChargeProgress, Pick<TakenFee, 'fee_terms'> {
  readonly created_position: Position
}

/** A pending charge. Its size is bounded, because the merchant's texts stay in the log. */
export interface PendingCharge {
  readonly token: string
  /** Account number of the merchant. */
  readonly account: AccountNumber
  readonly amount: Amount
  readonly customer_tag: string
  readonly expires_at_ms: TimeMs
  /** Position of the `charge.created` event. */
  readonly position: Position
  /** Only on charges of a payment link. */
  readonly link_id?: string
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
  /** Keyed by token. Setting a row also sets its timer, so a restored snapshot has the timers of its rows. */
  readonly pending: Table<PendingCharge>
  readonly #shared: SharedState

  constructor(shared: SharedState) {
    super()
    this.#shared = shared
    const { timers } = shared
    this.pending = new Table(this, 'charge', countedByAccount(shared, PENDING_CHARGES), (row, before) => {
      const { token } = (row ?? before) as PendingCharge
      if (row === undefined) timers.cancel(CHARGE_TIMER, token)
      else timers.set(CHARGE_TIMER, token, row.expires_at_ms)
    })
  }

  /** Returns the number of pending charges of one account. */
  pendingOf(account: AccountNumber): number {
    const { quotas, accounts } = this.#shared
    return quotas.use(PENDING_CHARGES).rowsOf(accounts.environment(account), account)
  }
}
