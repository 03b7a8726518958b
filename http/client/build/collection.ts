// The document as a collection of requests, in the format Postman 2.1, which Bruno imports too: a folder for each tag, a request
// for each operation with its example body, and variables for address and credentials.
import type { Json, JsonObject } from '../../openapi/openapi-schemas.ts'

/** Variables of the collection, all empty but the address. */
const VARIABLES = ['apiKey', 'apiSecret', 'walletToken', 'operatorToken', 'signupToken', 'loginToken', 'session', 'csrfToken'] as const
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
/** A new UUID for each request that is sent. A repetition of a request sends the key of the first. */
const NEW_KEY = '{{$guid}}'

/** Header that carries the credential of a security scheme. */
const CREDENTIALS: Readonly<Record<string, { readonly key: string; readonly value: string }>> = {
  ApiKey: { key: 'X-Api-Key', value: '{{apiKey}}' },
  ApiSecret: { key: 'X-Api-Secret', value: '{{apiSecret}}' },
  WalletToken: { key: 'Authorization', value: 'Bearer {{walletToken}}' },
  OperatorToken: { key: 'Authorization', value: 'Bearer {{operatorToken}}' },
  SignupToken: { key: 'Authorization', value: 'Bearer {{signupToken}}' },
  LoginToken: { key: 'Authorization', value: 'Bearer {{loginToken}}' },
  Session: { key: 'Cookie', value: 'session={{session}}' },
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: { readonly examples?: readonly Json[]; readonly default?: Json; readonly enum?: readonly Json[] }
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: Json }>> }
}

interface Document {
  readonly info: { readonly title: string; readonly description: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

/** Returns the collection of an OpenAPI document. */
export function collectionOf(source: JsonObject): JsonObject {
  const document = source as unknown as Document
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: requestOf(document, path, method.toUpperCase(), operation),
    })),
  )
  const folders = document.tags.map(({ name, description }) => ({
    ...{ name, description },
    item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
  }))
  const { title, description, version } = document.info
  return {
    info: { name: `${title} ${version}`, description, schema: SCHEMA },
    item: folders.filter(({ item }) => item.length > 0),
    variable: [{ key: 'baseUrl', value: document.servers[0]?.url ?? '' }, ...VARIABLES.map((key) => ({ key, value: '' }))],
  }
}

function requestOf(document: Document, path: string, method: string, operation: Operation): JsonObject {
  const parameters = (operation.parameters ?? []).map((entry) => ('$ref' in entry ? parameterAt(document, entry.$ref) : entry))
  const content = Object.entries(operation.requestBody?.content ?? {})[0]
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description ?? '',
      header: headersOf(operation, parameters, content?.[0] ?? null),
      url: urlOf(path, parameters),
      ...(content === undefined ? {} : { body: bodyOf(content[0], content[1].example ?? {}) }),
    },
  }
}

function parameterAt({ components }: Document, reference: string): Parameter {
  const found = components.parameters[reference.slice('#/components/parameters/'.length)]
  if (found === undefined) throw new Error(`the document has no ${reference}`)
  return found
}

/** A name of the segment `{id}` is a path variable, `:id` in the address. Optional query parameters are there, and turned off. */
function urlOf(path: string, parameters: readonly Parameter[]): JsonObject {
  const written = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const variables = parameters.filter((parameter) => parameter.in === 'path')
  return {
    raw: `{{baseUrl}}${written}`,
    host: ['{{baseUrl}}'],
    path: written.split('/').slice(1),
    query: query.map((parameter) => ({ ...pairOf(parameter, exampleOf(parameter)), disabled: parameter.required !== true })),
    variable: variables.map((parameter) => pairOf(parameter, exampleOf(parameter))),
  }
}

function headersOf({ security }: Operation, parameters: readonly Parameter[], contentType: string | null): Json[] {
  // The first of several: API keys before the session of the dashboard.
  const schemes = Object.keys(security[0] ?? {})
  const credentials = schemes.flatMap((scheme) => CREDENTIALS[scheme] ?? [])
  const headers = parameters.filter((parameter) => parameter.in === 'header')
  return [
    ...credentials,
    // A program sets the type of a form itself, with its boundary.
    ...(contentType === null || contentType.startsWith('multipart/') ? [] : [{ key: 'Content-Type', value: contentType }]),
    ...headers.map((parameter) => {
      const isSent = parameter.name === 'Idempotency-Key' || (parameter.name === 'X-CSRF-Token' && schemes.includes('Session'))
      const value =
        parameter.name === 'Idempotency-Key' ? NEW_KEY : parameter.name === 'X-CSRF-Token' ? '{{csrfToken}}' : exampleOf(parameter)
      return { ...pairOf(parameter, value), disabled: !isSent && parameter.required !== true }
    }),
  ]
}

function bodyOf(contentType: string, example: Json): JsonObject {
  if (contentType.startsWith('multipart/')) return { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: [] }] }
  return { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } }
}

function pairOf({ name, description = '' }: Parameter, value: string): JsonObject {
  return { key: name, value, description }
}

function exampleOf({ schema }: Parameter): string {
  const example = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? ''
  return typeof example === 'string' ? example : JSON.stringify(example)
}
