// Single-producer single-consumer queue of byte frames in shared memory. One thread writes, one thread reads; neither
// waits for the other. A frame is contiguous, so that it is read in place.
//
// Layout: control words, then the data. Head and tail count bytes modulo 2^32, each in a cache line of its own. A frame is a
// length word and its bytes, padded to four. A frame that does not fit before the end begins at the start, behind a SKIP word. The
// head is published last by an atomic store, so the reader sees a frame whole or not at all.
import { assert } from '../../../engine/kernel/assert.ts'

const HEAD = 0
const TAIL = 16
const ASLEEP = 32
const CONTROL_BYTES = 192
const WORD_BYTES = 4
const SKIP = 0xffff_ffff
const CAPACITY_MIN = 64

/** Returns shared memory for a ring. `capacityBytes` is a power of two. */
export function newRingMemory(capacityBytes: number): SharedArrayBuffer {
  assert(capacityBytes >= CAPACITY_MIN && (capacityBytes & (capacityBytes - 1)) === 0, 'the capacity of a ring is a power of two')
  return new SharedArrayBuffer(CONTROL_BYTES + capacityBytes)
}

/** Returns the maximum size of a frame. A frame of this size fits an empty ring at any position. */
export function frameBytesMax(capacityBytes: number): number {
  return capacityBytes / 2 - 2 * WORD_BYTES
}

class RingView {
  readonly capacity: number
  readonly control: Int32Array
  readonly bytes: Buffer
  readonly words: Uint32Array

  constructor(memory: SharedArrayBuffer) {
    this.capacity = memory.byteLength - CONTROL_BYTES
    this.control = new Int32Array(memory, 0, CONTROL_BYTES / WORD_BYTES)
    this.bytes = Buffer.from(memory, CONTROL_BYTES, this.capacity)
    this.words = new Uint32Array(memory, CONTROL_BYTES, this.capacity / WORD_BYTES)
  }

  load(word: number): number {
    return Atomics.load(this.control, word) >>> 0
  }
}

export class RingWriter {
  /** The data of the ring. Only the reserved part may be written. */
  readonly bytes: Buffer
  readonly frameBytesMax: number
  readonly #ring: RingView
  #head: number
  #tail: number
  #reservedBytes = -1

  constructor(memory: SharedArrayBuffer) {
    this.#ring = new RingView(memory)
    this.bytes = this.#ring.bytes
    this.frameBytesMax = frameBytesMax(this.#ring.capacity)
    this.#head = this.#ring.load(HEAD)
    this.#tail = this.#ring.load(TAIL)
  }

  /** Returns where a frame of up to `sizeBytes` may be written; -1 when there is no room. The frame exists after `commit`. */
  reserve(sizeBytes: number): number {
    const { capacity, words } = this.#ring
    assert(sizeBytes <= this.frameBytesMax, 'a frame fits the ring')
    const need = frameBytes(sizeBytes)
    const at = this.#head & (capacity - 1)
    const toEnd = capacity - at
    const total = need <= toEnd ? need : toEnd + need
    if (total > this.#free()) {
      this.#tail = this.#ring.load(TAIL)
      if (total > this.#free()) return -1
    }
    this.#reservedBytes = sizeBytes
    if (need <= toEnd) return at + WORD_BYTES
    words[at / WORD_BYTES] = SKIP
    this.#head = (this.#head + toEnd) >>> 0
    return WORD_BYTES
  }

  /** Publishes the reserved frame with its first `sizeBytes` bytes. */
  commit(sizeBytes: number): void {
    assert(sizeBytes >= 0 && sizeBytes <= this.#reservedBytes, 'a frame is reserved before it is committed')
    const { capacity, words, control } = this.#ring
    words[(this.#head & (capacity - 1)) / WORD_BYTES] = sizeBytes
    this.#head = (this.#head + frameBytes(sizeBytes)) >>> 0
    this.#reservedBytes = -1
    Atomics.store(control, HEAD, this.#head | 0)
  }

  /** Returns true when the reader sleeps. The caller must then wake it; the next call returns false. */
  mustWake(): boolean {
    const { control } = this.#ring
    return Atomics.load(control, ASLEEP) === 1 && Atomics.exchange(control, ASLEEP, 0) === 1
  }

  #free(): number {
    return this.#ring.capacity - ((this.#head - this.#tail) >>> 0)
  }
}

export class RingReader {
  /** The data of the ring. */
  readonly bytes: Buffer
  /** Position and size of the present frame, after `next`. */
  at = 0
  sizeBytes = 0
  readonly #ring: RingView
  #head: number
  #tail: number
  #next: number

  constructor(memory: SharedArrayBuffer) {
    this.#ring = new RingView(memory)
    this.bytes = this.#ring.bytes
    this.#head = this.#ring.load(HEAD)
    this.#tail = this.#ring.load(TAIL)
    this.#next = this.#tail
  }

  /** Moves to the next frame. Returns false when there is none. */
  next(): boolean {
    if (this.#tail === this.#head) {
      this.#head = this.#ring.load(HEAD)
      if (this.#tail === this.#head) return false
    }
    const { capacity, words } = this.#ring
    let at = this.#tail & (capacity - 1)
    let sizeBytes = words[at / WORD_BYTES] as number
    let next = this.#tail
    if (sizeBytes === SKIP) {
      next = (next + capacity - at) >>> 0
      at = 0
      sizeBytes = words[0] as number
    }
    this.at = at + WORD_BYTES
    this.sizeBytes = sizeBytes
    this.#next = (next + frameBytes(sizeBytes)) >>> 0
    return true
  }

  /** Gives the memory of the present frame back to the writer. */
  release(): void {
    this.#tail = this.#next
    Atomics.store(this.#ring.control, TAIL, this.#tail | 0)
  }

  /** Declares that the reader sleeps. Returns false, and does not declare it, when there is a frame. */
  sleep(): boolean {
    const { control } = this.#ring
    Atomics.store(control, ASLEEP, 1)
    if (this.#ring.load(HEAD) === this.#tail) return true
    Atomics.store(control, ASLEEP, 0)
    return false
  }
}

function frameBytes(sizeBytes: number): number {
  return WORD_BYTES + ((sizeBytes + WORD_BYTES - 1) & -WORD_BYTES)
}
