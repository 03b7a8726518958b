// Runs inside the virtual machine: the standard `fetch` with `Request` and `Response`, over two strings of JSON. It has no socket. Its
// checks give honest code good error texts; the server checks everything again.

import { Controller, Signal } from './abort.ts'
import { uncurry } from './bytes.ts'
import { type BodyContent, BodyHolder, bodyOf, peekBody, type TypedBody, takeBody } from './fetch-body.ts'
import type { AnswerWire, BodyWire, FetchWire, GuestControls, GuestHost } from './host.ts'
import { AnyHeaders } from './url.ts'

interface FetchLimits {
  readonly bodyBytesMax: number
  readonly jsonLengthMax: number
}

interface FetchInit {
  readonly method?: unknown
  readonly headers?: unknown
  readonly body?: unknown
  readonly duplex?: unknown
  readonly redirect?: unknown
  readonly signal?: unknown
}

interface Waiting {
  readonly resolve: (response: GuestResponse) => void
  readonly reject: (error: Error) => void
}

const { parse, stringify } = JSON
const NativePromise = Promise
const upperCase = uncurry(String.prototype.toUpperCase)
const hasHeader = uncurry(Headers.prototype.has)
const setHeader = uncurry(Headers.prototype.set)
const appendHeader = uncurry(Headers.prototype.append)
const eachHeader = uncurry(Headers.prototype.forEach)
const BASE64_GROUP_BYTES = 3
const BASE64_GROUP_LENGTH = 4

export function createFetch(
  host: Pick<GuestHost, 'fetch'>,
  limits: FetchLimits,
): { readonly fetch: (input: unknown, init?: FetchInit) => Promise<GuestResponse>; readonly answer: GuestControls['answer'] } {
  const send = host.fetch
  const waiting = { __proto__: null } as unknown as Record<number, Waiting | undefined>
  let last = 0
  return {
    async fetch(input, init) {
      const request = input instanceof GuestRequest && init === undefined ? input : new GuestRequest(input, init)
      const signal = request.signal
      signal.throwIfAborted()
      const text = stringify(wireOf(request, await takeBody(request, limits.bodyBytesMax), limits))
      if (text.length > limits.jsonLengthMax) throw new TypeError('fetch: the request is too large')
      signal.throwIfAborted()
      return new NativePromise((resolve, reject) => {
        last += 1
        waiting[last] = { resolve, reject }
        const id = last
        // The call continues and still counts, but its answer is ignored.
        signal.addEventListener('abort', () => {
          delete waiting[id]
          reject(signal.reason as Error)
        })
        send(id, text)
      })
    },
    answer(id, text) {
      const call = waiting[id]
      if (call === undefined) return
      delete waiting[id]
      const answer = parse(text) as AnswerWire
      if ('error' in answer) call.reject(new TypeError(`fetch failed: ${answer.error}`))
      else call.resolve(responseOf(answer))
    },
  }
}

let boundaries = 0
function newBoundary(): string {
  boundaries += 1
  return `----formdata-${boundaries}-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`
}

export class GuestRequest extends BodyHolder {
  readonly method: string
  readonly url: string
  readonly redirect = 'follow'
  readonly signal: Signal

  constructor(input: unknown, init: FetchInit = {}) {
    const { redirect, signal } = init
    const base = input instanceof GuestRequest ? input : null
    if (redirect !== undefined && redirect !== 'follow') throw new TypeError('fetch: redirect can only be "follow"')
    if (signal !== undefined && signal !== null && !(signal instanceof Signal)) {
      throw new TypeError('fetch: signal must be an AbortSignal')
    }
    const method = init.method === undefined ? (base?.method ?? 'GET') : upperCase(`${init.method}`)
    const [body, type]: TypedBody = init.body === undefined && base !== null ? [peekBody(base), null] : bodyOf(init.body, newBoundary)
    if (init.body !== undefined && body !== null && 'stream' in body && init.duplex !== 'half') {
      throw new TypeError('fetch: a body that is a stream needs duplex: "half"')
    }
    if (body !== null && (method === 'GET' || method === 'HEAD')) throw new TypeError(`fetch: a ${method} has no body`)
    super(body, new AnyHeaders(init.headers ?? base?.headers))
    if (type !== null && !hasHeader(this.headers, 'content-type')) setHeader(this.headers, 'content-type', type)
    this.method = method
    this.url = base?.url ?? `${input}`
    this.signal = signal ?? base?.signal ?? new Controller().signal
  }

  clone(): GuestRequest {
    return new GuestRequest(this)
  }
}

function wireOf(request: GuestRequest, body: BodyWire, { bodyBytesMax }: FetchLimits): FetchWire {
  if (sizeOf(body) > bodyBytesMax) throw new TypeError(`fetch: the body is larger than ${bodyBytesMax} bytes`)
  const pairs: [string, string][] = []
  eachHeader(request.headers, (value: string, name: string) => {
    pairs[pairs.length] = [name, value]
  })
  return { method: request.method, url: request.url, headers: pairs, body }
}

/** Minimum of the bytes of a body. The server counts the bytes of a text. */
function sizeOf(body: BodyWire): number {
  if (body === null) return 0
  return 'text' in body ? body.text.length : (body.base64.length / BASE64_GROUP_LENGTH - 1) * BASE64_GROUP_BYTES + 1
}

interface ResponseInit {
  readonly status?: unknown
  readonly statusText?: unknown
  readonly headers?: unknown
}

const STATUS_MIN = 200
const STATUS_MAX = 599
const OK_MAX = 299

export class GuestResponse extends BodyHolder {
  readonly type: string = 'default'
  readonly status: number
  readonly statusText: string
  readonly ok: boolean
  readonly url: string = ''
  readonly redirected: boolean = false

  constructor(body: unknown = null, { status = STATUS_MIN, statusText = '', headers }: ResponseInit = {}) {
    const [wire, type] = bodyOf(body, newBoundary)
    super(wire, new AnyHeaders(headers))
    if (type !== null && !hasHeader(this.headers, 'content-type')) setHeader(this.headers, 'content-type', type)
    this.status = Number(status)
    this.statusText = `${statusText}`
    this.ok = this.status >= STATUS_MIN && this.status <= OK_MAX
    if (!(this.status >= STATUS_MIN && this.status <= STATUS_MAX)) throw new RangeError('Response: the status must be 200 to 599')
  }

  static json(value: unknown, init: ResponseInit = {}): GuestResponse {
    const headers = new AnyHeaders(init.headers)
    if (!hasHeader(headers, 'content-type')) setHeader(headers, 'content-type', 'application/json')
    return new GuestResponse(stringify(value), { ...init, headers })
  }

  clone(): GuestResponse {
    const { status, url, redirected, statusText } = this
    return made({ body: peekBody(this), headers: new AnyHeaders(this.headers), status, url, redirected, statusText })
  }
}

function responseOf({ status, url, redirected, headers: pairs, body }: Exclude<AnswerWire, { readonly error: string }>): GuestResponse {
  const headers = new AnyHeaders()
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index]
    if (pair !== undefined) appendHeader(headers, pair[0], pair[1])
  }
  return made({ body, headers, status, url, redirected, statusText: '' })
}

interface Made {
  readonly body: BodyContent
  readonly headers: Headers
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly redirected: boolean
}

/** A response of the network, which may have a status that the constructor refuses. */
class NetworkResponse extends BodyHolder {
  readonly type = 'basic'
  readonly status: number
  readonly statusText: string
  readonly ok: boolean
  readonly url: string
  readonly redirected: boolean

  constructor({ body, headers, status, statusText, url, redirected }: Made) {
    super(body, headers)
    this.status = status
    this.statusText = statusText
    this.ok = status >= STATUS_MIN && status <= OK_MAX
    this.url = url
    this.redirected = redirected
  }
}

const { setPrototypeOf } = Object
const responsePrototype = GuestResponse.prototype

/** Both classes have the same fields, so `instanceof Response` holds for both. */
function made(parts: Made): GuestResponse {
  return setPrototypeOf(new NetworkResponse(parts), responsePrototype) as GuestResponse
}
