// All outgoing calls: webhooks, lookups, hosted code's fetch, gateways, key sets. The address is checked before a
// connection. Redirects are not followed, bodies are not decompressed, time and size are bounded. It must never throw
// for what the other side does: each end is an outcome.
import type { LookupFunction, Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { Names } from './names.ts'
import {
  CONNECT_TIMEOUT_MS,
  HEAD_BYTES_MAX,
  IDLE_SOCKET_MAX_MS,
  IDLE_SOCKET_MS,
  SOCKETS_KEPT_MAX,
  TLS_SESSIONS_MAX,
  UNWANTED_BODY_MS,
} from './outbound-limits.ts'
import { type Answered, failureOf, OUTBOUND_FAILURES, OutboundError, type OutboundFailure, type OutboundOutcome } from './outcome.ts'
import type { OutboundRule } from './rules.ts'
import { type Target, targetOf } from './target.ts'

export interface OutboundRequest {
  readonly rule: OutboundRule
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: string | Uint8Array | null
  /** Remaining time of the caller, when less than the rule's. */
  readonly withinMs?: number
  /** Cancels the call: its outcome is `stopped`. */
  readonly signal?: AbortSignal
}

export interface OutboundOptions {
  /** OUTBOUND_ALLOW_PRIVATE. */
  readonly allowPrivate: boolean
  /** Receives an unexpected error, which is a bug. The call still has an outcome. */
  readonly onUnexpected: (error: unknown) => void
  /** `address:port` of name servers; the system's when absent. */
  readonly nameServers?: readonly string[]
  /** Trusted certificate authorities (PEM); the system's when absent. */
  readonly authorities?: string
}

/** Hop-by-hop headers. Callers may not set them (request smuggling). Lower case. */
export const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
])

type Response = Dispatcher.ResponseData

export class OutboundCalls {
  readonly #options: OutboundOptions
  /** Separate pools, so that a connection to an operator's address never serves a merchant's. */
  readonly #names: Readonly<Record<OutboundRule['reach'], Names>>
  readonly #agents: Readonly<Record<OutboundRule['reach'], Agent>>
  #openSockets = 0

  constructor(options: OutboundOptions) {
    this.#options = options
    const { allowPrivate, nameServers } = options
    const servers = nameServers === undefined ? {} : { servers: nameServers }
    this.#names = {
      public: new Names({ reach: allowPrivate ? 'anywhere' : 'public', ...servers }),
      anywhere: new Names({ reach: 'anywhere', ...servers }),
    }
    this.#agents = { public: this.#agent(this.#names.public), anywhere: this.#agent(this.#names.anywhere) }
  }

  get openSockets(): number {
    return this.#openSockets
  }

  /** Makes the call. Never rejects. */
  async call(request: OutboundRequest): Promise<OutboundOutcome> {
    const startedMs = performance.now()
    const durationMs = (): number => Math.round(performance.now() - startedMs)
    const { rule, url, headers } = request
    const target = targetOf(url, rule, this.#options.allowPrivate)
    if (typeof target === 'string') return failed(target, 0)
    if (Object.keys(headers).some((name) => OWN_HEADERS.has(name.toLowerCase()))) return failed('invalid_request', 0)
    const deadline = new Deadline(rule, request.withinMs ?? rule.totalMs)
    const stop = (): void => deadline.stop()
    request.signal?.addEventListener('abort', stop, { once: true })
    try {
      if (request.signal?.aborted === true) throw new OutboundError('stopped')
      const response = await deadline.orAbort(this.#send(request, target, deadline.signal))
      deadline.headIsThere()
      const bytes = await readBody(response, rule)
      const { statusCode: status } = response
      const heads = headersOf(response)
      return { kind: 'answered', status, headers: heads, body: textOf(bytes, heads), bytes, durationMs: durationMs() }
    } catch (error) {
      return failed(this.#failure(error), durationMs())
    } finally {
      request.signal?.removeEventListener('abort', stop)
      deadline.clear()
    }
  }

  /** Ends running calls: their outcome is `stopped`. */
  async close(): Promise<void> {
    for (const names of Object.values(this.#names)) names.close()
    await Promise.all(Object.values(this.#agents).map((agent) => agent.destroy()))
  }

  #send({ rule, method, headers, body }: OutboundRequest, { origin, path }: Target, signal: AbortSignal): Promise<Response> {
    return this.#agents[rule.reach].request({
      origin,
      path,
      method,
      headers: { 'user-agent': 'Cauri/1.0', 'accept-encoding': 'identity', ...headers },
      body,
      signal,
      reset: this.#openSockets >= SOCKETS_KEPT_MAX,
    })
  }

  #failure(error: unknown): OutboundFailure {
    const failure = failureOf(error)
    if (failure !== null) return failure
    this.#options.onUnexpected(error)
    return 'connection_failed'
  }

  #agent(names: Names): Agent {
    const { authorities } = this.#options
    const connector = buildConnector({
      lookup: lookupBy(names),
      timeout: CONNECT_TIMEOUT_MS,
      maxCachedSessions: TLS_SESSIONS_MAX,
      ...(authorities === undefined ? {} : { ca: authorities }),
    } as buildConnector.BuildOptions)
    const connect: buildConnector.connector = (options, done) =>
      connector(options, (...result) => {
        if (result[0] === null) this.#count(result[1])
        done(...result)
      })
    return new Agent({
      connect,
      // Off: each call has exact deadlines, and these timers tick in seconds.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEAD_BYTES_MAX,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: IDLE_SOCKET_MAX_MS,
    })
  }

  #count(socket: Socket): void {
    this.#openSockets++
    socket.once('close', () => {
      this.#openSockets--
    })
  }
}

/**
 * Returns the connection's look-up. The checked addresses are the ones it connects to, so DNS rebinding has no
 * effect.
 */
function lookupBy(names: Names): LookupFunction {
  return (hostname, options, done) => {
    names.addressesOf(hostname).then(
      (found) => {
        const first = found[0] as (typeof found)[number]
        if (options.all === true) done(null, [...found])
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, '', 0),
    )
  }
}

/** Deadline for the head, then for the end. It settles the caller even during connecting. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #endsMs: number
  #timer: NodeJS.Timeout

  constructor({ headMs, totalMs }: OutboundRule, withinMs: number) {
    const leftMs = Math.max(0, Math.min(totalMs, withinMs))
    this.#endsMs = performance.now() + leftMs
    this.#timer = this.#abortAfter(Math.min(headMs, leftMs))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  orAbort<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true })
      promise.then(resolve, reject)
    })
  }

  headIsThere(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#abortAfter(this.#endsMs - performance.now())
  }

  /** Ends the call because the caller cancelled it. */
  stop(): void {
    this.#controller.abort(new OutboundError('stopped'))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }

  #abortAfter(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(new OutboundError('timeout')), delayMs)
  }
}

async function readBody({ body, headers }: Response, { read, answerBytesMax }: OutboundRule): Promise<Buffer> {
  if (read === 'status') return letGo(body, answerBytesMax)
  if (Number(headers['content-length']) > answerBytesMax) {
    await letGo(body, 0)
    throw new OutboundError('answer_too_large')
  }
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity') {
    await letGo(body, 0)
    throw new OutboundError('invalid_answer')
  }
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > answerBytesMax) throw new OutboundError('answer_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a short rest, so that the connection can be reused; a long or slow one closes it. */
async function letGo(body: Response['body'], limit: number): Promise<Buffer> {
  body.on('error', () => {
    // Only the head matters here.
  })
  if (limit === 0) body.destroy()
  else {
    const timer = setTimeout(() => body.destroy(), UNWANTED_BODY_MS)
    await body.dump({ limit })
    clearTimeout(timer)
  }
  return NOTHING
}

const NOTHING = Buffer.alloc(0)

function headersOf({ headers }: Response): Answered['headers'] {
  const all = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== 'set-cookie') all.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return all
}

const LATIN_1 = /;\s*charset="?(?:iso-8859-1|latin1)"?\s*(?:;|$)/i

/** Returns the text of a body: UTF-8 without its byte order mark, or ISO 8859-1 where the server says so. */
function textOf(bytes: Buffer, headers: Answered['headers']): string {
  if (LATIN_1.test(headers.get('content-type') ?? '')) return bytes.toString('latin1')
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

function failed(failure: OutboundFailure, durationMs: number): OutboundOutcome {
  return { kind: 'failed', failure, message: OUTBOUND_FAILURES[failure], durationMs }
}
