// One open stream of a merchant: its events as they become durable, after those of the log that the client has missed. A
// slow reader is cut off and resumes by id.
import type { EngineApi, MerchantFrame, MerchantPlace } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { fairWork } from '../../server/fair-work.ts'
import type { OpenStream, StreamListener } from '../../server/route.ts'
import type { HeartbeatReceiver } from './heartbeat-scheduler.ts'
import { MERCHANT_BEHIND_LENGTH_MAX, REPLAY_SLICE_COST, STALLED_MAX_MS } from './stream-limits.ts'

export interface MerchantStreamParts {
  readonly account: number
  readonly engine: Pick<EngineApi, 'query'>
  readonly nowMs: () => TimeMs
  /** Prefix of the types that the stream names, without ids and content; undefined for whole events. */
  readonly namesOf?: string | undefined
  /** False once the key was revoked, or the session has ended. */
  readonly isValid: () => boolean
  /** Called with 1 when a long replay begins, and with -1 when it ends. */
  readonly onReplay: (change: 1 | -1) => void
  /** Called once, when either side has ended the stream. */
  readonly onOver: (stream: MerchantStream) => void
  readonly onFailure: (error: unknown) => void
}

/** Records that the first slice of a replay looks at. */
const FIRST_SPAN = 1024
const BEGINNING: MerchantPlace = { id: 0, position: -1 }
/** Type in the text of a frame. */
const EVENT_TYPE = /^event: (\S+)$/m
const HEARTBEAT = ': heartbeat\n\n'

export class MerchantStream implements StreamListener, HeartbeatReceiver {
  readonly account: number
  slot = 0
  place = 0
  readonly #parts: MerchantStreamParts
  #socket: OpenStream | null = null
  /** Where the stream is in the log: the newest frame that it wrote or skipped. */
  #place: MerchantPlace = BEGINNING
  /** The client has the frames through this id. */
  #skippedThrough = 0
  /** True until the frames of the log that the client has missed are written. */
  #isReplaying = false
  /** True while many frames are replayed. */
  #isLongReplay = false
  /** Characters written while the socket takes nothing. */
  #behind = 0
  #stalledMs: TimeMs | null = null
  #onFree: (() => void) | null = null
  /** Names of changes while the socket takes nothing. */
  readonly #changes = new Set<string>()
  #isOver = false

  constructor(parts: MerchantStreamParts) {
    this.#parts = parts
    this.account = parts.account
  }

  /** Begins behind the account's newest durable frame. */
  begin(socket: OpenStream, newest: MerchantPlace): void {
    this.#socket = socket
    this.#place = newest
  }

  /** Writes what the log holds behind the frame `id`, a slice at a time, until the stream has caught up. */
  resume(id: number, { isLong }: { readonly isLong: boolean }): void {
    this.#isReplaying = true
    if (isLong) this.#parts.onReplay(1)
    this.#isLongReplay = isLong
    this.#replay(id).catch((error: unknown) => {
      this.#parts.onFailure(error)
      this.cut()
    })
  }

  /** Takes the frames of a durable record. A replay reads them from the log. */
  deliver(frames: readonly MerchantFrame[]): void {
    if (this.#isReplaying) return
    for (const frame of frames) if (frame.position > this.#place.position && !this.#isOver) this.#write(frame)
  }

  /** Sends the name of a change or event. It has no id, so a resumed stream does not repeat it. */
  change(name: string): void {
    if (this.#stalledMs === null) this.#send(`event: ${name}\ndata: 1\n\n`)
    else this.#changes.add(name)
  }

  /** Ends the stream when its key or session is no longer valid. */
  check(): void {
    if (!this.#parts.isValid()) this.end()
  }

  heartbeat(nowMs: TimeMs): void {
    if (!this.#parts.isValid()) this.end()
    else if (this.#stalledMs === null) this.#send(HEARTBEAT)
    else if (nowMs - this.#stalledMs >= STALLED_MAX_MS) this.cut()
  }

  onWritable(): void {
    this.#stalledMs = null
    this.#behind = 0
    const changes = [...this.#changes]
    this.#changes.clear()
    for (const name of changes) this.change(name)
    this.#onFree?.()
  }

  onClosed(): void {
    this.#over()
  }

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

  async #replay(id: number): Promise<void> {
    const { engine } = this.#parts
    this.#skippedThrough = id
    // Back from the newest frame, or on from the first one where that is nearer.
    if (id < this.#place.id - id) this.#place = BEGINNING
    while (this.#place.id > id && !this.#isOver) {
      this.#place = engine.query('merchantStream.before', { account: this.account, from: this.#place, id })
      if (this.#place.id > id) await fairWork.turn(this.account, REPLAY_SLICE_COST)
    }
    for (let span = FIRST_SPAN; !this.#isOver; ) {
      const slice = engine.query('merchantStream.after', { account: this.account, after: this.#place.position, span })
      for (const frame of slice.frames) {
        this.#write(frame)
        if (this.#stalledMs !== null) await this.#free()
        if (this.#isOver) return
      }
      this.#place = { id: this.#place.id, position: slice.through }
      if (slice.isEnd && slice.frames.length === 0) break
      if (!slice.isEnd) await fairWork.turn(this.account, REPLAY_SLICE_COST)
      span = slice.span
    }
    this.#endReplay()
  }

  #endReplay(): void {
    this.#isReplaying = false
    if (this.#isLongReplay) this.#parts.onReplay(-1)
    this.#isLongReplay = false
  }

  /** Resolves when the socket takes more, or the stream is over. */
  #free(): Promise<void> {
    return new Promise((resolve) => {
      this.#onFree = () => {
        this.#onFree = null
        resolve()
      }
    })
  }

  #write({ position, text: unnumbered }: MerchantFrame): void {
    const id = this.#place.id + 1
    this.#place = { id, position }
    if (id <= this.#skippedThrough) return
    const { namesOf } = this.#parts
    if (namesOf !== undefined) {
      const type = EVENT_TYPE.exec(unnumbered)?.[1]
      if (type?.startsWith(namesOf) === true) this.change(type)
      return
    }
    const text = `id: ${id}\n${unnumbered}`
    if (this.#stalledMs !== null) this.#behind += text.length
    if (this.#behind > MERCHANT_BEHIND_LENGTH_MAX) this.cut()
    else this.#send(text)
  }

  #send(text: string): void {
    if (this.#socket === null || this.#socket.write(text)) return
    this.#stalledMs ??= this.#parts.nowMs()
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket = null
    this.#endReplay()
    this.#onFree?.()
    this.#parts.onOver(this)
  }
}
