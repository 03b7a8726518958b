// The only path from hosted code to the network. Validates the request as untrusted input and passes it to the broker. The broker
// checks addresses; this file limits sizes.
import type { SandboxFetch } from '../engine/actor/ports.ts'
import type { AnswerWire, BodyWire } from './guest/host.ts'
import { FETCH_BODY_BYTES_MAX, FETCH_HEADERS_LENGTH_MAX, FETCH_HEADERS_MAX, FETCH_URL_LENGTH_MAX } from './limits.ts'

export interface FetchRequest {
  readonly method: FetchMethod
  /** At most 8 KB. `new URL` can parse it; it is not checked otherwise. */
  readonly url: string
  /** Unique names in lower case; at most 64 headers and 16 KB in total. The broker decides which headers are sent. */
  readonly headers: Readonly<Record<string, string>>
  /** At most 256 KB; null for none. */
  readonly body: string | Uint8Array | null
  /** Remaining time of the run. */
  readonly withinMs: number
}

export type FetchAnswer =
  | {
      readonly status: number
      /** Address after redirects; absent without redirects. */
      readonly url?: string
      readonly headers: Iterable<readonly [string, string]>
      readonly body: string | Uint8Array
    }
  /** Error text for the merchant's developers. */
  | { readonly error: string }

/** Performs a fetch. The signal fires when the run has ended, so that the answer is not needed any more. */
export type FetchBroker = (request: FetchRequest, signal: AbortSignal) => Promise<FetchAnswer>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type FetchMethod = (typeof METHODS)[number]

export interface FetchWay {
  readonly broker: FetchBroker
  readonly withinMs: number
  readonly signal: AbortSignal
  /** Called when a broker rejects, which is a bug: it should return errors. */
  readonly onUnexpected: (error: unknown) => void
}

/** Performs one fetch of a run. Resolves with the answer for the code and the entry of the run's record. Never rejects. */
export async function fetchFor(
  requestText: string,
  way: FetchWay,
): Promise<{ readonly answer: AnswerWire; readonly record: SandboxFetch }> {
  const startedMs = performance.now()
  const request = readRequest(requestText, way.withinMs)
  const answer = typeof request === 'string' ? { error: request } : await askBroker(request, way)
  const record = {
    method: typeof request === 'string' ? '' : request.method,
    host: typeof request === 'string' ? '' : new URL(request.url).host,
    status: 'error' in answer ? null : answer.status,
    durationMs: Math.round(performance.now() - startedMs),
  }
  return { answer, record }
}

async function askBroker(request: FetchRequest, { broker, signal, onUnexpected }: FetchWay): Promise<AnswerWire> {
  try {
    const answer = await broker(request, signal)
    if ('error' in answer) return answer
    const body = bodyWire(answer.body)
    if (body === 'too_large') return { error: `the answer is larger than ${FETCH_BODY_BYTES_MAX / 1024} KB` }
    const { status, url = withoutFragment(request.url) } = answer
    return { status, url, redirected: answer.url !== undefined, headers: [...answer.headers], body }
  } catch (error) {
    if (!signal.aborted) onUnexpected(error)
    return { error: 'the call failed' }
  }
}

function withoutFragment(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

function bodyWire(body: string | Uint8Array): BodyWire | 'too_large' {
  if (Buffer.byteLength(body) > FETCH_BODY_BYTES_MAX) return 'too_large'
  if (typeof body === 'string') return { text: body }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) }
  } catch {
    // Bytes that are not UTF-8.
    return { base64: Buffer.from(body).toString('base64') }
  }
}

/** Returns the request, or an error text. */
function readRequest(text: string, withinMs: number): FetchRequest | string {
  let wire: Record<string, unknown>
  try {
    wire = JSON.parse(text) as Record<string, unknown>
  } catch {
    // Only code that has modified its own globals causes this.
    return 'the request is unreadable'
  }
  if (typeof wire !== 'object' || wire === null) return 'the request is unreadable'
  const method = METHODS.find((known) => known === wire.method)
  if (method === undefined) return `the method is none of ${METHODS.join(', ')}`
  const { url } = wire
  if (typeof url !== 'string' || url.length > FETCH_URL_LENGTH_MAX || !URL.canParse(url)) return 'the URL is not valid'
  const headers = readHeaders(wire.headers)
  if (typeof headers === 'string') return headers
  const body = readBody(wire.body)
  if (body === undefined) return `the body is not readable or larger than ${FETCH_BODY_BYTES_MAX / 1024} KB`
  return { method, url, headers, body, withinMs }
}

/** RFC 9110: a token, and a value without control characters. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function readHeaders(headers: unknown): Readonly<Record<string, string>> | string {
  if (!Array.isArray(headers) || headers.length > FETCH_HEADERS_MAX) return `there are more than ${FETCH_HEADERS_MAX} headers`
  const read: Record<string, string> = Object.create(null) as Record<string, string>
  let length = 0
  for (const pair of headers as unknown[]) {
    const [name, value] = Array.isArray(pair) ? (pair as unknown[]) : []
    if (typeof name !== 'string' || typeof value !== 'string') return 'a header is unreadable'
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) return `the header ${JSON.stringify(name.slice(0, 100))} is not valid`
    length += name.length + value.length
    read[name.toLowerCase()] = value
  }
  return length > FETCH_HEADERS_LENGTH_MAX ? `the headers are larger than ${FETCH_HEADERS_LENGTH_MAX / 1024} KB` : read
}

/** Returns the body; undefined when it is invalid or too large. */
function readBody(body: unknown): string | Uint8Array | null | undefined {
  if (body === null) return null
  if (typeof body !== 'object') return undefined
  const { text, base64 } = body as Record<string, unknown>
  const read = typeof text === 'string' ? text : typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined
  return read === undefined || Buffer.byteLength(read) > FETCH_BODY_BYTES_MAX ? undefined : read
}
