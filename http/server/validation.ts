// From bytes and text to checked values. Schemas are compiled once; details of a fault are worked out only after the
// compiled check has said no, so a good payout costs about a microsecond here.
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import type { ErrorCode, ErrorExtras } from '../../engine/contract/errors.ts'
import type { ObjectSchema, Schema } from '../../engine/contract/schema.ts'
import { bodyValuesMaxOf } from './body-limits.ts'
import { isFormType, parseForm } from './form.ts'
import { JsonFault, parseJson } from './json-body.ts'
import { isMultipartFault, parseMultipart } from './multipart.ts'
import type { RouteShape } from './route.ts'
import { duplicateText, reasonText, reservedText, TOO_MANY_VALUES } from './validation-text.ts'

/** What to refuse a request with. */
export class Fault {
  readonly code: ErrorCode
  /** Dotted path of the field, or name of the parameter. */
  readonly param: string | undefined
  /** The reason, in the place of the catalogue's sentence. */
  readonly extras: ErrorExtras | undefined

  constructor(code: ErrorCode, param?: string, extras?: ErrorExtras) {
    this.code = code
    this.param = param
    this.extras = extras
  }
}

const QUERY_PARAMETERS_MAX = 32

/** One route's checks, compiled. */
export class RouteCheck {
  readonly #params: readonly TypeCheck<Schema>[]
  readonly #query: TypeCheck<ObjectSchema> | null
  readonly #queryFields: Readonly<Record<string, Schema>>
  readonly #strictQuery: boolean
  readonly #body: TypeCheck<Schema> | null
  readonly #bodyOptional: boolean
  /** Of a form, in either way of sending one. */
  readonly #formFields: readonly string[]
  readonly #rowNames: RegExp | null
  readonly #bodyType: 'json' | 'form' | 'multipart'
  readonly #valuesMax: number

  constructor(
    route: Pick<RouteShape, 'path' | 'auth' | 'params' | 'query' | 'body' | 'bodyOptional' | 'bodyType' | 'bodyValuesMax' | 'rowNames'>,
  ) {
    this.#params = Object.values(route.params ?? {}).map((schema) => TypeCompiler.Compile(schema))
    this.#query = route.query === undefined ? null : TypeCompiler.Compile(route.query)
    this.#queryFields = route.query?.properties ?? {}
    this.#strictQuery = route.path.startsWith('/v1/')
    this.#bodyType = route.bodyType ?? 'json'
    this.#valuesMax = bodyValuesMaxOf(route)
    this.#body = route.body === undefined || this.#bodyType === 'multipart' ? null : TypeCompiler.Compile(route.body)
    this.#bodyOptional = route.bodyOptional === true
    this.#rowNames = route.rowNames ?? null
    this.#formFields = Object.keys((route.body as ObjectSchema | undefined)?.properties ?? {})
  }

  /** False when a value cannot be the name of anything: the answer is then 404. */
  params(values: readonly string[]): boolean {
    return this.#params.every((check, index) => check.Check(values[index]))
  }

  /**
   * The query by name, typed as its schema says. An empty text is the same as an absent parameter, an empty number, time or
   * cursor is a fault: taken for absent, `dry_run=` would pay. An unknown or repeated one is a fault, too. Outside `/v1`
   * unknown ones are ignored (pages get `utm_…` and the like), and forms may leave fields empty.
   */
  query(text: string): Record<string, unknown> | Fault {
    const query: Record<string, unknown> = {}
    if (text !== '' && (this.#strictQuery || this.#query !== null)) {
      const fault = this.#readQuery(text, query)
      if (fault !== null) return fault
    }
    if (this.#query === null || this.#query.Check(query)) return query
    return parameterFault(this.#query.Errors(query).First())
  }

  /** The parsed body, checked, or the fault; `undefined` where the route takes none. `contentType` is empty when the header is absent. */
  body(contentType: string, bytes: Uint8Array): unknown {
    if (this.#bodyType === 'multipart') return this.#parts(contentType, bytes)
    if (this.#body === null) return undefined
    if (this.#bodyOptional && bytes.length === 0) return {}
    const isForm = this.#bodyType === 'form'
    if (!(isForm ? isFormType(contentType) : isJsonType(contentType))) return new Fault('unsupported_media_type')
    const value = isForm
      ? (parseForm(bytes, this.#formFields, this.#rowNames) ?? new Fault('invalid_request'))
      : parseJson(bytes, this.#valuesMax)
    if (value instanceof JsonFault) return jsonFault(value)
    if (value instanceof Fault || this.#body.Check(value)) return value
    return bodyFault(this.#body.Errors(value).First())
  }

  /** Bytes have no schema: what is in them is the handler's to judge. */
  #parts(contentType: string, bytes: Uint8Array): unknown {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const parts = parseMultipart(contentType, body, this.#formFields)
    return isMultipartFault(parts) ? new Fault(parts.code, parts.param) : parts
  }

  #readQuery(text: string, query: Record<string, unknown>): Fault | null {
    const pairs = text.split('&')
    if (pairs.length > QUERY_PARAMETERS_MAX) return new Fault('invalid_parameter')
    for (const pair of pairs) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = decodeQuery(equals < 0 ? pair : pair.slice(0, equals))
      const value = equals < 0 ? '' : decodeQuery(pair.slice(equals + 1))
      if (name === null) return new Fault('invalid_parameter')
      if (!Object.hasOwn(this.#queryFields, name)) {
        if (this.#strictQuery) return new Fault('invalid_parameter', name)
        continue
      }
      if (value === null || Object.hasOwn(query, name)) return new Fault('invalid_parameter', name)
      const typed = this.#typed(this.#queryFields[name] as Schema, value)
      if (typed !== undefined) query[name] = typed
    }
    return null
  }

  /** Undefined for an empty text. An empty value of more than text stays, and the compiled check refuses it. */
  #typed(schema: Schema, value: string): unknown {
    const saysMore = schema.type === 'integer' || schema.type === 'boolean' || schema.format !== undefined
    return value === '' && !(this.#strictQuery && saysMore) ? undefined : typedValue(schema, value)
  }
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i

/** JSON is UTF-8 (RFC 8259): another charset is another media type. An absent header is taken for JSON. */
function isJsonType(contentType: string): boolean {
  return contentType === 'application/json' || contentType === '' || JSON_TYPE.test(contentType)
}

/** What a JSON body is refused with. */
function jsonFault({ reason, path }: JsonFault): Fault {
  if (reason === 'not_json') return new Fault('invalid_json')
  if (reason === 'too_many_values') return new Fault('invalid_request', undefined, { message: TOO_MANY_VALUES })
  return new Fault('invalid_request', path, reason === 'duplicate_key' ? { message: duplicateText(path) } : { message: reservedText(path) })
}

function parameterFault(error: ValueError | undefined): Fault {
  const path = dottedPath(error?.path ?? '')
  return new Fault('invalid_parameter', path, error === undefined ? undefined : { message: reasonText('paramètre', path, error) })
}

function bodyFault(error: ValueError | undefined): Fault {
  const path = dottedPath(error?.path ?? '')
  const code = error === undefined ? 'invalid_request' : codeOf(error)
  const extras = error === undefined || code !== 'invalid_request' ? undefined : { message: reasonText('champ', path, error) }
  return new Fault(code, path === '' ? undefined : path, extras)
}

/** The schema's own code when the value is missing, or has the right type and breaks its rule; `invalid_request` otherwise. */
function codeOf({ type, schema, value }: ValueError): ErrorCode {
  const isMissing = type === ValueErrorType.ObjectRequiredProperty || type === ValueErrorType.ArrayMinItems
  const missing = isMissing ? (schema['x-missing'] as ErrorCode | undefined) : undefined
  const hasType = schema.type === (Array.isArray(value) ? 'array' : typeof value)
  return missing ?? (hasType ? (schema['x-error'] as ErrorCode | undefined) : undefined) ?? 'invalid_request'
}

/** `/items/3/amount` (RFC 6901) as `items.3.amount`. */
function dottedPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

function decodeQuery(text: string): string | null {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch {
    return null
  }
}

/** Text that is no such number or word stays text, and the compiled check refuses it. */
function typedValue(schema: Schema, text: string): unknown {
  if (schema.type === 'integer') return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  // An offset whose plus was not escaped: no time has a blank there.
  return schema.format === 'date-time' ? text.replace(/ (?=\d\d:\d\d$)/, '+') : text
}
