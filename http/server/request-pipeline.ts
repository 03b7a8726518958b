// The request pipeline without the socket, shared by the API and the pages that call it: rights, parameters, query, key,
// body, replay, handler, engine. A subclass provides the principal and sends the response.
//
//   1. principal        subclass: credentials of the request, or the session of the page
//   2. checkRights      scope, test-only rule, limit of calls
//   3. checkParams      placeholders of the path
//   4. checkQuery       schema of the query
//   5. checkKey         syntax and presence of the Idempotency-Key
//   6. takeBody         schema of the body; the key gets its scope and fingerprint
//     7. handle           the stored result of the key, or the handler
//     8. submit           the engine; the response leaves when what it shows is durable
import type { AccountNumber, Command, Envelope, IdempotencyKey, Outcome, Reply } from '../../engine/api.ts'
import type { ErrorCode, ErrorDetails } from '../../engine/contract/errors.ts'
import { because } from '../../engine/contract/reasons.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { DEFAULT_LANGUAGE, type Language } from '../text/language.ts'
import { type Multipart, multipartIdentity } from './body/multipart.ts'
import type { PreparedBody } from './body/prepared-body.ts'
import { Fault } from './body/validation.ts'
import { keyOf, knownResult, onceArguments, presentKnown } from './kept-result.ts'
import { fingerprintOf, isIdempotencyKey, withoutFields } from './request-head.ts'
import type { BrowserWords, Call, Header, OpenStream, OutcomeListener, Principal, StreamListener } from './route.ts'
import { forbidden, idempotencyScope } from './route-guards.ts'
import type { Core, Credentials, Endpoint } from './server-context.ts'

export const NO_QUERY: Record<string, unknown> = {}

const NO_PARAMS: readonly string[] = []
const NO_BYTES = Buffer.alloc(0)
const UNKNOWN_CALLER: Principal = { kind: 'public' }
const BAD_KEY = {
  message: 'La clé d’idempotence doit comporter de 1 à 255 caractères ASCII imprimables, sans lettre accentuée.',
}

const BAD_CURSOR = because('cursor')

export abstract class RequestPipeline implements Call, Reply {
  readonly endpoint: Endpoint
  readonly requestId: string
  readonly startedMs = performance.now()
  principal: Principal = UNKNOWN_CALLER
  params = NO_PARAMS
  queryText = ''
  query = NO_QUERY
  body: unknown = undefined
  idempotency: IdempotencyKey | null = null
  /** True when the response replays the result of an earlier request. */
  isReplay = false
  /** True when the engine has taken a command of this request. */
  protected hasSubmitted = false
  /** Seconds until a rejected request may be retried; null when no step set it. */
  protected retryAfterS: number | null = null
  /** Language of error messages. Pages ask in French and choose the words of the whole page. */
  protected language: Language = DEFAULT_LANGUAGE

  abstract readonly accept: string
  abstract readonly lastEventId: string
  abstract readonly ifNoneMatch: string
  abstract readonly acceptEncoding: string
  abstract readonly remoteAddress: string
  abstract readonly isLocal: boolean
  abstract readonly isPrivate: boolean
  abstract readonly isFromNode: boolean
  abstract readonly authorization: string
  abstract readonly browser: BrowserWords
  protected abstract readonly core: Core
  /** False before the log is recovered. */
  protected abstract readonly hasCore: boolean
  /** Path with query, as sent. It is part of the fingerprint. */
  protected abstract readonly target: string
  /** The Idempotency-Key as sent; empty when absent. */
  protected abstract readonly sentKey: string
  protected abstract readonly credentials: Pick<Credentials, 'authorization' | 'cookie'>

  constructor(endpoint: Endpoint, requestId: string) {
    this.endpoint = endpoint
    this.requestId = requestId
  }

  abstract answer(status: number, body: string): void
  abstract answerAs(status: number, body: string | Uint8Array, headers: readonly Header[]): void
  abstract refuse<Code extends ErrorCode>(code: Code, ...details: ErrorDetails<Code>): void
  abstract spend(requests: number): boolean
  abstract stream(headers: readonly Header[], first: string, listener: StreamListener): OpenStream | null
  abstract fail(error: unknown): void
  /** Receives the engine's outcome, once it is durable. */
  abstract settle(outcome: Outcome): void

  submit(command: Command, mailbox: AccountNumber): void {
    this.send({ command, mailbox, idempotency: this.idempotency, requestId: this.requestId }, this)
  }

  adoptKey(scope: string, fallback: string): IdempotencyKey {
    const { secretFields, method } = this.endpoint.route
    assert(secretFields !== undefined, 'what the key stands for is made from the parsed body')
    const fingerprint = fingerprintOf(method, this.target, this.#keyedBody(NO_BYTES))
    this.idempotency = { scope, key: this.sentKey === '' ? fallback : this.sentKey, fingerprint }
    return this.idempotency
  }

  ask(command: Command, mailbox: AccountNumber, onOutcome: (outcome: Outcome) => void): void {
    const settle = (outcome: Outcome): void => {
      try {
        onOutcome(outcome)
      } catch (error) {
        this.fail(error)
      }
    }
    this.send({ command, mailbox, idempotency: null }, { settle })
  }

  once(
    command: Command,
    mailbox: AccountNumber,
    secret: string,
    onOutcome: OutcomeListener,
    key: IdempotencyKey | null = this.idempotency,
  ): void {
    this.send(...onceArguments(this.core, this, { command, mailbox, key, secret, onOutcome }))
  }

  protected send(envelope: Envelope, reply: Reply): void {
    const { core, principal, language } = this
    const spoken = language === 'en' ? { ...envelope, language } : envelope
    const sent = principal.kind === 'operator' ? { ...spoken, operator: principal.operator } : spoken
    const code = core.canWrite() ? core.engine.submit(sent, reply) : 'unavailable'
    if (code === null) this.hasSubmitted = true
    else this.refuse(code)
  }

  protected checkRights(): Fault | null {
    const { principal, startedMs } = this
    const { route } = this.endpoint
    const code = forbidden(route, principal)
    if (code !== null) return new Fault(code)
    const waitS = 'account' in principal ? (route.callLimit?.take(principal.account, startedMs) ?? 0) : 0
    if (waitS === 0) return null
    this.retryAfterS = waitS
    return new Fault('rate_limited')
  }

  /** Checks the path parameters. `params` is null when they could not be decoded. */
  protected checkParams(params: readonly string[] | null): Fault | null {
    if (params === null || !this.endpoint.check.params(params)) return new Fault('not_found')
    this.params = params
    return null
  }

  protected checkQuery(): Fault | null {
    const query = this.endpoint.check.query(this.queryText)
    if (query instanceof Fault) return query
    this.query = query
    return typeof query.cursor === 'string' ? this.#openCursor(query, query.cursor) : null
  }

  sealCursor(place: string): string {
    return this.core.cursors.seal(place, this.#listName())
  }

  /** Replaces the cursor by its place. */
  #openCursor(query: Record<string, unknown>, cursor: string): Fault | null {
    const place = this.core.cursors.open(cursor, this.#listName())
    if (place === null) return new Fault('invalid_parameter', 'cursor', BAD_CURSOR)
    query.cursor = place
    return null
  }

  /** Returns what a cursor is bound to: list, path, caller and filters. The size of a page may change. */
  #listName(): string {
    const { cursor: _, limit: __, ...filters } = this.query
    const scope = idempotencyScope(this.principal)
    return JSON.stringify([this.endpoint.route.operationId, this.params, scope, Object.entries(filters).sort()])
  }

  /** Checks the Idempotency-Key. `count` is how many were sent. */
  protected checkKey(count: number): Fault | null {
    const { idempotency, method } = this.endpoint.route
    // A POST without idempotency rejects a malformed key too, because it is the caller's mistake.
    if (idempotency === 'none' && method !== 'POST') return null
    if (this.sentKey !== '') return isIdempotencyKey(this.sentKey) ? null : new Fault('invalid_request', 'Idempotency-Key', BAD_KEY)
    if (idempotency === 'required') return new Fault('idempotency_key_required')
    // An empty key is rejected. Treated as absent, a retry would run twice.
    return count > 0 ? new Fault('invalid_request', 'Idempotency-Key', BAD_KEY) : null
  }

  /** Checks the body against the schema, then sets the key's scope and fingerprint. */
  protected takeBody(contentType: string, sent: Buffer | PreparedBody): Fault | null {
    const body = this.endpoint.check.body(contentType, sent)
    if (body instanceof Fault) return body
    this.takeParsed(body, sent)
    return null
  }

  protected takeParsed(body: unknown, sent: Buffer | PreparedBody): void {
    this.body = body
    const { sentKey: key, principal, target, credentials } = this
    // A route that answers before recovery has no core and keeps no result.
    if (key === '' || !this.hasCore) return
    const { route } = this.endpoint
    this.idempotency = keyOf(this.core, { route, credentials, principal, key, target }, this.#keyedBody(sent))
  }

  /** Answers from the key's stored result, or calls the handler. */
  protected handle(): void {
    try {
      if (!this.#replay()) this.endpoint.route.handle(this)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Answers without the handler where possible. Returns false when the handler must run. */
  #replay(): boolean {
    const { idempotency, principal } = this
    const { route } = this.endpoint
    // A route that answers before recovery has no core and no idempotency.
    const known = idempotency === null ? null : knownResult(this.core, { route, principal }, idempotency)
    if (known !== null) this.core.engine.whenDurable(() => presentKnown(this.core, route, this, known))
    else if (principal.kind === 'former') this.refuse('unauthorized')
    else return false
    return true
  }

  /** Returns the part of the body that the fingerprint covers. */
  #keyedBody<Sent extends Buffer | PreparedBody>(sent: Sent): Sent | Buffer {
    const { secretFields, bodyType } = this.endpoint.route
    if (bodyType === 'multipart') return multipartIdentity(this.body as Multipart)
    return secretFields === undefined ? sent : withoutFields(this.body as object, secretFields)
  }
}
