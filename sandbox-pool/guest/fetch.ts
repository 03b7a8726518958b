// Runs inside the virtual machine: the standard `fetch`, over two strings of JSON. It has no socket. Its checks give honest code good
// error texts; the server checks everything again.

import { Signal } from './abort.ts'
import type { AnswerWire, BodyWire, FetchWire, GuestControls, GuestHost } from './host.ts'
import { AnyHeaders, Parameters } from './url.ts'

interface FetchLimits {
  readonly bodyBytesMax: number
  readonly jsonLengthMax: number
}

interface FetchInit {
  readonly method?: unknown
  readonly headers?: unknown
  readonly body?: unknown
  readonly redirect?: unknown
  readonly signal?: unknown
}

interface Waiting {
  readonly resolve: (response: GuestResponse) => void
  readonly reject: (error: Error) => void
}

/** Base64 methods of newer engines, which the compiler's library does not know yet. */
interface Base64Bytes {
  toBase64(): string
}

const { parse, stringify } = JSON
const NativePromise = Promise
const Bytes = Uint8Array
const { isView } = ArrayBuffer
const uncurry = <Arguments extends unknown[], Result>(method: (...given: Arguments) => Result) =>
  Function.prototype.call.bind(method) as unknown as (self: unknown, ...given: Arguments) => Result
const upperCase = uncurry(String.prototype.toUpperCase)
const slice = uncurry(String.prototype.slice)
const hasHeader = uncurry(Headers.prototype.has)
const setHeader = uncurry(Headers.prototype.set)
const appendHeader = uncurry(Headers.prototype.append)
const eachHeader = uncurry(Headers.prototype.forEach)
const parametersText = uncurry(Parameters.prototype.toString)
const encodeText = uncurry(TextEncoder.prototype.encode)
const decodeBytes = uncurry(TextDecoder.prototype.decode)
const toBase64 = uncurry((Uint8Array.prototype as unknown as Base64Bytes).toBase64)
const fromBase64 = (Uint8Array as unknown as { fromBase64(text: string): Uint8Array }).fromBase64.bind(Uint8Array)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function createFetch(
  host: Pick<GuestHost, 'fetch'>,
  limits: FetchLimits,
): { readonly fetch: (input: unknown, init?: FetchInit) => Promise<GuestResponse>; readonly answer: GuestControls['answer'] } {
  const send = host.fetch
  const waiting = { __proto__: null } as unknown as Record<number, Waiting | undefined>
  let last = 0
  return {
    fetch(input, init) {
      return new NativePromise((resolve, reject) => {
        const signal = init?.signal ?? null
        if (signal !== null && !(signal instanceof Signal)) throw new TypeError('fetch: signal must be an AbortSignal')
        signal?.throwIfAborted()
        const request = requestOf(input, init ?? {}, limits)
        const text = stringify(request)
        if (text.length > limits.jsonLengthMax) throw new TypeError('fetch: the request is too large')
        last += 1
        waiting[last] = { resolve, reject }
        const id = last
        // The call continues and still counts, but its answer is ignored.
        signal?.addEventListener('abort', () => {
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
      else call.resolve(new GuestResponse(answer))
    },
  }
}

function requestOf(input: unknown, init: FetchInit, limits: FetchLimits): FetchWire {
  if (init.redirect !== undefined && init.redirect !== 'follow') throw new TypeError('fetch: redirect can only be "follow"')
  const method = init.method === undefined ? 'GET' : upperCase(`${init.method}`)
  const headers = new AnyHeaders(init.headers)
  const [body, type] = bodyOf(init.body, limits.bodyBytesMax)
  if (body !== null && (method === 'GET' || method === 'HEAD')) throw new TypeError(`fetch: a ${method} has no body`)
  if (type !== null && !hasHeader(headers, 'content-type')) setHeader(headers, 'content-type', type)
  const pairs: [string, string][] = []
  eachHeader(headers, (value: string, name: string) => {
    pairs[pairs.length] = [name, value]
  })
  return { method, url: `${input}`, headers: pairs, body }
}

function bodyOf(body: unknown, bytesMax: number): readonly [BodyWire, string | null] {
  if (body === undefined || body === null) return [null, null]
  if (body instanceof ArrayBuffer || isView(body)) {
    const bytes = isView(body) ? new Bytes(body.buffer, body.byteOffset, body.byteLength) : new Bytes(body)
    if (bytes.length > bytesMax) throw tooLarge(bytesMax)
    return [{ base64: toBase64(bytes) as string }, null]
  }
  if (body instanceof Parameters) return [{ text: parametersText(body) }, 'application/x-www-form-urlencoded;charset=UTF-8']
  const text = `${body}`
  if (text.length > bytesMax) throw tooLarge(bytesMax)
  return [{ text }, 'text/plain;charset=UTF-8']
}

function tooLarge(bytesMax: number): TypeError {
  return new TypeError(`fetch: the body is larger than ${bytesMax} bytes`)
}

const BYTE_ORDER_MARK = '\ufeff'

class GuestResponse {
  readonly url: string
  readonly redirected: boolean
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  #body: BodyWire
  #used = false

  constructor({ status, url, redirected, headers, body }: Exclude<AnswerWire, { readonly error: string }>) {
    this.url = url
    this.redirected = redirected
    this.status = status
    this.ok = status >= 200 && status <= 299
    this.headers = new AnyHeaders()
    for (let index = 0; index < headers.length; index++) {
      const pair = headers[index]
      if (pair !== undefined) appendHeader(this.headers, pair[0], pair[1])
    }
    this.#body = body
  }

  get bodyUsed(): boolean {
    return this.#used
  }

  async text(): Promise<string> {
    const body = this.#take()
    if (body === null) return ''
    if ('base64' in body) return decodeBytes(decoder, fromBase64(body.base64))
    return body.text[0] === BYTE_ORDER_MARK ? slice(body.text, 1) : body.text
  }

  async json(): Promise<unknown> {
    return parse(await this.text())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const body = this.#take()
    if (body === null) return new ArrayBuffer(0)
    const bytes = 'base64' in body ? fromBase64(body.base64) : encodeText(encoder, body.text)
    return bytes.buffer as ArrayBuffer
  }

  #take(): BodyWire {
    if (this.#used) throw new TypeError('the body was read before')
    this.#used = true
    const body = this.#body
    this.#body = null
    return body
  }
}
