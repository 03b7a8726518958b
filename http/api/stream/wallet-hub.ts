// Delivers frames to all open streams. Frames come from durable records alone. A frame is serialized once, and only when
// its wallet has an open stream.
import {
  type AccountNumber,
  type Clock,
  type DeviceRow,
  type EngineApi,
  type Frame,
  type LogRecord,
  payloadOf,
  type Scheduler,
  type StoredEvent,
  serverSentEvent,
  type TextFrame,
} from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { OpenStream, StreamListener } from '../../server/route.ts'
import { AccountSet } from './account-set.ts'
import { HeartbeatScheduler } from './heartbeat-scheduler.ts'
import { framesAfter } from './last-frames.ts'
import { FRAMES_PER_WRITE_MAX, RECORDS_WAITING_MAX, RING_MAX, STREAMS_PER_WALLET_MAX, WRITES_PER_TURN_MAX } from './stream-limits.ts'
import { type StreamHolder, type StreamHome, WalletStream } from './wallet-stream.ts'

export interface HubParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Called when a read from the log failed: a bug or a hardware error. */
  readonly onFailure: (error: unknown) => void
}

export interface StreamRequest {
  readonly holder: StreamHolder
  /** Id of the last frame that the client received, null for a new client. */
  readonly lastEventId: number | null
  /** Opens the response. Returns null when the client has disconnected. */
  readonly open: (listener: StreamListener) => OpenStream | null
}

/** Events that may end the session of an open stream. */
const SESSION_EVENTS: ReadonlySet<string> = new Set(['session.revoked', 'device.removed', 'device.registered'])

export class StreamHub implements StreamHome {
  readonly #parts: HubParts
  readonly #heartbeats: HeartbeatScheduler
  readonly #byAccount = new Map<AccountNumber, WalletStream[]>()
  /** The keys of `#byAccount`, for records: most have no reader. */
  readonly #readers = new AccountSet()
  /** Queue of durable records for the next turns of the event loop. */
  readonly #waiting: LogRecord[] = []
  /** Number of writes in this turn of the event loop. */
  #writes = 0
  #isTurnPlanned = false
  #isClosed = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#heartbeats = new HeartbeatScheduler(parts.clock, parts.scheduler)
  }

  /** Number of open streams. */
  get count(): number {
    return this.#heartbeats.count
  }

  /** Opens a stream. Returns false during shutdown. */
  open({ holder, lastEventId, open }: StreamRequest): boolean {
    if (this.#isClosed) return false
    const stream = new WalletStream(holder, this)
    const socket = open(stream)
    if (socket === null) return true
    stream.begin(socket)
    // Subscribe before the read from the log. A frame found by both is recognized by its id.
    this.#add(stream)
    if (lastEventId !== null) this.#resume(stream, lastEventId)
    return true
  }

  /**
   * Called for each durable record, in order: 30 000 a second under load, and most wallets have no stream. One flush may
   * deliver thousands of records. Records beyond the maximum of one turn are queued for the next turn, in order.
   */
  record(record: LogRecord): void {
    if (this.#byAccount.size === 0 || !this.#hasReader(record)) return
    if (this.#waiting.length === 0 && this.#writes < WRITES_PER_TURN_MAX) this.#write(record)
    else this.#waiting.push(record)
    if (this.#waiting.length > RECORDS_WAITING_MAX) this.#writeWaiting(Number.POSITIVE_INFINITY)
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    this.#parts.scheduler.soon(this.#nextTurn)
  }

  readonly #nextTurn = (): void => {
    this.#writes = 0
    this.#writeWaiting(WRITES_PER_TURN_MAX)
    this.#isTurnPlanned = this.#waiting.length > 0
    if (this.#isTurnPlanned) this.#parts.scheduler.soon(this.#nextTurn)
  }

  #writeWaiting(writesMax: number): void {
    let written = 0
    while (written < this.#waiting.length && this.#writes < writesMax) this.#write(this.#waiting[written++] as LogRecord)
    this.#waiting.splice(0, written)
  }

  #hasReader({ frames, events }: LogRecord): boolean {
    for (let at = 0; at < frames.length; at++) if (this.#readers.has((frames[at] as Frame).account)) return true
    for (let at = 0; at < events.length; at++) {
      const { account, type } = events[at] as StoredEvent
      if (this.#readers.has(account) && SESSION_EVENTS.has(type)) return true
    }
    return false
  }

  #write(record: LogRecord): void {
    const { frames } = record
    for (let from = 0; from < frames.length; ) {
      const { account } = frames[from] as Frame
      let to = from + 1
      while (frames[to]?.account === account && to - from < FRAMES_PER_WRITE_MAX) to++
      const streams = this.#byAccount.get(account)
      if (streams !== undefined) this.#deliver(streams, record, frames.slice(from, to))
      from = to
    }
    for (const event of record.events) {
      if (this.#readers.has(event.account) && SESSION_EVENTS.has(event.type)) this.#endRevoked(event)
    }
  }

  /** Delivers the queue, ends all streams and opens no more. */
  close(): void {
    this.#isClosed = true
    this.#writeWaiting(Number.POSITIVE_INFINITY)
    for (const streams of [...this.#byAccount.values()]) for (const stream of [...streams]) stream.end()
  }

  nowMs(): TimeMs {
    return this.#parts.clock.now()
  }

  framesAfter(account: AccountNumber, afterId: number): Promise<readonly TextFrame[] | null> {
    return framesAfter(this.#parts.engine, account, afterId)
  }

  failed(error: unknown): void {
    this.#parts.onFailure(error)
  }

  left(stream: WalletStream): void {
    this.#heartbeats.remove(stream)
    const streams = this.#byAccount.get(stream.account)
    if (streams === undefined) return
    const rest = streams.filter((other) => other !== stream)
    if (rest.length > 0) this.#byAccount.set(stream.account, rest)
    else {
      this.#byAccount.delete(stream.account)
      this.#readers.delete(stream.account)
    }
  }

  #add(stream: WalletStream): void {
    const streams = this.#byAccount.get(stream.account) ?? []
    if (streams.length >= STREAMS_PER_WALLET_MAX) streams[0]?.end()
    this.#byAccount.set(stream.account, [...(this.#byAccount.get(stream.account) ?? []), stream])
    this.#readers.add(stream.account)
    this.#heartbeats.add(stream)
  }

  /** Resumes within the ring. A client that is further behind gets `stream.reset` and the whole ring. */
  #resume(stream: WalletStream, lastEventId: number): void {
    // Most clients that reconnect after a restart have missed no frame. They need no read from the log.
    const { engine } = this.#parts
    const { account } = stream
    const newestId = engine.query('frames.newestId', { account })
    if (lastEventId === newestId) return stream.goOn(lastEventId)
    const latestId = engine.query('frames.durableId', { account })
    // A follower may know before the owner that a batch is acknowledged. Its frames are delivered here later, and skipped then.
    if (lastEventId > latestId && lastEventId < newestId) return stream.goOn(lastEventId)
    const oldestId = Math.max(1, latestId - RING_MAX + 1)
    const isInRing = lastEventId >= oldestId - 1 && lastEventId <= latestId
    if (isInRing) stream.resume(lastEventId, '')
    else stream.resume(oldestId - 1, resetText(oldestId, latestId, engine.query('engine.time', null)))
  }

  /** Writes the frames of a record as one text, in one packet: the cost of a write exceeds that of its content. */
  #deliver(streams: readonly WalletStream[], record: LogRecord, frames: readonly Frame[]): void {
    const { engine } = this.#parts
    const firstId = (frames[0] as Frame).id
    const texts = engine.query('frames.texts', { record, frames })
    for (const stream of streams) stream.deliver(firstId, texts)
    this.#writes += streams.length
  }

  /**
   * Ends the streams of the device, except those of the session that the event begins. It uses the event, not live state:
   * live state is ahead, and the client would lose its stream before the frame with the reason.
   */
  #endRevoked(event: StoredEvent): void {
    const { id, session_id } = payloadOf<Pick<DeviceRow, 'id' | 'session_id'>>(event)
    for (const stream of [...(this.#byAccount.get(event.account) ?? [])]) {
      if (stream.deviceId === id && stream.sessionId !== session_id) stream.end()
    }
  }
}

/** Returns the `stream.reset` frame: the client has missed frames and has to fetch the wallet's data again. */
function resetText(oldestId: number, latestId: number, nowMs: TimeMs): string {
  // A client that resumes from this id gets the ring from its first frame on.
  return serverSentEvent('stream.reset', oldestId - 1, nowMs, JSON.stringify({ oldest_id: oldestId, latest_id: latestId }))
}
