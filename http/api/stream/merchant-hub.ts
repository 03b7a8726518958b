// Delivers merchants' events to their open streams, from durable records alone.
import type { Clock, EngineApi, LogRecord, MerchantPlace, Scheduler } from '../../../engine/api.ts'
import type { Quotas } from '../../../engine/kernel/quota.ts'
import { AccountQuota } from '../../server/account-quota.ts'
import type { OpenStream, StreamListener } from '../../server/route.ts'
import { HeartbeatScheduler } from './heartbeat-scheduler.ts'
import { readChanges } from './merchant-changes.ts'
import { MerchantStream } from './merchant-stream.ts'
import { FEW_MISSED_MAX, STREAM_REPLAYS, STREAMS_PER_MERCHANT_MAX } from './stream-limits.ts'

export interface MerchantHubParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly clock: Clock
  readonly scheduler: Scheduler
  readonly onFailure: (error: unknown) => void
  readonly quotas: Quotas
}

export interface MerchantStreamRequest {
  readonly account: number
  readonly isValid: () => boolean
  /** Id of the last frame that the client received, null for a new client. */
  readonly lastEventId: number | null
  /** For pages: the stream has the names of changes that are no events of the merchant too. */
  readonly withChanges?: true
  /** For a reader that sees a part of the account's events: the types that begin so, without ids and content. */
  readonly namesOf?: string
  /** `from` is the place that the stream begins behind. */
  readonly open: (listener: StreamListener, from: MerchantPlace) => OpenStream | null
}

/** `unknown_id`: the account has not had a frame of this id. */
export type StreamRejection = 'unavailable' | 'quota_exceeded' | 'unknown_id'

/** Prefixes of events that may end a key or a session. */
const ENDINGS = ['api_key.', 'dashboard_', 'member'] as const

export class MerchantHub {
  readonly #parts: MerchantHubParts
  readonly #heartbeats: HeartbeatScheduler
  readonly #byAccount = new Map<number, MerchantStream[]>()
  /** The streams of pages, which are among those above. */
  readonly #following = new Map<number, MerchantStream[]>()
  /** The replays that run. */
  readonly #replays: AccountQuota
  #isClosed = false

  constructor(parts: MerchantHubParts) {
    this.#parts = parts
    this.#replays = new AccountQuota(parts.quotas, STREAM_REPLAYS, parts)
    this.#heartbeats = new HeartbeatScheduler(parts.clock, parts.scheduler)
  }

  /** Opens a stream, or returns why it does not: a shutdown, too many replays of the log, or an id of no frame. */
  open({ account, isValid, lastEventId, withChanges, namesOf, open }: MerchantStreamRequest): StreamRejection | null {
    if (this.#isClosed) return 'unavailable'
    const { engine, clock, onFailure } = this.#parts
    const newest = engine.query('merchantStream.newest', { account })
    const missed = newest.id - (lastEventId ?? newest.id)
    if (missed < 0) return 'unknown_id'
    const isLong = missed > FEW_MISSED_MAX
    if (isLong && !this.#replays.hasRoom(account)) return 'quota_exceeded'
    const onReplay = (change: 1 | -1): void => this.#replays.change(account, change)
    const onOver = (left: MerchantStream): void => this.#remove(left)
    const stream = new MerchantStream({ account, engine, isValid, namesOf, nowMs: () => clock.now(), onReplay, onOver, onFailure })
    const socket = open(stream, newest)
    if (socket === null) return null
    stream.begin(socket, newest)
    const others = this.#byAccount.get(account) ?? []
    if (others.length >= STREAMS_PER_MERCHANT_MAX) others[0]?.end()
    this.#byAccount.set(account, [...(this.#byAccount.get(account) ?? []), stream])
    this.#heartbeats.add(stream)
    if (withChanges === true) this.#following.set(account, [...(this.#following.get(account) ?? []), stream])
    if (lastEventId !== null) stream.resume(lastEventId, { isLong })
    return null
  }

  /** Receives each durable record in order: 30 000 a second under load, and few merchants have a stream. */
  record(record: LogRecord): void {
    if (this.#byAccount.size === 0) return
    let last = -1
    let mayEnd = false
    for (const { account, type } of record.events) {
      mayEnd ||= ENDINGS.some((prefix) => type.startsWith(prefix))
      if (account === last) continue
      last = account
      const streams = this.#byAccount.get(account)
      if (streams === undefined) continue
      const frames = this.#parts.engine.query('merchantStream.frames', { account, record })
      // Frames are recognized by their positions, so accounts that alternate in a record get each once.
      for (const stream of streams) stream.deliver(frames)
    }
    if (this.#following.size > 0) {
      const isFollowing = (account: number): boolean => this.#following.has(account)
      readChanges(record, isFollowing, (account, change) => {
        for (const stream of this.#following.get(account) ?? []) stream.change(change)
      })
    }
    if (mayEnd) for (const streams of [...this.#byAccount.values()]) for (const stream of [...streams]) stream.check()
  }

  /** Ends all streams and opens no more. */
  close(): void {
    this.#isClosed = true
    for (const streams of [...this.#byAccount.values()]) for (const stream of [...streams]) stream.end()
  }

  #remove(left: MerchantStream): void {
    this.#heartbeats.remove(left)
    for (const streams of [this.#byAccount, this.#following]) {
      const rest = (streams.get(left.account) ?? []).filter((stream) => stream !== left)
      if (rest.length === 0) streams.delete(left.account)
      else streams.set(left.account, rest)
    }
  }
}
