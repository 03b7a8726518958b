// Outbox of messages: takes open text messages, e-mails and pushes, calls the gateways, and submits each result as a
// command. The engine decides on retries. Nothing leaves before its record is durable. A message that a gateway took is
// never sent again; one whose answer was not recorded before a crash is sent again with the same id.
import {
  type AccountNumber,
  type AttemptResult,
  type Clock,
  type EngineApi,
  type LogRecord,
  type MessageChannel,
  type OpenMessage,
  payloadOf,
  type QueuedMessage,
  type Scheduler,
} from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Seal } from '../../crypto/seal.ts'
import { CallQueue } from '../call-queue.ts'
import { ConcurrencyLimiter, type Turn } from '../webhooks/concurrency-limiter.ts'
import { hasSucceeded, isGood, notSent } from './attempt-results.ts'
import type { Gateway } from './gateway.ts'
import {
  GATEWAY_FAILING_SLOTS_MAX,
  GATEWAY_SLOTS_MAX,
  MESSAGES_PER_READ,
  PUSH_WITHOUT_ROOM_WAIT_MS,
  RECORD_RETRY_MS,
} from './gateway-limits.ts'
import type { Inbox } from './inbox.ts'
import type { OutgoingMessage } from './message.ts'
import { messageContent } from './message-content.ts'
import { MessageRecorder } from './message-recorder.ts'
import { PushSelection, pushMessage } from './push.ts'
import { PushFeed } from './push-feed.ts'
import type { WaitingPush } from './push-tail.ts'

export interface OutboxParts {
  readonly engine: Pick<EngineApi, 'query' | 'submit'>
  readonly seal: Pick<Seal, 'open'>
  /** Returns the base URL of the dashboard, without a trailing slash: notices link to its pages. */
  readonly baseUrl: () => string
  /** Null: messages of the channel go to the inbox, or nowhere in production. */
  readonly gateways: Readonly<Record<MessageChannel, Pick<Gateway, 'send'> | null>>
  /** Null in production. */
  readonly inbox: Inbox | null
  /** False when the disk is nearly full. Nothing is then sent, because an unrecorded attempt would repeat for ever. */
  readonly canWrite: () => boolean
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Reports a message that did not leave, without its content. */
  readonly onGiveUp: (given: { readonly id: string; readonly channel: MessageChannel; readonly reason: string }) => void
  /** Called when a message cannot be sent because of a bug. */
  readonly onBug: (error: unknown) => void
}

export interface OutboxFigures {
  succeeded: number
  failed: number
}

/** One call in the limiter's queue: an open message, or a push before its first result. */
type Task = { readonly message: OpenMessage } | { readonly push: WaitingPush }

/** Prefix of the queue's id of a push before its first result: its position follows. */
const PUSH = 'push@'

export class Outbox {
  readonly figures: OutboxFigures = { succeeded: 0, failed: 0 }
  readonly #parts: OutboxParts
  readonly #queue: CallQueue
  readonly #recorder: MessageRecorder
  /** Null without a gateway for pushes. */
  readonly #feed: PushFeed | null
  /** Chooses pushes for the inbox; null where a gateway takes them, or nothing does. */
  readonly #inboxPushes: PushSelection | null
  /** Pushes whose failed first attempt is not recorded yet. */
  #failedPushes = 0

  constructor(parts: OutboxParts) {
    this.#parts = parts
    const { engine, clock, scheduler, canWrite, gateways, inbox } = parts
    this.#queue = new CallQueue({
      ...{ clock, scheduler, canWrite, diskPauseMs: RECORD_RETRY_MS },
      limiter: new ConcurrencyLimiter({ slotsMax: GATEWAY_SLOTS_MAX, failingSlotsMax: GATEWAY_FAILING_SLOTS_MAX }),
      nowMs: () => this.#nowMs(),
      begin: (turn) => this.#begin(turn),
      onDue: (id) => this.#planDue(id),
      onEnded: (id) => this.#planById(id),
    })
    this.#inboxPushes = gateways.push === null && inbox !== null ? new PushSelection(engine, 'all') : null
    const onRead = (news: 'pushes' | 'progress'): void => (news === 'progress' ? this.#recorder.addProgress() : this.#queue.pumpSoon())
    this.#feed = gateways.push === null ? null : new PushFeed({ engine, clock, scheduler, onRead, onPush: (push) => this.#planPush(push) })
    this.#recorder = new MessageRecorder({ engine, clock, scheduler, progress: () => this.#feed?.progress() ?? null })
  }

  /** Takes messages that were open when the process ended. Called once, before the first record. */
  start(): void {
    const rows: OpenMessage[] = []
    for (let offset = 0; offset === rows.length; offset += MESSAGES_PER_READ) {
      rows.push(...this.#parts.engine.query('messages.open', { offset, limit: MESSAGES_PER_READ }))
    }
    for (const message of rows) this.#plan(message)
    this.#feed?.start()
    this.#queue.pumpSoon()
  }

  /** Receives each durable record in order: 30 000 a second under load, and few of them are about messages. */
  record(record: LogRecord): void {
    const before = this.#queue.busy
    for (const event of record.events) {
      if (event.type === 'message.queued') this.#planById(payloadOf<QueuedMessage>(event).id)
    }
    if (this.#inboxPushes !== null) this.#showPushes(this.#inboxPushes, record)
    else this.#feed?.record(record)
    if (this.#queue.busy !== before) this.#queue.pumpSoon()
  }

  /** Starts no further calls. Resolves when active ones are recorded, after at most `maxMs`. */
  async stop(maxMs: number): Promise<void> {
    this.#feed?.stop()
    await this.#queue.stop(maxMs)
    this.#recorder.stop()
  }

  #planById(id: string): void {
    const message = this.#parts.engine.query('messages.byId', { id })
    if (message !== null) this.#plan(message)
  }

  /** Queues a message that is due, or sets its timer. */
  #plan(message: OpenMessage): void {
    const { id, channel, environment, nextAttemptMs } = message
    if (this.#queue.isBusy(id)) return
    if (this.#parts.gateways[channel] === null) return this.#endWithoutGateway(message)
    if (nextAttemptMs > this.#nowMs()) return this.#queue.waitUntil(id, nextAttemptMs)
    this.#queue.put(`${channel} ${environment}`, id)
  }

  #planPush({ position, environment }: WaitingPush): void {
    this.#queue.put(`push ${environment}`, `${PUSH}${position}`)
  }

  #planDue(id: string): void {
    const push = this.#waitingPush(id)
    if (push === null) this.#planById(id)
    else this.#planPush(push)
  }

  /** In development the inbox shows the message. In production it ends. */
  #endWithoutGateway(message: OpenMessage): void {
    const { inbox, onGiveUp, onBug } = this.#parts
    const { id, channel } = message
    this.#queue.hold(id)
    const end = (result: Pick<AttemptResult, 'httpStatus' | 'error'>): void => {
      const nothing = { durationMs: 0, retryAfterMs: null, jitter: 0, isFinal: true } as const
      this.#recorder.add({ id, ...nothing, ...result }, () => this.#queue.release(id))
    }
    if (inbox === null) {
      onGiveUp({ id, channel, reason: 'no gateway is set' })
      return end({ httpStatus: null, error: 'no_gateway' })
    }
    const show = (content: OutgoingMessage): void => {
      inbox.add(() => content)
      end({ httpStatus: 200, error: null })
    }
    const content = messageContent(this.#parts, message)
    // What needs no reading is shown in the order of the log.
    if (content instanceof Promise) content.then(show, onBug)
    else show(content)
  }

  #showPushes(selection: PushSelection, record: LogRecord): void {
    const { engine, inbox } = this.#parts
    for (const { frameIndex } of selection.of(record)) inbox?.add(() => pushMessage(engine, record, frameIndex))
  }

  #begin(turn: Turn): void {
    const task = this.#taskOf(turn.id)
    if (task === null) return this.#queue.end(turn, true)
    this.#call(task).then(
      (answer) => this.#record(turn, task, answer),
      (error: unknown) => {
        this.#parts.onBug(error)
        this.#queue.fail(turn)
      },
    )
  }

  #taskOf(id: string): Task | null {
    const push = this.#waitingPush(id)
    if (push !== null) return { push }
    const message = this.#parts.engine.query('messages.byId', { id })
    return message === null ? null : { message }
  }

  /** Returns null for the id of an open message. */
  #waitingPush(id: string): WaitingPush | null {
    return id.startsWith(PUSH) ? (this.#feed?.waiting(Number(id.slice(PUSH.length))) ?? null) : null
  }

  async #call(task: Task): Promise<AttemptResult> {
    const { engine, gateways, random } = this.#parts
    const isPush = 'push' in task
    const channel = isPush ? 'push' : task.message.channel
    const attempts = isPush ? task.push.attempts : task.message.attempts
    const untilMs = isPush ? task.push.untilMs : task.message.untilMs
    if (untilMs <= this.#nowMs()) return notSent('expired')
    const made = isPush ? pushMessage(engine, task.push.record, task.push.frameIndex) : messageContent(this.#parts, task.message)
    const content = made instanceof Promise ? await made : made
    if ('devices' in content && channel === 'push' && content.devices.length === 0) return notSent('no_device')
    const answer = await (gateways[channel]?.send(content, attempts + 1) ?? Promise.resolve(notSent('no_gateway')))
    return { ...answer, jitter: random() }
  }

  #record(turn: Turn, task: Task, result: AttemptResult): void {
    const isTaken = hasSucceeded(result)
    if (isTaken) this.figures.succeeded++
    else this.figures.failed++
    const good = isGood(result)
    if ('message' in task) {
      const { id } = task.message
      this.#recorder.add({ ...result, id }, () => {
        this.#queue.end(turn, good)
        if (!isTaken) this.#reportEnd(task.message, result)
      })
      return
    }
    const { push } = task
    const room = isTaken || result.isFinal === true ? 'never' : this.#roomOf(push)
    if (room === 'later') {
      push.attempts++
      this.#queue.waitUntil(turn.id, this.#nowMs() + PUSH_WITHOUT_ROOM_WAIT_MS)
      return this.#queue.end(turn, good)
    }
    const mayGoOn = room === 'now'
    this.#feed?.end(push.position)
    if (mayGoOn) this.#failedPushes++
    const { id, environment, position, untilMs } = push
    const failed = mayGoOn ? { ...result, push: { id, environment, holder: holderOf(push), position, untilMs } } : null
    this.#recorder.addPush(failed, () => {
      if (mayGoOn) this.#failedPushes--
      this.#queue.end(turn, good)
      this.#planById(id)
      if (!isTaken) this.#reportEnd({ id, channel: 'push' }, result)
    })
  }

  #roomOf(push: WaitingPush): 'now' | 'later' | 'never' {
    const { environment } = push
    return this.#parts.engine.query('messages.pushRoom', { environment, account: holderOf(push), unrecorded: this.#failedPushes })
  }

  /** Reports a message that has ended without a gateway that took it. */
  #reportEnd({ id, channel }: Pick<OpenMessage, 'id' | 'channel'>, { httpStatus, error }: AttemptResult): void {
    if (error === 'no_device' || this.#parts.engine.query('messages.byId', { id }) !== null) return
    this.#parts.onGiveUp({ id, channel, reason: error ?? `HTTP ${httpStatus}` })
  }

  #nowMs(): TimeMs {
    return this.#parts.engine.query('engine.time', null)
  }
}

/** Returns the account of the wallet that a push is for. */
function holderOf({ record, frameIndex }: WaitingPush): AccountNumber {
  const frame = record.frames[frameIndex]
  assert(frame !== undefined, 'a push is derived from a frame of its record')
  return frame.account
}
