// The OpenAPI 3.1 document, from the route table and the schemas that the routes check with. Nothing in it is written
// by hand but prose.

import { stringify } from 'yaml'
import { ErrorBody } from '../../engine/contract/common.ts'
import { ERROR_CODES, type ErrorCode } from '../../engine/contract/errors.ts'
import type { ObjectSchema, Schema } from '../../engine/contract/schema.ts'
import { errorStatus } from '../server/outcome-status.ts'
import type { AuthRule, RouteResponse, RouteShape } from '../server/route.ts'
import { errorsOf } from '../server/route-errors.ts'
import { ERROR_MESSAGES } from '../text/error-messages.ts'
import { ABOUT, CSRF_TOKEN, ENVIRONMENT, HEADERS, IDEMPOTENCY_KEY, REQUEST_ID, SECURITY_SCHEMES, TAGS, type Tag } from './openapi-prose.ts'
import { type Json, type JsonObject, SchemaComponents } from './openapi-schemas.ts'
import { WEBHOOK_TAGS, webhooksSection } from './openapi-webhooks.ts'

export interface DocumentSettings {
  /** Where the API is reached. */
  readonly baseUrl: string
  /** Where wallets reach it; the same without an address of their own. */
  readonly walletBaseUrl: string
}

/** Readers of a document: everybody, or merchants alone. */
export const AUDIENCES = ['all', 'merchant'] as const

export type Audience = (typeof AUDIENCES)[number]

/** Callers that are no merchant. */
const OTHER_CALLERS: readonly AuthRule[] = ['operator', 'wallet', 'stream', 'signup', 'login']
/** Tags of public routes and of calls that are for others than merchants. */
const OTHER_TAGS: readonly string[] = ['Wallet sign-in', 'Operator', 'Gateways', 'Pages'] satisfies readonly (Tag | 'Pages')[]

/** Returns whether a merchant calls the route. */
export function isForMerchants({ auth, tag }: Pick<RouteShape, 'auth' | 'tag'>): boolean {
  return !OTHER_TAGS.includes(tag) && !OTHER_CALLERS.includes(auth)
}

/** Of the API, not of the package. */
const API_VERSION = '1.0.0'

export function openapiDocument(allRoutes: readonly RouteShape[], settings: DocumentSettings, audience: Audience = 'all'): JsonObject {
  const isFor = (tag: string): boolean => audience === 'all' || !OTHER_TAGS.includes(tag)
  const routes = audience === 'all' ? allRoutes : allRoutes.filter(isForMerchants)
  const schemas = new SchemaComponents()
  schemas.render(ErrorBody)
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const item = paths[route.path] ?? {}
    item[route.method.toLowerCase()] = { ...operation(route, schemas), ...serversOf(route, settings) }
    paths[route.path] = item
  }
  const webhooks = webhooksSection(schemas, isFor)
  const used = new Set([...routes.map((route) => route.tag), ...WEBHOOK_TAGS.filter(isFor)])
  return {
    openapi: '3.1.0',
    info: { title: 'Cauri', version: API_VERSION, description: ABOUT, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: settings.baseUrl }],
    tags: TAGS.filter((tag) => used.has(tag.name)).map((tag) => ({ ...tag })),
    paths,
    webhooks,
    components: {
      schemas: schemas.all(),
      securitySchemes: SECURITY_SCHEMES,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, RequestId: REQUEST_ID, Environment: ENVIRONMENT, CsrfToken: CSRF_TOKEN },
      headers: HEADERS,
      responses: Object.fromEntries(ERROR_CODES.map((code) => [code, errorResponse(errorStatus(code), [code])])),
    },
    'x-errors': Object.fromEntries(ERROR_CODES.map((code) => [code, { status: errorStatus(code), message: ERROR_MESSAGES.fr[code] }])),
  }
}

/** Routes of wallets, and the check that a balancer in front of them makes. */
const WALLET_PATHS = /^\/(?:v1\/(?:auth|me)(?:\/|$)|healthz$)/

/** Routes of wallets may have an address of their own; they answer under the other one, too. */
function serversOf({ path }: RouteShape, { baseUrl, walletBaseUrl }: DocumentSettings): JsonObject {
  if (walletBaseUrl === baseUrl || !WALLET_PATHS.test(path)) return {}
  return { servers: [{ url: walletBaseUrl, description: 'Address for wallets.' }, { url: baseUrl }] }
}

const YAML_STYLE = { aliasDuplicateObjects: false, blockQuote: 'literal', lineWidth: 0 } as const
/** Down to one operation of a path and one schema of the components. */
const PART_DEPTH = 2

/** The document as YAML, in parts of a few milliseconds: as a whole it would hold every payout up for a quarter of a second. */
export function openapiYamlParts(document: JsonObject): Generator<string> {
  return yamlParts(document, 0)
}

function* yamlParts(mapping: JsonObject, depth: number): Generator<string> {
  const margin = '  '.repeat(depth)
  for (const [key, value] of Object.entries(mapping)) {
    if (depth < PART_DEPTH && isMapping(value) && Object.keys(value).length > 0) {
      yield margin + stringify({ [key]: {} }, YAML_STYLE).replace(/ \{\}\n$/, '\n')
      yield* yamlParts(value, depth + 1)
    } else yield stringify({ [key]: value }, YAML_STYLE).replace(/^(?=.)/gm, margin)
  }
}

function isMapping(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function operation(route: RouteShape, schemas: SchemaComponents): JsonObject {
  const { operationId, tag, summary, description, body, bodyExample, bodyOptional = false } = route
  const rendered: JsonObject = { operationId, tags: [tag], summary }
  if (description !== undefined) rendered.description = description
  rendered.security = SECURITY[route.auth](route.scope === undefined || route.scope === 'any' ? [] : [route.scope])
  rendered.parameters = parameters(route, schemas)
  if (body !== undefined) {
    const media: JsonObject = { schema: schemas.render(body) }
    if (bodyExample !== undefined) media.example = bodyExample as Json
    const files = Object.entries(route.bodyFiles ?? {}).map(
      ([type, { example }]) => [type, { schema: { type: 'string' }, example }] as const,
    )
    const alternatives = files.length === 0 ? {} : { [ALTERNATIVE_CONTENT]: Object.fromEntries(files) }
    const required = !bodyOptional || ((body as Partial<ObjectSchema>).required ?? []).length > 0
    rendered.requestBody = { required, content: { [MEDIA_TYPES[route.bodyType ?? 'json']]: media }, ...alternatives }
  }
  rendered.responses = { ...successes(route, schemas), ...failures(route) }
  return rendered
}

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const

const KEY_PAIR = (scopes: string[]): JsonObject => ({ ApiKey: scopes, ApiSecret: [] })

/** What each rule asks for; two entries are alternatives. */
const SECURITY: Readonly<Record<AuthRule, (scopes: string[]) => JsonObject[]>> = {
  public: () => [],
  key: (scopes) => [KEY_PAIR(scopes)],
  'key-or-session': (scopes) => [KEY_PAIR(scopes), { Session: [] }],
  session: () => [{ Session: [] }],
  wallet: () => [{ WalletToken: [] }],
  stream: () => [{ WalletToken: [] }, { StreamTicket: [] }],
  signup: () => [{ SignupToken: [] }],
  login: () => [{ LoginToken: [] }],
  operator: () => [{ OperatorToken: [] }],
}

function parameters(route: RouteShape, schemas: SchemaComponents): JsonObject[] {
  const list: JsonObject[] = []
  for (const [name, schema] of Object.entries(route.params ?? {})) {
    list.push(parameter({ name, in: 'path', required: true }, schemas.render(schema), schema))
  }
  const required = new Set(route.query?.required ?? [])
  for (const [name, schema] of Object.entries(route.query?.properties ?? {})) {
    list.push(parameter({ name, in: 'query', required: required.has(name) }, schemas.render(schema), schema))
  }
  if (route.auth === 'session' || route.auth === 'key-or-session') {
    list.push({ $ref: '#/components/parameters/Environment' })
    if (route.method !== 'GET') list.push({ $ref: '#/components/parameters/CsrfToken' })
  }
  if (route.idempotency === 'required') list.push({ ...IDEMPOTENCY_KEY, required: true })
  if (route.idempotency === 'accepted') list.push({ $ref: '#/components/parameters/IdempotencyKey' })
  list.push({ $ref: '#/components/parameters/RequestId' })
  return list
}

/** What the schema says about the value stands beside the name, where readers look for it. */
function parameter(head: JsonObject, { description: _, ...schema }: JsonObject, { description }: Schema): JsonObject {
  return { ...head, ...(description === undefined ? {} : { description }), schema }
}

/**
 * A further row of one status is what another `Accept` or another file gets. It stands in an extension: with two content types on one
 * answer, generated clients lose the type of the list, or ask for the wrong one.
 */
function successes(route: RouteShape, schemas: SchemaComponents): JsonObject {
  const rendered: Record<string, JsonObject> = {}
  for (const response of route.responses) {
    const { status, description, contentType = 'application/json' } = response
    const first = rendered[status]
    const entry = first ?? { description, headers: headersOf([...successHeaders(route), ...(response.headers ?? [])]) }
    if (response.schema !== undefined || response.contentType !== undefined) {
      const place = first === undefined ? 'content' : ALTERNATIVE_CONTENT
      entry[place] = { ...(entry[place] as JsonObject | undefined), [contentType]: media(response, schemas) }
    }
    rendered[status] = entry
  }
  return rendered
}

/** Of a response or a request body: a map of media types like `content`. */
const ALTERNATIVE_CONTENT = 'x-alternative-content'

function media({ schema, example }: RouteResponse, schemas: SchemaComponents): JsonObject {
  const rendered: JsonObject = { schema: schema === undefined ? { type: 'string' } : schemas.render(schema) }
  if (example !== undefined) rendered.example = example as Json
  return rendered
}

/** Callers whose requests have no rate limit by second. */
const WITHOUT_BUCKET: readonly AuthRule[] = ['public', 'operator', 'signup', 'login']
const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

function successHeaders(route: RouteShape): string[] {
  return [
    'X-Request-Id',
    ...(WITHOUT_BUCKET.includes(route.auth) ? [] : RATE_HEADERS),
    ...(route.idempotency === 'none' ? [] : ['Idempotent-Replayed']),
    ...(route.setsSession === true ? ['Set-Cookie'] : []),
    ...(route.responses.some((response) => response.contentType === 'text/csv') ? ['Link'] : []),
  ]
}

function headersOf(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function failures(route: RouteShape): JsonObject {
  const rendered: JsonObject = {}
  for (const [status, codes] of errorsOf(route)) {
    const [only] = codes
    rendered[status] = codes.length === 1 && only !== undefined ? { $ref: `#/components/responses/${only}` } : errorResponse(status, codes)
  }
  return rendered
}

function errorResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  const headers = [
    'X-Request-Id',
    'Content-Language',
    ...(status === 429 || status === 503 || status === 423 ? ['Retry-After'] : []),
    // A key keeps what the ledger refused.
    ...(status === 402 || status === 409 ? ['Idempotent-Replayed'] : []),
  ]
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headersOf(headers),
    content: {
      'application/json': {
        // The codes are the names of the examples: a schema of its own for each answer would be a class of its own for each.
        schema: { $ref: '#/components/schemas/ErrorBody' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: { code, message: ERROR_MESSAGES.fr[code] } }])),
      },
    },
  }
}
