// Writes the REQUEST frame, which decoded-request.ts reads: what an HTTP thread read of a request, and the first bytes of its body where they came with the head.
//
//   header                    see frames.ts
//   count of Idempotency-Keys 1 byte
//   fields                    4 bytes: one bit for each text that is not empty
//   lengths                   2 bytes for each shared text that is not empty
//   shared, body              4 bytes each: their sizes
//   own texts, placeholders   each with kind, size and bytes
//   shared texts, body        without anything between
//
// Shared texts and a prepared body become one string that is cut: one call of the decoder for most requests. A cut text keeps
// the whole string alive, so a text that the engine may store is decoded on its own.
import type { RequestHead } from '../request-head.ts'
import { HEADER_BYTES, LAST, putHeader, REQUEST, type Slot } from './frames.ts'

/** Flags of REQUEST, beside LAST. */
export const PROXIED = 2
export const HAS_LENGTH = 4
export const IS_CHUNKED = 8
/** Bytes of the body follow. */
export const HAS_BODY = 16
/** They are the whole body, checked: see `PreparedBody`. */
export const PREPARED = 32
/** They are ASCII. */
export const ASCII_BODY = 64
/** The shared texts are not ASCII. */
export const WIDE = 128

/** A request as an HTTP thread read it. */
export interface RelayedRequest {
  readonly head: RequestHead
  readonly method: string
  readonly url: string
  readonly query: string
  readonly peer: string
  readonly params: readonly string[]
}

/** The first bytes of a body. */
export interface FirstBytes {
  readonly bytes: Buffer
  readonly isLast: boolean
  /** Fingerprint of the request if the body is prepared, empty if it has none; null for a body that is not prepared. */
  readonly fingerprint: string | null
}

export const SHARED_COUNT = 10
export const LENGTH_BYTES = 2
const FIXED_BYTES = HEADER_BYTES + 1 + 4 + SHARED_COUNT * LENGTH_BYTES + 8
export const TEXT_OVERHEAD_BYTES = 3
const UTF_8_BYTES_MAX = 3
const OWN_COUNT = 21

/** Returns the texts that are read as one, in the order of `DecodedRequest`. */
function sharedTexts({ head, method, url, peer }: RelayedRequest, fingerprint: string): string[] {
  const { host, apiKey, apiSecret, apiSecretHash, contentType, contentLength } = head
  return [method, url, peer, host, apiKey, apiSecret, apiSecretHash, contentType, contentLength, fingerprint]
}

/** Returns the texts that are read one by one, in the order of `readOwnTexts`. */
function ownTexts({ head, query }: RelayedRequest): string[] {
  return [
    query,
    // Outside a cluster there is no list of all headers.
    head.all.length === 0 ? '' : JSON.stringify(head.all),
    head.authorization,
    head.idempotencyKey,
    head.contentEncoding,
    head.transferEncoding,
    head.requestId,
    head.accept,
    head.ifNoneMatch,
    head.acceptEncoding,
    head.acceptLanguage,
    head.forwardedFor,
    head.lastEventId,
    head.origin,
    head.cookie,
    head.fetchSite,
    head.csrfToken,
    head.environment,
    head.userAgent,
    head.node,
    head.repeated,
  ]
}

/** A request that is ready to be written. */
export interface RequestFrame {
  readonly shared: readonly string[]
  readonly own: readonly string[]
  readonly request: RelayedRequest
  readonly body: FirstBytes | null
  /** The most bytes that the frame needs. */
  readonly sizeMax: number
}

export function requestFrame(request: RelayedRequest, body: FirstBytes | null): RequestFrame {
  const shared = sharedTexts(request, body?.fingerprint ?? '')
  const own = ownTexts(request)
  let length = 0
  for (const text of shared) length += text.length
  for (const text of own) length += text.length
  for (const text of request.params) length += text.length
  const texts = (OWN_COUNT + request.params.length) * TEXT_OVERHEAD_BYTES + length * UTF_8_BYTES_MAX
  return { shared, own, request, body, sizeMax: FIXED_BYTES + texts + (body?.bytes.byteLength ?? 0) }
}

/** Writes a request and returns its end. */
export function putRequest(bytes: Buffer, start: number, slot: Slot, endpoint: number, frame: RequestFrame): number {
  const { shared, own, request, body } = frame
  const { head, params } = request
  let fields = 0
  let at = start + HEADER_BYTES + 5
  for (let index = 0; index < SHARED_COUNT; index++) {
    const { length } = shared[index] as string
    if (length === 0) continue
    fields |= 1 << index
    at = bytes.writeUInt16LE(length, at)
  }
  const sizesAt = at
  at += 8
  for (let index = 0; index < OWN_COUNT; index++) {
    const text = own[index] as string
    if (text === '') continue
    fields |= 1 << (SHARED_COUNT + index)
    at = putText(bytes, at, text)
  }
  for (const text of params) at = putText(bytes, at, text)
  const text = shared.join('')
  const sharedBytes = bytes.write(text, at, 'utf8')
  at += sharedBytes
  const bodyBytes = body === null ? 0 : body.bytes.copy(bytes, at)
  bytes.writeUInt32LE(sharedBytes, sizesAt)
  bytes.writeUInt32LE(bodyBytes, sizesAt + 4)
  const flags =
    (sharedBytes === text.length ? 0 : WIDE) |
    (head.proxied ? PROXIED : 0) |
    (head.contentLengths > 0 ? HAS_LENGTH : 0) |
    (head.transferEncodings > 0 ? IS_CHUNKED : 0) |
    (body === null ? 0 : bodyFlags(body))
  putHeader(bytes, start, REQUEST, slot, flags, endpoint)
  bytes[start + HEADER_BYTES] = Math.min(head.idempotencyKeys, 0xff)
  bytes.writeUInt32LE(fields, start + HEADER_BYTES + 1)
  return at + bodyBytes
}

function bodyFlags({ bytes, isLast, fingerprint }: FirstBytes): number {
  return HAS_BODY | (isLast ? LAST : 0) | (fingerprint === null ? 0 : PREPARED | (isAscii(bytes) ? ASCII_BODY : 0))
}

/** Loops over small bodies, because a call of `node:buffer` costs more. */
function isAscii(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] as number) > 0x7f) return false
  return true
}

export const ASCII = 1
const UTF_8 = 2

/** Writes kind, length and bytes of a text, and returns where the next one begins. */
function putText(bytes: Buffer, at: number, text: string): number {
  const sizeBytes = bytes.write(text, at + TEXT_OVERHEAD_BYTES, 'utf8')
  bytes[at] = sizeBytes === text.length ? ASCII : UTF_8
  bytes.writeUInt16LE(sizeBytes, at + 1)
  return at + TEXT_OVERHEAD_BYTES + sizeBytes
}
