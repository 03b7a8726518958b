// The frames between an HTTP thread and the engine's thread, byte by byte. Each begins with kind, flags, endpoint number,
// slot and generation. A slot is the thread's place for one open request. The generation grows when the slot is used again,
// so that a late frame for the request before is recognized.
import { RequestHead } from '../request-head.ts'
import type { RequestSource } from '../request-source.ts'

export const HEADER_BYTES = 12
const FLAGS_AT = 1
const ENDPOINT_AT = 2
const SLOT_AT = 4
const GENERATION_AT = 8

/** From a thread to the engine. */
export const REQUEST = 1
export const BODY = 2
export const ABORTED = 3
/** The client reads its stream slower than it is written. */
export const BEHIND = 4
export const WRITABLE = 5
export const REFUSED_FRAMING = 6
export const REFUSED_CONNECTION = 7

/** From the engine to a thread. */
export const ANSWER = 1
/** Bytes of an answer whose ANSWER follows. */
export const PART = 2
export const BEGIN = 3
export const CHUNK = 4
export const END = 5
export const CLOSE = 6
export const STOP_LISTENING = 7
export const CLOSE_ALL = 8

/** Flag of BODY. */
export const LAST = 1
/** Flags of ANSWER. */
export const CLOSE_CONNECTION = 1
export const WITHOUT_BODY = 2

/** Flags of REQUEST. */
const PROXIED = 1
const HAS_LENGTH = 2
const IS_CHUNKED = 4

export interface Slot {
  readonly slot: number
  readonly generation: number
}

/** Writes the fixed fields and returns where the rest begins. */
export function putHeader(bytes: Buffer, at: number, kind: number, { slot, generation }: Slot, flags = 0, endpoint = 0): number {
  bytes[at] = kind
  bytes[at + FLAGS_AT] = flags
  bytes.writeUInt16LE(endpoint, at + ENDPOINT_AT)
  bytes.writeUInt32LE(slot, at + SLOT_AT)
  bytes.writeUInt32LE(generation, at + GENERATION_AT)
  return at + HEADER_BYTES
}

export function flagsOf(bytes: Buffer, at: number): number {
  return bytes[at + FLAGS_AT] as number
}

export function endpointOf(bytes: Buffer, at: number): number {
  return bytes.readUInt16LE(at + ENDPOINT_AT)
}

export function slotOf(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + SLOT_AT)
}

export function generationOf(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + GENERATION_AT)
}

const EMPTY = 0
const ASCII = 1
const UTF_8 = 2
const TEXT_OVERHEAD_BYTES = 3
const UTF_8_BYTES_MAX = 3

/** Writes kind, length and bytes of a text, and returns where the next one begins. */
function putText(bytes: Buffer, at: number, text: string): number {
  if (text === '') {
    bytes[at] = EMPTY
    return at + 1
  }
  const sizeBytes = bytes.write(text, at + TEXT_OVERHEAD_BYTES, 'utf8')
  bytes[at] = sizeBytes === text.length ? ASCII : UTF_8
  bytes.writeUInt16LE(sizeBytes, at + 1)
  return at + TEXT_OVERHEAD_BYTES + sizeBytes
}

/** A request as an HTTP thread read it. */
export interface RelayedRequest {
  readonly head: RequestHead
  readonly method: string
  readonly url: string
  readonly query: string
  readonly peer: string
  readonly params: readonly string[]
}

/** Returns the texts of a request in the order of its frame: `DecodedRequest` reads them in this order. */
export function requestTexts({ head, method, url, query, peer, params }: RelayedRequest): string[] {
  // Outside a cluster there is no list of all headers.
  const texts = [method, url, query, peer, head.all.length === 0 ? '' : JSON.stringify(head.all)]
  for (const param of params) texts.push(param)
  texts.push(head.apiKey, head.apiSecret, head.authorization, head.idempotencyKey, head.contentType, head.contentEncoding)
  texts.push(head.contentLength, head.transferEncoding, head.requestId, head.accept, head.ifNoneMatch, head.acceptEncoding)
  texts.push(head.forwardedFor, head.lastEventId, head.host, head.origin, head.cookie, head.fetchSite, head.csrfToken)
  texts.push(head.environment, head.userAgent, head.node, head.repeated)
  return texts
}

/** Returns the most bytes that the frame needs. */
export function requestBytesMax(texts: readonly string[]): number {
  let length = 0
  for (const text of texts) length += text.length
  return HEADER_BYTES + 1 + texts.length * TEXT_OVERHEAD_BYTES + length * UTF_8_BYTES_MAX
}

/** Writes a request and returns its end. */
export function putRequest(
  bytes: Buffer,
  start: number,
  slot: Slot,
  endpoint: number,
  head: RequestHead,
  texts: readonly string[],
): number {
  const flags = (head.proxied ? PROXIED : 0) | (head.contentLengths > 0 ? HAS_LENGTH : 0) | (head.transferEncodings > 0 ? IS_CHUNKED : 0)
  let at = putHeader(bytes, start, REQUEST, slot, flags, endpoint)
  bytes[at++] = Math.min(head.idempotencyKeys, 0xff)
  for (const text of texts) at = putText(bytes, at, text)
  return at
}

/** A request that an HTTP thread relayed. It stays valid, unlike a native one. */
export class DecodedRequest implements RequestSource {
  readonly head = new RequestHead()
  readonly peer: string
  readonly #method: string
  readonly #url: string
  readonly #query: string
  readonly #params: readonly string[]

  constructor(bytes: Buffer, start: number, paramsCount: number) {
    reading = bytes
    position = start + HEADER_BYTES + 1
    this.#method = nextText()
    this.#url = nextText()
    this.#query = nextText()
    this.peer = nextText()
    const allHeaders = nextText()
    if (allHeaders !== '') this.head.all = JSON.parse(allHeaders) as string[]
    this.#params = paramsCount === 0 ? NO_PARAMS : Array.from({ length: paramsCount }, nextText)
    readHeadTexts(this.head)
    const flags = flagsOf(bytes, start)
    this.head.idempotencyKeys = bytes[start + HEADER_BYTES] as number
    this.head.proxied = (flags & PROXIED) !== 0
    this.head.hosts = 1
    this.head.contentLengths = (flags & HAS_LENGTH) === 0 ? 0 : 1
    this.head.transferEncodings = (flags & IS_CHUNKED) === 0 ? 0 : 1
  }

  getMethod(): string {
    return this.#method
  }

  getUrl(): string {
    return this.#url
  }

  getQuery(): string {
    return this.#query
  }

  getParameter(index: number): string | undefined {
    return this.#params[index]
  }
}

const NO_PARAMS: readonly string[] = []
let reading: Buffer = Buffer.alloc(0)
let position = 0

function nextText(): string {
  const kind = reading[position]
  if (kind === EMPTY) {
    position++
    return ''
  }
  const from = position + TEXT_OVERHEAD_BYTES
  position = from + reading.readUInt16LE(position + 1)
  return kind === ASCII ? reading.toString('latin1', from, position) : reading.toString('utf8', from, position)
}

function readHeadTexts(head: RequestHead): void {
  head.apiKey = nextText()
  head.apiSecret = nextText()
  head.authorization = nextText()
  head.idempotencyKey = nextText()
  head.contentType = nextText()
  head.contentEncoding = nextText()
  head.contentLength = nextText()
  head.transferEncoding = nextText()
  head.requestId = nextText()
  head.accept = nextText()
  head.ifNoneMatch = nextText()
  head.acceptEncoding = nextText()
  head.forwardedFor = nextText()
  head.lastEventId = nextText()
  head.host = nextText()
  head.origin = nextText()
  head.cookie = nextText()
  head.fetchSite = nextText()
  head.csrfToken = nextText()
  head.environment = nextText()
  head.userAgent = nextText()
  head.node = nextText()
  head.repeated = nextText()
}
