// Requests to the API: authentication, idempotency keys that are kept over retries, timeouts, and answers as values or errors.
import { type AnswerHead, ForeignAnswer, headOf, isWorthRetrying, jsonOf, ofType, rejectionOf, retryWish } from './answers.ts'
import { checkedBase } from './checked-options.ts'
import { ATTEMPT_MAX_MS } from './client-limits.ts'
import { type ApiError, ConnectionError } from './errors.ts'
import type { EncodedBody } from './multipart.ts'
import { pause, type RetryOptions, waitMs } from './retry-plan.ts'
import type { AnswerAt, PathOf, Verb } from './types.ts'
import { VERSION } from './version.ts'
import { webCrypto } from './web-crypto.ts'

export interface CauriOptions {
  /** Address of the service, for example `https://pay.example.com`. */
  readonly baseUrl: string
  /** `pk_test_…` or `pk_live_…`; it chooses the environment. */
  readonly publicKey: string
  /** `sk_test_…` or `sk_live_…`. Keep it on your server. */
  readonly secretKey: string
  /** Language of the service's error messages; `fr` without it. */
  readonly language?: 'fr' | 'en'
  /** Time of one attempt. */
  readonly timeoutMs?: number
  readonly retry?: RetryOptions
  /** Called before each attempt of every request, for logs and traces. What a hook throws rejects the call. */
  readonly onRequest?: (request: RequestSent) => void
  /** Called after each attempt, with its answer or its error. */
  readonly onResponse?: (response: ResponseSeen) => void
  /** Called before each wait for another attempt. */
  readonly onRetry?: (retry: Retry) => void
  /** Takes the place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Added to `User-Agent`. */
  readonly userAgent?: string
}

/** One attempt of a request. Secrets and bodies are not part of it. */
export interface RequestSent {
  readonly method: string
  /** Path with its query. */
  readonly path: string
  /** From 1. */
  readonly attempt: number
  readonly idempotencyKey: string | null
}

export interface ResponseSeen extends RequestSent {
  /** Null when no answer came. */
  readonly status: number | null
  readonly requestId: string | null
  readonly durationMs: number
  /** Null after a success. */
  readonly error: ApiError | ConnectionError | null
}

export interface Retry {
  readonly method: string
  readonly path: string
  /** Attempts that have failed, from 1. */
  readonly failures: number
  readonly waitMs: number
  readonly error: ApiError | ConnectionError
}

export interface RequestOptions {
  /** Key of a POST, the same over all attempts. Without it the client makes one. Store it to repeat the request after a crash. */
  readonly idempotencyKey?: string
  /** `X-Request-Id` of every attempt, by which the service's logs name the request. The service makes one without it. */
  readonly requestId?: string
  readonly signal?: AbortSignal
  /** Takes the place of the client's `timeoutMs`. */
  readonly timeoutMs?: number
  /** Called with the head of the answer that the call ends with. */
  readonly onAnswer?: (head: AnswerHead) => void
}

type PathValues = Readonly<Record<string, string | number>>
export type QueryValues = Readonly<Record<string, string | number | boolean | undefined | null>>

interface Call {
  readonly method: Uppercase<Verb>
  /** Path with its query. */
  readonly path: string
  readonly body?: string | EncodedBody
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
}

const KEY = /^[ -~]{1,255}$/

export class Transport {
  readonly #options: CauriOptions
  readonly #baseUrl: string

  constructor(options: CauriOptions) {
    this.#options = options
    this.#baseUrl = checkedBase(options)
  }

  get retry(): RetryOptions {
    return this.#options.retry ?? {}
  }

  get<Path extends PathOf<'get'>>(
    path: Path,
    params: PathValues,
    query: QueryValues,
    options: RequestOptions,
  ): Promise<AnswerAt<'get', Path>> {
    return this.#json({ method: 'GET', path: filled(path, params) + queryText(query) }, options)
  }

  post<Path extends PathOf<'post'>>(
    path: Path,
    params: PathValues,
    body: unknown,
    options: RequestOptions,
    query: QueryValues = {},
  ): Promise<AnswerAt<'post', Path>> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    return this.#json({ method: 'POST', path: filled(path, params) + queryText(query), ...text }, options)
  }

  /** A body of another content type than JSON. */
  postBytes<Path extends PathOf<'post'>>(
    path: Path,
    body: EncodedBody,
    options: RequestOptions,
    query: QueryValues = {},
  ): Promise<AnswerAt<'post', Path>> {
    return this.#json({ method: 'POST', path: path + queryText(query), body }, options)
  }

  put<Path extends PathOf<'put'>>(path: Path, params: PathValues, body: unknown, options: RequestOptions): Promise<AnswerAt<'put', Path>> {
    return this.#json({ method: 'PUT', path: filled(path, params), body: JSON.stringify(body) }, options)
  }

  delete<Path extends PathOf<'delete'>>(path: Path, params: PathValues, options: RequestOptions): Promise<AnswerAt<'delete', Path>> {
    return this.#json({ method: 'DELETE', path: filled(path, params) }, options)
  }

  /** Any path of the API. Throws a TypeError for what is no path below the address. */
  request<Answer>(method: Uppercase<Verb>, path: string, body: unknown, options: RequestOptions): Promise<Answer> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    return this.#json({ method, path: checkedPath(path), ...text }, options)
  }

  /** Opens a GET whose body the caller reads. The timeout ends with the head of the answer. */
  async open(path: string, accept: string, options: RequestOptions, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#attempts({ method: 'GET', path: checkedPath(path), accept, headers }, options, async (response) =>
      ofType(response, accept),
    )
  }

  #json<Answer>(call: Call, options: RequestOptions): Promise<Answer> {
    return this.#attempts(call, options, async (response) => jsonOf(await response.text()) as Answer)
  }

  async #attempts<Answer>(call: Call, options: RequestOptions, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    // PUT, DELETE and GET may be repeated without a key.
    const key = call.method === 'POST' || options.idempotencyKey !== undefined ? await keyOf(options) : null
    const { method, path } = call
    for (let attempt = 1; ; attempt++) {
      const sent: RequestSent = { method, path, attempt, idempotencyKey: key }
      options.signal?.throwIfAborted()
      this.#options.onRequest?.(sent)
      const startedMs = Date.now()
      const outcome = await this.#attempt(call, key, options, read)
      this.#options.onResponse?.(seen(sent, outcome, Date.now() - startedMs))
      // Hooks are called outside of the attempt: what they throw is no lost connection.
      if ('answer' in outcome) {
        options.onAnswer?.(outcome.head)
        return outcome.answer
      }
      const { error } = outcome
      const wait = isWorthRetrying(error) ? waitMs(this.retry, attempt, retryWish(error)) : null
      if (wait === null) throw error
      this.#options.onRetry?.({ method, path, failures: attempt, waitMs: wait, error })
      await pause(wait, options.signal)
    }
  }

  /** Sends the request once. Rejects only with the reason of the caller's signal. */
  async #attempt<Answer>(
    call: Call,
    key: string | null,
    options: RequestOptions,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Outcome<Answer>> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? ATTEMPT_MAX_MS } = options
    const ending = new AbortController()
    let isTimeout = false
    const timer = setTimeout(() => {
      isTimeout = true
      ending.abort()
    }, timeoutMs)
    const onAbort = (): void => ending.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    let isHandedOver = false
    try {
      const response = await this.#send(call, key, options, ending.signal)
      if (!response.ok) return { error: await rejectionOf(response, key) }
      const answer = await read(response)
      // A streamed body stays bound to the caller's signal.
      isHandedOver = (answer as unknown) === response
      return { answer, head: headOf(response, key) }
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason
      // Ends a body that is read no further.
      ending.abort()
      const message = isTimeout ? `no answer within ${timeoutMs} ms` : failureText(cause, this.#baseUrl)
      return { error: new ConnectionError(message, { cause, isTimeout, idempotencyKey: key }) }
    } finally {
      clearTimeout(timer)
      if (!isHandedOver) signal?.removeEventListener('abort', onAbort)
    }
  }

  #send(
    { method, path, body, accept = 'application/json', headers = {} }: Call,
    key: string | null,
    { requestId }: RequestOptions,
    signal: AbortSignal,
  ): Promise<Response> {
    const { publicKey, secretKey, language, userAgent, fetch: send = globalThis.fetch } = this.#options
    const sent = new Headers({ ...headers, Accept: accept, 'X-Api-Key': publicKey, 'X-Api-Secret': secretKey })
    sent.set('User-Agent', userAgent === undefined ? `cauri-node/${VERSION}` : `cauri-node/${VERSION} ${userAgent}`)
    if (language !== undefined) sent.set('Accept-Language', language)
    if (key !== null) sent.set('Idempotency-Key', key)
    if (requestId !== undefined) sent.set('X-Request-Id', requestId)
    if (body !== undefined) sent.set('Content-Type', typeof body === 'string' ? 'application/json' : body.contentType)
    const bytes = typeof body === 'object' ? body.bytes : body
    // A redirect is never followed: another host would get the secret, and a POST would become a GET.
    const redirect = 'manual'
    return send(this.#baseUrl + path, {
      method,
      headers: sent,
      signal,
      redirect,
      ...(bytes === undefined ? {} : { body: bytes as BodyInit }),
    })
  }
}

type Outcome<Answer> = { readonly answer: Answer; readonly head: AnswerHead } | { readonly error: ApiError | ConnectionError }

function seen<Answer>(sent: RequestSent, outcome: Outcome<Answer>, durationMs: number): ResponseSeen {
  if ('answer' in outcome) return { ...sent, durationMs, status: outcome.head.status, requestId: outcome.head.requestId, error: null }
  const { error } = outcome
  const [status, requestId] = error instanceof ConnectionError ? [null, null] : [error.status, error.requestId]
  return { ...sent, durationMs, status, requestId, error }
}

function failureText(cause: unknown, baseUrl: string): string {
  return cause instanceof ForeignAnswer
    ? `${baseUrl} answered with something else than ${cause.wanted}: is the address right?`
    : `the connection to ${baseUrl} failed or was lost`
}

async function keyOf({ idempotencyKey }: RequestOptions): Promise<string> {
  if (idempotencyKey === undefined) return (await webCrypto()).randomUUID()
  // fetch trims header values, so a key with spaces at its ends would become another one.
  if (!KEY.test(idempotencyKey) || idempotencyKey.trim() !== idempotencyKey) {
    throw new TypeError('an idempotencyKey is 1 to 255 printable ASCII characters, without spaces at its ends')
  }
  return idempotencyKey
}

/** Path and query in printable ASCII. Without the slash it would become a part of the host. */
const PATH = /^\/(?!\/)[!-~]*$/

function checkedPath(path: string): string {
  if (!PATH.test(path)) throw new TypeError(`a path begins with one / and has no spaces: ${JSON.stringify(path)}`)
  return path
}

/** Fills `{id}` and the like. */
function filled(path: string, params: PathValues): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} is required`)
    return encodeURIComponent(value)
  })
}

export function queryText(query: QueryValues): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`
}
