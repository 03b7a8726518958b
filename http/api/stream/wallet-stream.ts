// One open stream. It delivers each frame once, in the order of ids. Frames are not buffered for a slow client: they are
// read from the log again when the socket is writable.
import type { AccountNumber, TextFrame } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { OpenStream, StreamListener } from '../../server/route.ts'
import type { HeartbeatReceiver } from './heartbeat-scheduler.ts'
import { BEHIND_BYTES_MAX, STALLED_MAX_MS } from './stream-limits.ts'

/** The wallet of a stream, and the session and token that opened it. */
export interface StreamHolder {
  readonly account: AccountNumber
  /** Device and session of the stream. The stream ends with the session. */
  readonly deviceId: string
  readonly sessionId: string
  /** Expiry of the access token. The stream ends then, so that a stolen token opens no endless stream. */
  readonly expiresAtMs: TimeMs
}

export interface StreamHome {
  /** Resolves to null when there are too many frames. */
  framesAfter(account: AccountNumber, afterId: number): Promise<readonly TextFrame[] | null>
  nowMs(): TimeMs
  /** Called once, when either side has ended the stream. */
  left(stream: WalletStream): void
  failed(error: unknown): void
}

/** Comment line of server-sent events. Clients ignore it. */
const HEARTBEAT = ': heartbeat\n\n'

/** `live`: frames are written at once. `stalled`: the socket is not writable. `reading`: frames are read from the log. */
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
  /** Id of the last written frame. Null for a new client, which starts with any live frame. */
  #lastId: number | null = null
  #stalledMs: TimeMs = 0
  /** Size of the frames that arrived and were not written since the socket was last writable. */
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

  /** Continues for a client that reconnects and has missed no frame. */
  goOn(lastId: number): void {
    this.#lastId = lastId
  }

  /** Resumes for a client that has missed frames: writes `first`, then the frames of the log after `lastId`. */
  resume(lastId: number, first: string): void {
    this.#lastId = lastId
    if (first !== '') this.#write(first)
    this.#readOn()
  }

  /** Writes durable frames with consecutive ids from `firstId` on. */
  deliver(firstId: number, texts: readonly string[]): void {
    // A concurrent read from the log may have delivered some of them.
    const known = this.#lastId === null ? 0 : Math.max(0, this.#lastId + 1 - firstId)
    if (known >= texts.length) return
    const text = known === 0 ? texts.join('') : texts.slice(known).join('')
    if (this.#mode === 'live') {
      this.#lastId = firstId + texts.length - 1
      this.#write(text)
      return
    }
    this.#lastId ??= firstId - 1
    // Counts characters, not bytes: an estimate is enough for a maximum.
    this.#behindBytes += text.length
    if (this.#behindBytes > BEHIND_BYTES_MAX) this.cut()
  }

  heartbeat(nowMs: TimeMs): void {
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

  /** Ends the stream from the server's side, after all written frames. */
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

  /** Reads from the log until no newer frame exists. The read also finds frames that arrive meanwhile. */
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
        // The rest is read again when the socket is writable.
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
