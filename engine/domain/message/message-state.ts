// Open messages to the gateways for SMS, push and e-mail. Their content stays in the log; ended messages are there only.
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import type { QuotaHolder, QuotaUse } from '../../kernel/quota.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { SharedState } from '../state.ts'
import { type MessageChannel, OPEN_MESSAGES } from './message-limits.ts'

export type { MessageChannel }

/** A message that a gateway has not taken yet. */
export interface OpenMessage {
  /** The same for all attempts. Gateways drop duplicates by it. */
  readonly id: string
  readonly channel: MessageChannel
  readonly environment: Environment
  /** Whose share of the open messages it takes: a network, a merchant, the account of a wallet. */
  readonly holder: QuotaHolder
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
  readonly open: Table<OpenMessage>

  /** One row, once a gateway for pushes was set. */
  readonly #progress = new Table<PushProgress>(this, 'push_progress', { boundedBy: 'one row' })

  constructor({ quotas }: SharedState) {
    super()
    const uses: Readonly<Record<MessageChannel, QuotaUse>> = {
      sms: quotas.counted(OPEN_MESSAGES.sms),
      email: quotas.counted(OPEN_MESSAGES.email),
      push: quotas.counted(OPEN_MESSAGES.push),
    }
    this.open = new Table<OpenMessage>(this, 'open_message', {
      useOf: ({ channel }) => uses[channel],
      partOf: ({ channel, environment }) => (channel === 'email' ? 'both' : environment),
      holderOf: ({ holder }) => holder,
    })
  }

  get progress(): PushProgress | null {
    return this.#progress.get(PROGRESS_KEY) ?? null
  }

  setProgress(progress: PushProgress): void {
    this.#progress.set(PROGRESS_KEY, progress)
  }
}
