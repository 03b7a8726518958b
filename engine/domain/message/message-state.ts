// Open messages to the gateways for SMS, push and e-mail. Their content stays in the log; ended messages are there only.
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'

export type MessageChannel = 'sms' | 'push' | 'email'

/** A message that a gateway has not taken yet. */
export interface OpenMessage {
  /** The same for all attempts. Gateways drop duplicates by it. */
  readonly id: string
  readonly channel: MessageChannel
  readonly environment: Environment
  /** Position of the event `message.queued`. Of a push: sequence of its record and index among the frames of the record. */
  readonly position: Position
  /** Number of attempts so far. */
  readonly attempts: number
  readonly nextAttemptMs: TimeMs
  /** End of the lifetime: no attempt begins later. */
  readonly untilMs: TimeMs
}

/**
 * How far the pushes of the log have been attempted. A push is derived from the frame of its payment and has no record
 * of its own: this row and the open messages say which pushes ended.
 */
export interface PushProgress {
  /** Every push of a record up to this sequence has ended or is an open message. */
  readonly through: number
  /** Positions of later pushes that have ended or are open messages. */
  readonly beyond: readonly Position[]
}

declare module '../state.ts' {
  interface State {
    readonly messages: Messages
  }
}

const PROGRESS_KEY = 'all'

export class Messages extends SnapshotTables {
  readonly #counts: Record<MessageChannel, number> = { sms: 0, push: 0, email: 0 }

  readonly open = new Table<OpenMessage>(this, 'open_message', { boundedBy: 'OPEN_MESSAGES_MAX' }, (message, before) => {
    if (before !== undefined) this.#counts[before.channel]--
    if (message !== undefined) this.#counts[message.channel]++
  })

  /** One row, once a gateway for pushes was set. */
  readonly #progress = new Table<PushProgress>(this, 'push_progress', { boundedBy: 'one row' })

  get progress(): PushProgress | null {
    return this.#progress.get(PROGRESS_KEY) ?? null
  }

  setProgress(progress: PushProgress): void {
    this.#progress.set(PROGRESS_KEY, progress)
  }

  count(channel: MessageChannel): number {
    return this.#counts[channel]
  }
}
