// One open stream: frames in the order of their ids, none twice and none left out. What its reader cannot take is not
// kept: it is read from the log again when there is room.
import type { AccountNumber, TextFrame } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { OpenStream, StreamListener } from '../../server/route.ts'
import type { HeartbeatReceiver } from './heartbeat-scheduler.ts'
import { BEHIND_BYTES_MAX, STALLED_MAX_MS } from './stream-limits.ts'

/** The wallet of a stream, and the session and token that opened it. */
export interface StreamHolder {
  readonly account: AccountNumber
  /** It ends with this session of this device, */
  readonly deviceId: string
  readonly sessionId: string
  /** and when the access token that it was opened by expires: a stolen token opens no endless stream. */
  readonly expiresAtMs: TimeMs
}

export interface StreamHome {
  /** Null when there are too many. */
  framesAfter(account: AccountNumber, afterId: number): Promise<readonly TextFrame[] | null>
  nowMs(): TimeMs
  /** The stream has ended, from either side. Called once. */
  left(stream: WalletStream): void
  failed(error: unknown): void
}

/** All that most streams carry most of the time. */
const HEARTBEAT = ': heartbeat\n\n'

/** `live`: frames are written as they come. `stalled`: the reader takes nothing. `reading`: frames come from the log. */
type Mode = 'live' | 'stalled' | 'reading'

export class WalletStream implements StreamListener, HeartbeatReceiver, StreamHolder {
  readonly account: AccountNumber
  readonly deviceId: string
  readonly sessionId: string
  readonly expiresAtMs: TimeMs
  slot = 0
  place = 0
  readonly #home: StreamHome
  #socket: OpenStream | null = null
  #mode: Mode = 'live'
  /** Of the last frame that was written; null while it does not matter: the first live one will do. */
  #lastId: number | null = null
  #stalledMs: TimeMs = 0
  /** Frames that came and were not written, since the reader last took everything. */
  #behindBytes = 0
  #isOver = false

  constructor({ account, deviceId, sessionId, expiresAtMs }: StreamHolder, home: StreamHome) {
    this.account = account
    this.deviceId = deviceId
    this.sessionId = sessionId
    this.expiresAtMs = expiresAtMs
    this.#home = home
  }

  /** Called once, before the first frame. */
  begin(socket: OpenStream): void {
    this.#socket = socket
  }

  /** For a reader that comes back and has missed nothing. */
  goOn(lastId: number): void {
    this.#lastId = lastId
  }

  /** Writes what a reader gets that comes back: `first` before all, then the frames after `lastId` that the log has. */
  resume(lastId: number, first: string): void {
    this.#lastId = lastId
    if (first !== '') this.#write(first)
    this.#readOn()
  }

  /** Durable frames one after the other, the first of this id. */
  deliver(firstId: number, texts: readonly string[]): void {
    // What came from the log meanwhile is known already.
    const known = this.#lastId === null ? 0 : Math.max(0, this.#lastId + 1 - firstId)
    if (known >= texts.length) return
    const text = known === 0 ? texts.join('') : texts.slice(known).join('')
    if (this.#mode === 'live') {
      this.#lastId = firstId + texts.length - 1
      this.#write(text)
      return
    }
    this.#lastId ??= firstId - 1
    // Characters, not bytes: an estimate will do for a bound.
    this.#behindBytes += text.length
    if (this.#behindBytes > BEHIND_BYTES_MAX) this.cut()
  }

  beat(nowMs: TimeMs): void {
    if (nowMs >= this.expiresAtMs) this.end()
    else if (this.#mode === 'live') this.#write(HEARTBEAT)
    else if (this.#mode === 'stalled' && nowMs - this.#stalledMs >= STALLED_MAX_MS) this.cut()
  }

  onWritable(): void {
    if (this.#mode !== 'stalled') return
    this.#mode = 'live'
    if (this.#behindBytes > 0) this.#readOn()
  }

  onClosed(): void {
    this.#over()
  }

  /** From our side, in order. */
  end(): void {
    const socket = this.#socket
    this.#over()
    socket?.end()
  }

  cut(): void {
    const socket = this.#socket
    this.#over()
    socket?.cut()
  }

  #write(text: string): void {
    if (this.#isOver || this.#socket === null || this.#socket.write(text)) return
    this.#mode = 'stalled'
    this.#stalledMs = this.#home.nowMs()
  }

  /** From the log, until nothing newer is there; frames that come meanwhile are found there too. */
  #readOn(): void {
    this.#mode = 'reading'
    this.#behindBytes = 0
    const lastId = this.#lastId ?? 0
    this.#home.framesAfter(this.account, lastId).then(
      (frames) => {
        if (frames === null) this.cut()
        else this.#replay(frames)
      },
      (error: unknown) => {
        this.#home.failed(error)
        this.cut()
      },
    )
  }

  #replay(frames: readonly TextFrame[]): void {
    if (this.#isOver) return
    this.#mode = 'live'
    for (const { id, text } of frames) {
      if (this.#mode !== 'live') {
        // The rest is read again when there is room.
        this.#behindBytes += text.length
        continue
      }
      this.#lastId = id
      this.#write(text)
    }
    if (this.#mode === 'live' && this.#behindBytes > 0) this.#readOn()
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket = null
    this.#home.left(this)
  }
}
