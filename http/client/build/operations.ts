// The routes of the merchant API as rows that the command `cauri` derives its commands from, out of the OpenAPI document.
import type { JsonObject } from '../../openapi/openapi-schemas.ts'
import type { FieldType, OperationRow } from '../src/cli/operations.ts'
import { documentOf } from './document.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly {
    readonly $ref?: string
    readonly name: string
    readonly in: string
    readonly schema: Schema
    readonly description?: string
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, { readonly name: string }>>
  }
}

/** Routes that a pair of keys may call. */
const PATHS = /^\/v1\/biz\//
const JSON_TYPE = 'application/json'

/** Returns the rows in the order of the document. */
export function operationRows(): readonly OperationRow[] {
  const document = documentOf((path) => PATHS.test(path)) as JsonObject as unknown as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(
      ([method, operation]) => rowOf(document, path, method.toUpperCase() as OperationRow['method'], operation) ?? [],
    ),
  )
}

/** Returns null for what the command cannot send or print: forms, streams, and routes without a key. */
function rowOf(document: Document, path: string, method: OperationRow['method'], operation: Operation): OperationRow | null {
  const { operationId, summary, security = [], parameters = [], requestBody, responses } = operation
  const answers = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {}
  const answer = answers[JSON_TYPE]?.schema
  const body = requestBody?.content[JSON_TYPE]?.schema
  const hasForm = requestBody !== undefined && body === undefined
  if (answer === undefined || hasForm || !security.some((schemes) => 'ApiKey' in schemes)) return null
  const properties = resolved(document, answer).properties ?? {}
  const own = body === undefined ? {} : resolved(document, body)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return {
    ...{ operationId, method, path, summary },
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: Object.fromEntries(query.map(({ name, schema, description }) => [name, fieldOf(document, schema, description, false)])),
    fields: Object.fromEntries(
      Object.entries(own.properties ?? {}).map(([name, schema]) => [
        name,
        fieldOf(document, schema, schema.description, own.required?.includes(name) === true),
      ]),
    ),
    isList: 'has_more' in properties,
    // The document has a second content of an answer in an extension.
    hasCsv: JSON.stringify(responses).includes('"text/csv"'),
  }
}

function fieldOf(document: Document, schema: Schema, description: string | undefined, isRequired: boolean): OperationRow['fields'][string] {
  return { type: typeOf(document, schema), about: `${firstSentence(description ?? '')}${isRequired ? ' (required)' : ''}` }
}

function typeOf(document: Document, schema: Schema): FieldType {
  const { type, items, anyOf } = resolved(document, schema)
  if (anyOf !== undefined) {
    const types = anyOf.map((one) => typeOf(document, one))
    return types.every((one) => one === types[0]) ? (types[0] as FieldType) : 'json'
  }
  const [name, ...others] = [type].flat().filter((each) => each !== 'null')
  if (others.length > 0) return 'json'
  if (name === 'array') return typeOf(document, items ?? {}) === 'text' ? 'list' : 'json'
  return name === 'integer' || name === 'boolean' ? name : name === 'string' || name === undefined ? 'text' : 'json'
}

function resolved({ components }: Document, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
}

function firstSentence(text: string): string {
  const [first = ''] = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) /)
  return first.replace(/\.$/, '')
}
