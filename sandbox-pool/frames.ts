// Frames on a pipe: four bytes of length (unsigned, little endian), then as many bytes. No content can end a frame early.

const LENGTH_BYTES = 4

/** Cuts a stream of bytes into frames, none longer than `bytesMax`. */
export class Frames {
  readonly #bytesMax: number
  #parts: Buffer[] = []
  #held = 0
  /** Length of the current frame; null until it has arrived. */
  #wanted: number | null = null

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Returns the frames that this piece completes. Throws RangeError for a frame that is too long; the stream is then unusable. */
  take(piece: Buffer): Buffer[] {
    this.#parts.push(piece)
    this.#held += piece.length
    const complete: Buffer[] = []
    for (;;) {
      if (this.#wanted === null) {
        if (this.#held < LENGTH_BYTES) return complete
        this.#wanted = this.#cut(LENGTH_BYTES).readUInt32LE()
        if (this.#wanted > this.#bytesMax) throw new RangeError(`a frame of more than ${this.#bytesMax} bytes`)
      }
      if (this.#held < this.#wanted) return complete
      complete.push(this.#cut(this.#wanted))
      this.#wanted = null
    }
  }

  /** Returns the next `size` bytes, which must be buffered. */
  #cut(size: number): Buffer {
    const [first] = this.#parts
    if (first === undefined || first.length < size) this.#parts = [Buffer.concat(this.#parts)]
    const whole = this.#parts[0] as Buffer
    this.#held -= size
    if (whole.length === size) this.#parts.shift()
    else this.#parts[0] = whole.subarray(size)
    return whole.subarray(0, size)
  }
}

/** Returns `content` as one frame. */
export function framed(content: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + content.length)
  frame.writeUInt32LE(content.length)
  frame.set(content, LENGTH_BYTES)
  return frame
}
