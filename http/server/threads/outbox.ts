// Sends frames through a ring and wakes the reader. Frames that find no room wait in order; the owner calls `flush` in
// each turn of its event loop until none waits.
import { type RingReader, RingWriter } from './byte-ring.ts'

interface WaitingFrame {
  readonly bytes: Buffer
  /** Bytes that count against the maximum of `tryOpen`; 0 for other frames. */
  readonly boundedBytes: number
}

export class Outbox {
  /** Where the frame that `open` reserved is written. */
  bytes: Buffer
  readonly #ring: RingWriter
  readonly #wake: () => void
  readonly #waiting: WaitingFrame[] = []
  #waitingBytes = 0
  #boundedBytes = 0
  #isWaiting = false
  #isBounded = false
  #at = 0

  /** `wake` is called when a frame is there and the reader sleeps. */
  constructor(memory: SharedArrayBuffer, wake: () => void) {
    this.#ring = new RingWriter(memory)
    this.#wake = wake
    this.bytes = this.#ring.bytes
  }

  get frameBytesMax(): number {
    return this.#ring.frameBytesMax
  }

  /** Bytes of frames that wait for room. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  get isBehind(): boolean {
    return this.#waiting.length > 0
  }

  /** Returns where in `bytes` a frame of up to `sizeBytes` is written. `close` sends it. */
  open(sizeBytes: number): number {
    this.#at = this.isBehind ? -1 : this.#ring.reserve(sizeBytes)
    this.#isWaiting = this.#at < 0
    this.#isBounded = false
    if (!this.#isWaiting) return this.#at
    this.bytes = Buffer.allocUnsafe(sizeBytes)
    this.#at = 0
    return 0
  }

  /** Returns where a frame of up to `sizeBytes` is written now; -1, and nothing is reserved, when it would wait. */
  openNow(sizeBytes: number): number {
    if (this.isBehind) return -1
    this.#at = this.#ring.reserve(sizeBytes)
    this.#isWaiting = false
    this.#isBounded = false
    return this.#at
  }

  /** Same as `open`; -1, and nothing is reserved, when the frame would wait with more than `boundedBytesMax` of such frames. */
  tryOpen(sizeBytes: number, boundedBytesMax: number): number {
    const at = this.open(sizeBytes)
    this.#isBounded = true
    if (!this.#isWaiting || this.#boundedBytes + sizeBytes <= boundedBytesMax) return at
    this.bytes = this.#ring.bytes
    return -1
  }

  /** Sends the frame, which ends before `end` in `bytes`. */
  close(end: number): void {
    const sizeBytes = end - this.#at
    if (this.#isWaiting) {
      const boundedBytes = this.#isBounded ? sizeBytes : 0
      this.#waiting.push({ bytes: this.bytes.subarray(0, sizeBytes), boundedBytes })
      this.#waitingBytes += sizeBytes
      this.#boundedBytes += boundedBytes
      this.bytes = this.#ring.bytes
      return
    }
    this.#ring.commit(sizeBytes)
    if (this.#ring.mustWake()) this.#wake()
  }

  /** Moves waiting frames to the ring. Returns true when none waits any more. */
  flush(): boolean {
    let sent = 0
    for (const { bytes, boundedBytes } of this.#waiting) {
      const at = this.#ring.reserve(bytes.byteLength)
      if (at < 0) break
      bytes.copy(this.#ring.bytes, at)
      this.#ring.commit(bytes.byteLength)
      this.#waitingBytes -= bytes.byteLength
      this.#boundedBytes -= boundedBytes
      sent++
    }
    if (sent === 0) return !this.isBehind
    this.#waiting.splice(0, sent)
    if (this.#ring.mustWake()) this.#wake()
    return !this.isBehind
  }
}

/** Calls `take` for at most `framesMax` frames. Returns how many there were. */
export function readFrames(reader: RingReader, framesMax: number, take: (bytes: Buffer, at: number, end: number) => void): number {
  let count = 0
  while (count < framesMax && reader.next()) {
    count++
    take(reader.bytes, reader.at, reader.at + reader.sizeBytes)
    reader.release()
  }
  return count
}
