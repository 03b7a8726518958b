// Holds every answer against the document that the server itself serves: status, content type, headers, body, error code.

import assert from 'node:assert/strict'
import { ERRORS, type ErrorCode, isErrorCode } from '../../engine/contract/errors.ts'
import type { JsonObject } from '../../http/openapi/openapi-schemas.ts'
import { ERROR_MESSAGES } from '../../http/text/error-messages.ts'
import { acceptedLanguage } from '../../http/text/language.ts'
import { FRENCH } from './french-words.ts'
import { closed, DocumentSchemas } from './json-schema.ts'
import { outcomeStatus } from './outcome-status.ts'

export interface SeenAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface SeenRequest {
  readonly method: string
  /** Without query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

interface HeaderObject {
  readonly required?: boolean
  readonly schema: JsonObject
}

interface Media {
  readonly schema: JsonObject
  /** Named by the codes that the answer may have, where it is an error. */
  readonly examples?: Readonly<Record<string, unknown>>
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject>>
  readonly content?: Readonly<Record<string, Media>>
  readonly 'x-alternative-content'?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, ResponseObject>>
}

interface ErrorBody {
  readonly code?: string
  readonly message?: string
  readonly request_id?: string
}

type PathItem = Readonly<Record<string, Operation>>

/** Headers that belong to HTTP and not to this API. */
const COMMON_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'content-type',
  'cache-control',
  'x-content-type-options',
])
/** What transport and content rules may add to any answer. */
const KNOWN_HEADERS = new Set([
  ...[
    'content-disposition',
    'allow',
    'x-request-id',
    'idempotency-key',
    'www-authenticate',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ],
  // Errors have a language.
  'vary',
  // Asks proxies not to buffer a stream.
  'x-accel-buffering',
])

/** `rate_limited`: the daily budget of log bytes has a sentence of its own; `items_required`: so has an empty group. */
const OWN_MESSAGES: ReadonlySet<string> = new Set([
  'invalid_csv',
  'items_required',
  'invalid_request',
  'invalid_parameter',
  'rate_limited',
  'limit_exceeded',
  'lookup_failed',
  'invalid_lookup_code',
  'invalid_fulfillment_code',
])

/** Each answer names its reason. */
const REASONED: ReadonlySet<string> = new Set(['invalid_request', 'invalid_parameter'])
/** Their messages are a merchant's, or quote its code. */
const OF_MERCHANTS: ReadonlySet<string> = new Set(['lookup_failed', 'invalid_lookup_code', 'invalid_fulfillment_code'])

const ERROR_BODY: JsonObject = { $ref: '#/components/schemas/ErrorBody' }

/** What is made of a document once: its schemas take longer to compile than most answers to check. */
export class CompiledDocument {
  readonly schemas: DocumentSchemas
  readonly closed: DocumentSchemas
  readonly paths: readonly { readonly pattern: RegExp; readonly item: PathItem }[]
  readonly operations: ReadonlyMap<string, Operation>
  /** Of the document's schemas of answers, each closed. */
  readonly #closedSchemas = new WeakMap<JsonObject, JsonObject>()

  constructor(document: JsonObject) {
    const { schemas } = document.components as { readonly schemas: JsonObject }
    // References of schemas lead to schemas alone.
    this.schemas = new DocumentSchemas({ components: { schemas } })
    this.closed = new DocumentSchemas({ components: { schemas: closed(schemas) as JsonObject } })
    const paths = resolve(document.paths, document) as Record<string, PathItem>
    this.paths = Object.entries(paths)
      .sort(([one], [other]) => placeholders(one) - placeholders(other))
      .map(([path, item]) => ({ pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`), item }))
    this.operations = new Map(
      Object.values(paths).flatMap((item) => Object.values(item).map((operation) => [operation.operationId, operation])),
    )
  }

  closedSchema(schema: JsonObject): JsonObject {
    const known = this.#closedSchemas.get(schema) ?? (closed(schema) as JsonObject)
    this.#closedSchemas.set(schema, known)
    return known
  }
}

export class DocumentCheck {
  /** Operations and statuses that were seen, `operationId status`. */
  readonly seen = new Set<string>()
  readonly #document: CompiledDocument

  constructor(document: CompiledDocument) {
    this.#document = document
  }

  get operations(): ReadonlyMap<string, Operation> {
    return this.#document.operations
  }

  /** Throws an AssertionError that says what is not as the document has it. */
  check(request: SeenRequest, answer: SeenAnswer): void {
    const where = `${request.method} ${request.path} → ${answer.status} ${answer.text.slice(0, 300)}`
    this.#checkRequestId(request, answer, where)
    const item = this.#document.paths.find(({ pattern }) => pattern.test(request.path))?.item
    if (item === undefined) return this.#checkError(request, answer, 'not_found', where)
    const operation = item[(request.method === 'HEAD' ? 'GET' : request.method).toLowerCase()]
    if (operation === undefined) {
      if (request.method === 'OPTIONS') return
      assert.ok(answer.headers.allow, where)
      return this.#checkError(request, answer, 'method_not_allowed', where)
    }
    this.seen.add(`${operation.operationId} ${answer.status}`)
    const response = operation.responses[String(answer.status)]
    assert.ok(response !== undefined, `the document has no such status: ${where}`)
    this.#checkHeaders(response, answer, where)
    if (request.method !== 'HEAD') this.#checkBody(request, response, answer, where)
  }

  #checkRequestId(request: SeenRequest, answer: SeenAnswer, where: string): void {
    // White space around a header's value is no part of it (RFC 9110, section 5.5).
    const own = request.headers['x-request-id']?.trim()
    const id = answer.headers['x-request-id']
    assert.ok(id !== undefined && id !== '', `X-Request-Id: ${where}`)
    if (own !== undefined && /^[ -~]{1,128}$/.test(own)) assert.equal(id, own, where)
  }

  #checkHeaders(response: ResponseObject, answer: SeenAnswer, where: string): void {
    const documented = new Map(Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]))
    for (const [name, header] of documented) {
      const value = answer.headers[name]
      if (value === undefined) {
        assert.notEqual(header.required, true, `the header ${name} is missing: ${where}`)
        continue
      }
      const typed = header.schema.type === 'integer' ? Number(value) : value
      assert.deepEqual(this.#document.schemas.faults(header.schema, typed), [], `the header ${name}: ${value}`)
    }
    for (const name of Object.keys(answer.headers)) {
      assert.ok(documented.has(name) || COMMON_HEADERS.has(name) || KNOWN_HEADERS.has(name), `the header ${name} stands nowhere: ${where}`)
    }
  }

  #checkBody(request: SeenRequest, response: ResponseObject, answer: SeenAnswer, where: string): void {
    if (response.content === undefined && answer.text === '') return
    const contentType = (answer.headers['content-type'] ?? '').split(';')[0] ?? ''
    const media = response.content?.[contentType] ?? response['x-alternative-content']?.[contentType]
    assert.ok(media !== undefined, `the document has no ${contentType} here: ${where}`)
    if (contentType !== 'application/json') return
    const body = JSON.parse(answer.text) as ErrorBody
    assert.deepEqual(this.#document.closed.faults(this.#document.closedSchema(media.schema), body), [], where)
    if (answer.status < 400) return
    assert.ok(body.code !== undefined && body.code in (media.examples ?? {}), `the document has no such code here: ${where}`)
    this.#checkRefusal(request, answer, body, where)
  }

  /** The answer to HEAD is the head of an error alone. */
  #checkError(request: SeenRequest, answer: SeenAnswer, code: ErrorCode, where: string): void {
    if (request.method === 'HEAD') return assert.equal(answer.status, outcomeStatus(ERRORS[code]), where)
    const body = JSON.parse(answer.text) as ErrorBody
    assert.equal(body.code, code, where)
    assert.deepEqual(this.#document.closed.faults(ERROR_BODY, body), [], where)
    this.#checkRefusal(request, answer, body, where)
  }

  /** What the biller's own system says, and where its code is wrong, stands in no catalogue. */
  #checkRefusal(
    request: SeenRequest,
    { status, headers }: SeenAnswer,
    { code = '', message = '', request_id }: ErrorBody,
    where: string,
  ): void {
    assert.ok(isErrorCode(code), where)
    assert.equal(outcomeStatus(ERRORS[code]), status, where)
    // A replay has the bytes of the first answer, whose request had another id.
    const isReplay = headers['idempotent-replayed'] !== undefined
    if (isReplay) assert.ok(request_id !== undefined, where)
    else assert.equal(request_id, headers['x-request-id'], where)
    const language = headers['content-language']
    if (!isReplay) assert.equal(language, acceptedLanguage(request.headers['accept-language'] ?? ''), where)
    const usual = language === 'en' ? ERROR_MESSAGES.en[code] : ERROR_MESSAGES.fr[code]
    if (!OWN_MESSAGES.has(code)) assert.equal(message, usual, where)
    if (REASONED.has(code)) assert.notEqual(message, usual, `a reason is missing: ${where}`)
    if (language === 'en' && !OF_MERCHANTS.has(code)) assert.doesNotMatch(message, FRENCH, where)
  }
}

function placeholders(path: string): number {
  return path.split('{').length
}

/** References outside schemas are put in place; those of schemas are the judge's business. */
function resolve(node: unknown, document: JsonObject): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(item, document))
  if (typeof node !== 'object' || node === null) return node
  const reference = (node as { $ref?: string }).$ref
  if (reference !== undefined && !reference.startsWith('#/components/schemas/')) {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document)
    return resolve(target, document)
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, key === 'schema' ? value : resolve(value, document)]))
}
