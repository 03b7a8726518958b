// A response whose socket belongs to an HTTP thread. It writes frames; the thread writes the bytes. Unlike a native response it
// is never inside a parser.
import { assert } from '../../../engine/kernel/assert.ts'
import type { PreparedBody } from '../body/prepared-body.ts'
import type { WorkOwner } from '../fair-work.ts'
import { isShared } from '../public-files.ts'
import type { BodyHandler, ResponseSocket } from '../reply.ts'
import type { AnswerQueue, WaitingAnswer } from './answer-queue.ts'
import * as frames from './frames.ts'
import type { Outbox } from './outbox.ts'
import { PART_BYTES, STREAM_WAITING_BYTES_MAX } from './thread-limits.ts'

/** The thread of a socket, as the socket sees it. */
export interface SocketThread {
  readonly outbox: Outbox
  readonly waiting: AnswerQueue
  /** The socket has ended, and its slot is the thread's again. */
  forget(socket: RingSocket): void
  /** A frame waits for room in the ring. `stream` gets `writable` when all have left; null for an answer. */
  isBehind(stream: RingSocket | null): void
}

interface Piece {
  readonly from: number
  readonly to: number
  readonly flags: number
}

const NO_BYTES = new ArrayBuffer(0)
const UTF_8_BYTES_MAX = 3
const LENGTH_BYTES = 4

export class RingSocket implements ResponseSocket, frames.Slot {
  readonly isRelayed = true
  readonly slot: number
  readonly generation: number
  readonly #peer: string
  #thread: SocketThread | null
  /** Whose answer it is. */
  owner: WorkOwner
  #head = ''
  /** Bytes of the stream that were written while the ring had no room. */
  #waitingBytes = 0
  #hasBegun = false
  /** True while the client, or the thread, reads slower than this side writes. */
  #isBehind = false
  #onAborted: (() => void) | null = null
  #onData: BodyHandler | null = null
  #onWritable: (() => boolean) | null = null

  constructor(thread: SocketThread, slot: number, generation: number, peer: string) {
    this.#thread = thread
    this.slot = slot
    this.generation = generation
    this.#peer = peer
    this.owner = peer
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return new Uint8Array(Buffer.from(this.#peer, 'latin1')).buffer as ArrayBuffer
  }

  get peer(): string {
    return this.#peer
  }

  cork(write: () => void): void {
    write()
  }

  onAborted(handler: () => void): void {
    this.#onAborted = handler
  }

  onData(handler: BodyHandler): void {
    this.#onData = handler
  }

  onWritable(handler: () => boolean): void {
    this.#onWritable = handler
  }

  writeStatus(head: string): void {
    this.#head = head
  }

  end(body: string | Uint8Array = '', closeConnection = false): void {
    if (this.#hasBegun) this.#endStream()
    else this.#answer(body, closeConnection ? frames.CLOSE_CONNECTION : 0)
  }

  endWithoutBody(): void {
    this.#answer('', frames.WITHOUT_BODY)
  }

  write(chunk: string): boolean {
    const thread = this.#thread
    if (thread === null) return false
    const bytes = Buffer.from(chunk)
    if (this.#hasBegun) this.#sendParts(thread, frames.CHUNK, bytes, 0)
    else this.#begin(thread, bytes)
    if (!thread.outbox.isBehind) return !this.#isBehind
    this.#isBehind = true
    thread.isBehind(this)
    this.#waitingBytes += bytes.byteLength
    if (this.#waitingBytes > STREAM_WAITING_BYTES_MAX) this.close()
    return false
  }

  close(): void {
    const thread = this.#thread
    if (thread === null) return
    sendNotice(thread.outbox, frames.CLOSE, this)
    if (thread.outbox.isBehind) thread.isBehind(null)
    this.abort()
  }

  /** The thread relayed a part of the body. */
  take(chunk: ArrayBuffer, isLast: boolean): void {
    this.#onData?.(chunk, isLast)
  }

  /** The thread relayed the whole body, checked. */
  takePrepared(body: PreparedBody): void {
    this.#onData?.(NO_BYTES, true, body)
  }

  /** The client has left, or the thread has ended. */
  abort(): void {
    const handler = this.#onAborted
    this.#letGo()
    handler?.()
  }

  /** The client reads slower than this side writes. */
  setBehind(): void {
    this.#isBehind = true
  }

  writable(): void {
    this.#isBehind = false
    this.#waitingBytes = 0
    this.#onWritable?.()
  }

  #answer(body: string | Uint8Array, flags: number): void {
    const thread = this.#thread
    if (thread === null) return
    if (isShared(body)) this.#sendWithHead(thread.outbox, frames.FILE, placeOf(body, this.owner), flags)
    else if (sizeMax(body) <= PART_BYTES && !thread.outbox.isBehind && thread.waiting.isEmpty)
      this.#sendWithHead(thread.outbox, frames.ANSWER, body, flags)
    else return this.#wait(thread, body, flags)
    if (thread.outbox.isBehind) thread.isBehind(null)
    this.#letGo()
  }

  /** The answer leaves in the turn of its owner, as the ring has room. */
  #wait(thread: SocketThread, body: string | Uint8Array, flags: number): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const answer: WaitingAnswer = {
      ...{ owner: this.owner, bytes },
      isWanted: () => this.#thread !== null,
      send: (from, to) => this.#sendPiece(thread, bytes, { from, to, flags }),
    }
    if (!thread.waiting.add(answer)) return this.close()
    thread.waiting.flush()
    thread.isBehind(null)
  }

  #sendPiece({ outbox }: SocketThread, bytes: Uint8Array, { from, to, flags }: Piece): boolean {
    const isLast = to === bytes.byteLength
    const part = bytes.subarray(from, to)
    const size = frames.HEADER_BYTES + part.byteLength + (isLast ? LENGTH_BYTES + this.#head.length : 0)
    const start = outbox.openNow(size)
    if (start < 0) return false
    if (isLast) {
      outbox.close(this.#putWithHead(outbox.bytes, start, frames.ANSWER, part, flags))
      this.#letGo()
    } else {
      const at = frames.putHeader(outbox.bytes, start, frames.PART, this)
      outbox.bytes.set(part, at)
      outbox.close(at + part.byteLength)
    }
    return true
  }

  #begin(thread: SocketThread, first: Uint8Array): void {
    assert(first.byteLength <= PART_BYTES, 'the first chunk of a stream is small')
    this.#hasBegun = true
    this.#sendWithHead(thread.outbox, frames.BEGIN, first, 0)
  }

  #endStream(): void {
    const thread = this.#thread
    if (thread === null) return
    sendNotice(thread.outbox, frames.END, this)
    if (thread.outbox.isBehind) thread.isBehind(null)
    this.#letGo()
  }

  #sendWithHead(outbox: Outbox, kind: number, content: string | Uint8Array, flags: number): void {
    const start = outbox.open(frames.HEADER_BYTES + LENGTH_BYTES + this.#head.length + sizeMax(content))
    outbox.close(this.#putWithHead(outbox.bytes, start, kind, content, flags))
  }

  #putWithHead(bytes: Buffer, start: number, kind: number, content: string | Uint8Array, flags: number): number {
    const head = this.#head
    this.#head = ''
    let at = frames.putHeader(bytes, start, kind, this, flags)
    bytes.writeUInt32LE(head.length, at)
    at += LENGTH_BYTES
    // A head is ASCII, so its length is its size: see reply.ts. One call for both texts.
    if (typeof content === 'string') return at + bytes.write(head + content, at, 'utf8')
    at += bytes.write(head, at, 'latin1')
    bytes.set(content, at)
    return at + content.byteLength
  }

  #sendParts({ outbox }: SocketThread, kind: number, content: Uint8Array, flags: number): void {
    for (let from = 0; from < content.byteLength; from += PART_BYTES) {
      const part = content.subarray(from, from + PART_BYTES)
      const start = outbox.open(frames.HEADER_BYTES + part.byteLength)
      const at = frames.putHeader(outbox.bytes, start, kind, this, flags)
      outbox.bytes.set(part, at)
      outbox.close(at + part.byteLength)
    }
  }

  /** Drops every reference: the thread may keep the slot for a long time. */
  #letGo(): void {
    this.#thread?.forget(this)
    this.#thread = null
    this.#onAborted = null
    this.#onData = null
    this.#onWritable = null
  }
}

export function sendNotice(outbox: Outbox, kind: number, slot: frames.Slot): void {
  const at = outbox.open(frames.HEADER_BYTES)
  outbox.close(frames.putHeader(outbox.bytes, at, kind, slot))
}

/** Returns offset and length of a public file in its memory, and whose turns it takes. */
function placeOf(file: Uint8Array, owner: WorkOwner): Uint8Array {
  const place = Buffer.from('\0'.repeat(frames.PLACE_BYTES) + owner, 'latin1')
  place.writeUInt32LE(file.byteOffset, 0)
  place.writeUInt32LE(file.byteLength, 4)
  return place
}

/** Returns the most bytes that the content needs. */
function sizeMax(content: string | Uint8Array): number {
  return typeof content === 'string' ? content.length * UTF_8_BYTES_MAX : content.byteLength
}
