// Writes the answers and streams that come from the engine's thread to native responses, always outside the native parser.
import { fairWork } from '../fair-work.ts'
import type { HttpResponse } from '../native.ts'
import { endPaced, PACED_PIECE_BYTES } from '../paced-body.ts'
import { SHORT_BYTES } from '../server-limits.ts'
import * as frames from './frames.ts'
import type { RelayedRequest } from './request-frame.ts'

/** An open request, or a free place for one. */
export class Exchange {
  readonly slot: number
  generation = 0
  response: HttpResponse | null = null
  /** The request, while it waits for the first bytes of its body. */
  held: RelayedRequest | null = null
  /** True when this thread answers, because the ring is full. */
  isRefused = false
  /** Bytes of an answer that is not complete. */
  parts: Uint8Array[] | null = null
  isStream = false
  isBehind = false

  constructor(slot: number) {
    this.slot = slot
  }
}

export interface ExchangeOwner {
  /** Frees the slot, before its last bytes are written. */
  release(exchange: Exchange): void
  notify(kind: number, exchange: Exchange): void
}

export class ThreadAnswers {
  readonly #owner: ExchangeOwner
  /** The memory of public files. */
  readonly #files: SharedArrayBuffer

  constructor(owner: ExchangeOwner, files: SharedArrayBuffer) {
    this.#owner = owner
    this.#files = files
  }

  /** Takes one frame for an open request. */
  take(exchange: Exchange, response: HttpResponse, bytes: Buffer, at: number, end: number): void {
    const content = at + frames.HEADER_BYTES
    switch (bytes[at]) {
      case frames.ANSWER: {
        const payload = bytes.subarray(content + 4 + bytes.readUInt32LE(content), end)
        const whole = exchange.parts === null ? payload : Buffer.concat([...exchange.parts, payload])
        this.#owner.release(exchange)
        return sendWhole(response, headOf(bytes, content), { payload: whole, owner: '' }, frames.flagsOf(bytes, at))
      }
      case frames.PART:
        // Copied because the ring is written again.
        exchange.parts ??= []
        exchange.parts.push(Buffer.from(bytes.subarray(content, end)))
        return
      case frames.FILE: {
        const place = content + 4 + bytes.readUInt32LE(content)
        const payload = Buffer.from(this.#files, bytes.readUInt32LE(place), bytes.readUInt32LE(place + 4))
        const owner = bytes.toString('latin1', place + frames.PLACE_BYTES, end)
        this.#owner.release(exchange)
        return sendWhole(response, headOf(bytes, content), { payload, owner }, frames.flagsOf(bytes, at))
      }
      case frames.BEGIN:
        exchange.isStream = true
        response.cork(() => {
          response.writeStatus(headOf(bytes, content))
          response.write(bytes.subarray(content + 4 + bytes.readUInt32LE(content), end))
        })
        response.onWritable(() => this.#onWritable(exchange))
        return
      case frames.CHUNK:
        return this.#write(exchange, response, bytes.subarray(content, end))
      case frames.END:
        this.#owner.release(exchange)
        response.cork(() => response.end())
        return
      default:
        this.#owner.release(exchange)
        response.close()
    }
  }

  #write(exchange: Exchange, response: HttpResponse, chunk: Uint8Array): void {
    let isTaken = true
    response.cork(() => {
      isTaken = response.write(chunk)
    })
    if (isTaken || exchange.isBehind || exchange.response === null) return
    exchange.isBehind = true
    this.#owner.notify(frames.BEHIND, exchange)
  }

  #onWritable(exchange: Exchange): boolean {
    if (exchange.isBehind) {
      exchange.isBehind = false
      this.#owner.notify(frames.WRITABLE, exchange)
    }
    return true
  }
}

function headOf(bytes: Buffer, at: number): Uint8Array {
  return bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at))
}

/** A body, and whose turns it takes when it is large. */
interface SentBody {
  readonly payload: Uint8Array
  readonly owner: string
}

let sendingTo: HttpResponse | null = null
let sendingHead: Uint8Array
let sendingBody: SentBody
let sendingFlags = 0

/** Shares its closure between answers. */
function sendWhole(response: HttpResponse, head: Uint8Array, body: SentBody, flags: number): void {
  sendingTo = response
  sendingHead = head
  sendingBody = body
  sendingFlags = flags
  response.cork(send)
}

function send(): void {
  const response = sendingTo as HttpResponse
  sendingTo = null
  response.writeStatus(sendingHead)
  const { payload } = sendingBody
  const closesConnection = (sendingFlags & frames.CLOSE_CONNECTION) !== 0
  if ((sendingFlags & frames.WITHOUT_BODY) !== 0) response.endWithoutBody()
  // A smaller payload is a part of the ring, which is written again.
  else if (payload.byteLength > PACED_PIECE_BYTES) endPaced(response, { ...sendingBody, closesConnection })
  else {
    if (payload.byteLength <= SHORT_BYTES) fairWork.sawShort()
    response.end(payload, closesConnection)
  }
}
