// One open stream of a merchant: its events as they become durable, after those of the log that the client has missed. A
// slow reader is cut off and resumes by id.
import type { EngineApi, EventSequences, MerchantFrame } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { OpenStream, StreamListener } from '../../server/route.ts'
import type { HeartbeatReceiver } from './heartbeat-scheduler.ts'
import type { MerchantChange } from './merchant-changes.ts'
import { MERCHANT_BEHIND_LENGTH_MAX, STALLED_MAX_MS } from './stream-limits.ts'

export interface MerchantStreamParts {
  readonly account: number
  readonly engine: Pick<EngineApi, 'query'>
  readonly nowMs: () => TimeMs
  /** False once the key was revoked, or the session has ended. */
  readonly isValid: () => boolean
  /** Called once, when either side has ended the stream. */
  readonly onOver: (stream: MerchantStream) => void
  readonly onFailure: (error: unknown) => void
}

const HEARTBEAT = ': heartbeat\n\n'

export class MerchantStream implements StreamListener, HeartbeatReceiver {
  readonly account: number
  slot = 0
  place = 0
  readonly #parts: MerchantStreamParts
  #socket: OpenStream | null = null
  #lastId = 0
  /** Frames that came while the log is read; null when it is not. */
  #held: MerchantFrame[] | null = null
  /** Characters of held frames, or written while the socket takes nothing. */
  #behind = 0
  #stalledMs: TimeMs | null = null
  #onFree: (() => void) | null = null
  /** Changes while the socket takes nothing. */
  readonly #changes = new Set<MerchantChange>()
  #isOver = false

  constructor(parts: MerchantStreamParts) {
    this.#parts = parts
    this.account = parts.account
  }

  begin(socket: OpenStream): void {
    this.#socket = socket
  }

  /** Writes what the log holds after `lastId`, then what came meanwhile. */
  resume(lastId: number): void {
    this.#lastId = lastId
    this.#held = []
    this.#replay().catch((error: unknown) => {
      this.#parts.onFailure(error)
      this.cut()
    })
  }

  /** Takes the frames of a durable record. */
  deliver(frames: readonly MerchantFrame[]): void {
    for (const frame of frames) {
      if (frame.id <= this.#lastId || this.#isOver) continue
      if (this.#held === null) this.#write(frame)
      else this.#hold(frame)
    }
  }

  /** Sends the name of a change. It has no id, so a resumed stream does not repeat it. */
  change(name: MerchantChange): void {
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
    if (this.#held === null) this.#behind = 0
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

  async #replay(): Promise<void> {
    const { engine } = this.#parts
    for (const sequence of await this.#missed()) {
      for (const frame of engine.query('merchantStream.framesOf', { account: this.account, sequence })) {
        if (frame.id <= this.#lastId) continue
        if (this.#isOver) return
        this.#write(frame)
        if (this.#stalledMs !== null) await this.#free()
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    const held = this.#held ?? []
    this.#held = null
    this.#behind = 0
    this.deliver(held)
  }

  /** Returns the sequences of records with events after the last frame, oldest first. Other work runs between two slices. */
  async #missed(): Promise<readonly number[]> {
    const { engine } = this.#parts
    const after = this.#lastId
    const sequences: number[] = []
    for (let below: number | null = null; !this.#isOver; ) {
      const slice: EventSequences = engine.query('merchantStream.sequences', { account: this.account, after, below })
      for (const sequence of slice.sequences) if (sequences.at(-1) !== sequence) sequences.push(sequence)
      if (slice.next === null) break
      below = slice.next
      await new Promise((resolve) => setImmediate(resolve))
    }
    return sequences.reverse()
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

  #hold(frame: MerchantFrame): void {
    this.#behind += frame.text.length
    if (this.#behind > MERCHANT_BEHIND_LENGTH_MAX) this.cut()
    else this.#held?.push(frame)
  }

  #write({ id, text }: MerchantFrame): void {
    this.#lastId = id
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
    this.#held = []
    this.#onFree?.()
    this.#parts.onOver(this)
  }
}
