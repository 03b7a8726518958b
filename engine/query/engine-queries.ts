// Queries for the engine itself: its time and its figures.
import type { EngineFigures } from '../actor/engine-ports.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { Reads } from './reads.ts'

export interface CurrentFigures extends Readonly<EngineFigures> {
  /** Sequence of the newest record, durable or not. */
  readonly lastSequence: number
  readonly durableSequence: number
  /** Commands in the mailboxes. */
  readonly waitingCommands: number
  /** Outcomes that wait for the durability barrier. */
  readonly waitingAnswers: number
  /** Index entries in memory that the archive has not stored. */
  readonly tailEntries: number
  /** Webhook deliveries that have not ended. */
  readonly openDeliveries: number
  /** Paid bills whose fulfillment has not ended. */
  readonly openFulfillments: number
  /** Messages that no gateway has taken yet, without pushes that were not attempted. */
  readonly openMessages: number
  /** Whether a timer is due whose effect is not durable yet. */
  readonly hasDueTimers: boolean
}

/** Returns the engine's time, which never decreases. */
export function engineTime(reads: Reads): TimeMs {
  return reads.nowMs()
}

export function engineFigures(reads: Reads): CurrentFigures {
  const { figures, history, state } = reads
  const { lastSequence, durableSequence, waitingCommands, waitingAnswers, hasDueTimers } = reads
  return {
    ...figures,
    ...{ lastSequence, durableSequence, waitingCommands, waitingAnswers, hasDueTimers },
    tailEntries: history.tailEntries,
    openDeliveries: state.webhooks.deliveries.size,
    openFulfillments: state.bills.fulfilling.size,
    openMessages: state.messages.open.size,
  }
}
