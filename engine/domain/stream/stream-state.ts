// How many stream frames each wallet has had: the ids of its realtime stream count from 1 and never repeat.
import type { AccountCounters } from '../../kernel/account-counters.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

/** What a wallet's stream may carry; the names are those of the API. Each noun adds its own (declaration merging). */
export interface FrameTypes {
  readonly 'payment.received': true
  readonly 'payment.sent': true
  readonly 'balance.updated': true
}

export type FrameType = keyof FrameTypes

/** What it shows is derived from the record when it is read. */
export interface Frame {
  readonly account: AccountNumber
  readonly type: FrameType
  /** The event of the record that it is about. */
  readonly eventIndex: number
  /** Grows by one with each frame of the account. */
  readonly id: number
}

/** A frame that a decision wants sent. The turn numbers it in place: a second object for each was 0.2 KB of garbage a payout. */
export interface PlannedFrame extends Frame {
  /** 0 until then. */
  id: number
}

declare module '../state.ts' {
  interface State {
    /** Id of each account's newest frame. */
    readonly frames: AccountCounters
  }
}
