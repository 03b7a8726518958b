// Reads the REQUEST frame that request-frame.ts describes.
import type { PreparedBody } from '../body/prepared-body.ts'
import { type RareHeaders, RequestHead } from '../request-head.ts'
import type { RequestSource } from '../request-source.ts'
import { flagsOf, HEADER_BYTES, LAST } from './frames.ts'
import {
  ASCII,
  ASCII_BODY,
  HAS_BODY,
  HAS_LENGTH,
  IS_CHUNKED,
  LENGTH_BYTES,
  PREPARED,
  PROXIED,
  SHARED_COUNT,
  TEXT_OVERHEAD_BYTES,
  WIDE,
} from './request-frame.ts'

/** A request that an HTTP thread relayed. It stays valid, unlike a native one. */
export class DecodedRequest implements RequestSource {
  readonly head = new RequestHead()
  readonly peer: string
  /** The body, if it came with the head and is prepared. */
  readonly prepared: PreparedBody | null = null
  /** The first bytes of the body, if they came with the head and are not prepared. */
  readonly chunk: ArrayBuffer | null = null
  /** True when the body ends with them. */
  readonly isLast: boolean
  readonly #method: string
  readonly #url: string
  readonly #query: string
  readonly #params: readonly string[]

  constructor(bytes: Buffer, start: number, paramsCount: number) {
    const flags = flagsOf(bytes, start)
    const { head } = this
    let lengthAt = start + HEADER_BYTES + 5
    const given = bytes.readUInt32LE(start + HEADER_BYTES + 1)
    const sizesAt = lengthAt + LENGTH_BYTES * bitsOf(given & SHARED_FIELDS)
    const sharedBytes = bytes.readUInt32LE(sizesAt)
    const bodyBytes = bytes.readUInt32LE(sizesAt + 4)
    reading = bytes
    position = sizesAt + 8
    fields = given >>> SHARED_COUNT
    this.#query = ownText()
    readOwnTexts(head)
    this.#params = paramsCount === 0 ? NO_PARAMS : Array.from({ length: paramsCount }, nextText)

    const bodyAt = position + sharedBytes
    const isOne = (flags & (WIDE | ASCII_BODY)) === ASCII_BODY
    const text = bytes.toString((flags & WIDE) === 0 ? 'latin1' : 'utf8', position, isOne ? bodyAt + bodyBytes : bodyAt)
    let textAt = 0
    let bit = 1
    const next = (): string => {
      const isGiven = (given & bit) !== 0
      bit <<= 1
      if (!isGiven) return ''
      const from = textAt
      textAt += bytes.readUInt16LE(lengthAt)
      lengthAt += LENGTH_BYTES
      return text.slice(from, textAt)
    }
    this.#method = next()
    this.#url = next()
    this.peer = next()
    head.host = next()
    head.apiKey = next()
    head.apiSecret = next()
    head.apiSecretHash = next()
    head.contentType = next()
    head.contentLength = next()
    const fingerprint = next()

    head.idempotencyKeys = bytes[start + HEADER_BYTES] as number
    head.proxied = (flags & PROXIED) !== 0
    head.hosts = 1
    head.contentLengths = (flags & HAS_LENGTH) === 0 ? 0 : 1
    head.transferEncodings = (flags & IS_CHUNKED) === 0 ? 0 : 1
    this.isLast = (flags & LAST) !== 0
    if ((flags & PREPARED) !== 0) {
      const body = isOne ? text.slice(textAt) : bytes.toString('utf8', bodyAt, bodyAt + bodyBytes)
      this.prepared = { text: body, sizeBytes: bodyBytes, fingerprint }
    } else if ((flags & HAS_BODY) !== 0) this.chunk = copyOf(bytes, bodyAt, bodyAt + bodyBytes)
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

/** Copies bytes of the ring: a handler may keep them, and code that takes an ArrayBuffer gets no shared memory. */
export function copyOf(bytes: Buffer, from: number, to: number): ArrayBuffer {
  const chunk = new Uint8Array(to - from)
  chunk.set(bytes.subarray(from, to))
  return chunk.buffer
}

const NO_PARAMS: readonly string[] = []
const SHARED_FIELDS = (1 << SHARED_COUNT) - 1
let reading: Buffer = Buffer.alloc(0)
let position = 0
/** Fields of the own texts that are left, the next one in the lowest bit. */
let fields = 0

function bitsOf(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count++
  return count
}

function ownText(): string {
  const isGiven = (fields & 1) !== 0
  fields >>>= 1
  return isGiven ? nextText() : ''
}

function nextText(): string {
  const kind = reading[position]
  const from = position + TEXT_OVERHEAD_BYTES
  position = from + reading.readUInt16LE(position + 1)
  return kind === ASCII ? reading.toString('latin1', from, position) : reading.toString('utf8', from, position)
}

/** Reads the next text. */
function setRare(head: RequestHead, name: keyof RareHeaders): void {
  const text = ownText()
  if (text !== '') head.ownRare[name] = text
}

function readOwnTexts(head: RequestHead): void {
  const allHeaders = ownText()
  if (allHeaders !== '') head.all = JSON.parse(allHeaders) as string[]
  head.authorization = ownText()
  head.idempotencyKey = ownText()
  setRare(head, 'contentEncoding')
  setRare(head, 'transferEncoding')
  head.requestId = ownText()
  head.accept = ownText()
  setRare(head, 'ifNoneMatch')
  head.acceptEncoding = ownText()
  head.acceptLanguage = ownText()
  setRare(head, 'forwardedFor')
  setRare(head, 'lastEventId')
  setRare(head, 'origin')
  setRare(head, 'cookie')
  setRare(head, 'fetchSite')
  setRare(head, 'csrfToken')
  setRare(head, 'environment')
  head.userAgent = ownText()
  setRare(head, 'node')
  setRare(head, 'repeated')
}
