// All open streams, and the frames that each gets. Frames come from durable records alone. The text of a frame is made
// once, and only when a stream of its wallet is open.
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
import { HeartbeatScheduler } from './heartbeat-scheduler.ts'
import { framesAfter } from './ring.ts'
import { FRAMES_PER_WRITE_MAX, RECORDS_WAITING_MAX, RING_MAX, STREAMS_PER_WALLET_MAX, WRITES_PER_TURN_MAX } from './stream-limits.ts'
import { type StreamHolder, type StreamHome, WalletStream } from './wallet-stream.ts'

export interface HubParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** A stream could not be read from the log: a bug, or a broken machine. */
  readonly onFailure: (error: unknown) => void
}

export interface StreamRequest {
  readonly holder: StreamHolder
  /** Of the last frame that the reader had; null for a reader that begins now. */
  readonly lastEventId: number | null
  /** Opens the response; null when the client has left. */
  readonly open: (listener: StreamListener) => OpenStream | null
}

/** After these a session may have ended that a stream was opened by. */
const SESSION_EVENTS: ReadonlySet<string> = new Set(['session.revoked', 'device.removed', 'device.registered'])

export class StreamHub implements StreamHome {
  readonly #parts: HubParts
  readonly #wheel: HeartbeatScheduler
  readonly #byAccount = new Map<AccountNumber, WalletStream[]>()
  /** Durable records that wait for a turn of the loop. */
  readonly #waiting: LogRecord[] = []
  /** In this turn. */
  #writes = 0
  #isTurnPlanned = false
  #isClosed = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#wheel = new HeartbeatScheduler(parts.clock, parts.scheduler)
  }

  /** Open streams. */
  get count(): number {
    return this.#wheel.count
  }

  /** False when the server is about to stop. */
  open({ holder, lastEventId, open }: StreamRequest): boolean {
    if (this.#isClosed) return false
    const stream = new WalletStream(holder, this)
    const socket = open(stream)
    if (socket === null) return true
    stream.begin(socket)
    // It listens before it reads: what comes in between is found twice, and ids tell.
    this.#add(stream)
    if (lastEventId !== null) this.#resume(stream, lastEventId)
    return true
  }

  /**
   * Called for each durable record, in order: 30 000 a second under load, and most wallets have no stream. A flush may
   * bring thousands of them at once: what is too much for one turn of the loop waits for the next, in order.
   */
  record(record: LogRecord): void {
    if (this.#byAccount.size === 0 || !this.#concernsAnybody(record)) return
    if (this.#waiting.length === 0 && this.#writes < WRITES_PER_TURN_MAX) this.#tell(record)
    else this.#waiting.push(record)
    if (this.#waiting.length > RECORDS_WAITING_MAX) this.#tellWaiting(Number.POSITIVE_INFINITY)
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    this.#parts.scheduler.soon(this.#nextTurn)
  }

  readonly #nextTurn = (): void => {
    this.#writes = 0
    this.#tellWaiting(WRITES_PER_TURN_MAX)
    this.#isTurnPlanned = this.#waiting.length > 0
    if (this.#isTurnPlanned) this.#parts.scheduler.soon(this.#nextTurn)
  }

  #tellWaiting(writesMax: number): void {
    let told = 0
    while (told < this.#waiting.length && this.#writes < writesMax) this.#tell(this.#waiting[told++] as LogRecord)
    this.#waiting.splice(0, told)
  }

  #concernsAnybody({ frames, events }: LogRecord): boolean {
    for (const { account } of frames) if (this.#byAccount.has(account)) return true
    for (const { type, account } of events) if (SESSION_EVENTS.has(type) && this.#byAccount.has(account)) return true
    return false
  }

  #tell(record: LogRecord): void {
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
      if (SESSION_EVENTS.has(event.type) && this.#byAccount.has(event.account)) this.#endRevoked(event)
    }
  }

  /** Ends all streams, in order, and takes no more. */
  close(): void {
    this.#isClosed = true
    this.#tellWaiting(Number.POSITIVE_INFINITY)
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
    this.#wheel.remove(stream)
    const streams = this.#byAccount.get(stream.account)
    if (streams === undefined) return
    const rest = streams.filter((other) => other !== stream)
    if (rest.length === 0) this.#byAccount.delete(stream.account)
    else this.#byAccount.set(stream.account, rest)
  }

  #add(stream: WalletStream): void {
    const streams = this.#byAccount.get(stream.account) ?? []
    if (streams.length >= STREAMS_PER_WALLET_MAX) streams[0]?.end()
    this.#byAccount.set(stream.account, [...(this.#byAccount.get(stream.account) ?? []), stream])
    this.#wheel.add(stream)
  }

  /** Within the ring it goes on where it was; otherwise it gets `stream.reset` and the whole ring. */
  #resume(stream: WalletStream, lastEventId: number): void {
    // Most readers that come back after a restart have missed nothing: then the log is not read.
    const { engine } = this.#parts
    const { account } = stream
    if (lastEventId === engine.query('frames.newestId', { account })) return stream.goOn(lastEventId)
    const latestId = engine.query('frames.durableId', { account })
    const oldestId = Math.max(1, latestId - RING_MAX + 1)
    const isInRing = lastEventId >= oldestId - 1 && lastEventId <= latestId
    if (isInRing) stream.resume(lastEventId, '')
    else stream.resume(oldestId - 1, resetText(oldestId, latestId, engine.query('engine.time', null)))
  }

  /** A payment and the balance that it leaves are one piece of text, and one packet: a write costs more than what is in it. */
  #deliver(streams: readonly WalletStream[], record: LogRecord, frames: readonly Frame[]): void {
    const { engine } = this.#parts
    const firstId = (frames[0] as Frame).id
    const texts = engine.query('frames.texts', { record, frames })
    for (const stream of streams) stream.deliver(firstId, texts)
    this.#writes += streams.length
  }

  /**
   * Streams of the device but those of the session that the event begins. By the event, not by the state: that is ahead,
   * and a reader would be gone before it got the frame that says why.
   */
  #endRevoked(event: StoredEvent): void {
    const { id, session_id } = payloadOf<Pick<DeviceRow, 'id' | 'session_id'>>(event)
    for (const stream of [...(this.#byAccount.get(event.account) ?? [])]) {
      if (stream.deviceId === id && stream.sessionId !== session_id) stream.end()
    }
  }
}

/** The ring does not reach back to what the reader had: what it remembers of the wallet has to be asked for again. */
function resetText(oldestId: number, latestId: number, nowMs: TimeMs): string {
  // A reader that resumes from this id gets the ring from its first frame on.
  return serverSentEvent('stream.reset', oldestId - 1, nowMs, JSON.stringify({ oldest_id: oldestId, latest_id: latestId }))
}
