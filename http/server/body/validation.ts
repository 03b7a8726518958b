// Validates bytes and text against schemas, each compiled once in a process. Details of an error are computed only after the
// compiled check fails. A valid payout costs about a microsecond.

import type { TypeCheck } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { RECIPIENT_PATTERN } from '../../../engine/contract/common.ts'
import type { ErrorCode, ErrorDetails, ErrorExtras } from '../../../engine/contract/errors.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { ObjectSchema, Schema } from '../../../engine/contract/schema.ts'
import { cutLine } from '../../text/shown-text.ts'
import type { RouteShape } from '../route.ts'
import type { BodyFile } from './body-file.ts'
import { bodyValuesMaxOf } from './body-limits.ts'
import { FlatBodyReader } from './flat-body.ts'
import { isFormType, parseForm } from './form.ts'
import { JsonFault, parseJson } from './json-body.ts'
import { LazyCheck } from './lazy-check.ts'
import { isMultipartFault, parseMultipart } from './multipart.ts'
import type { PreparedBody } from './prepared-body.ts'
import { schemaReason } from './schema-reason.ts'

/** A validation error: the code and details of the response. */
export class Fault<Code extends ErrorCode = ErrorCode> {
  readonly code: ErrorCode
  /** Dotted path of the field, or the parameter's name. */
  readonly param: string | undefined
  /** The reason, and further members. */
  readonly extras: ErrorExtras | undefined

  constructor(code: Code, ...[param, extras]: ErrorDetails<Code>) {
    this.code = code
    this.param = param
    this.extras = extras
  }
}

const QUERY_PARAMETERS_MAX = 32
/** Of a route that takes no parameter. */
const NO_QUERY: Record<string, unknown> = Object.freeze({})

/** Checks of one route. Each compiles at its first use, which takes about a millisecond, or by `compile`. */
export class RouteCheck {
  readonly #params: readonly LazyCheck[]
  readonly #query: LazyCheck | null
  readonly #queryFields: Readonly<Record<string, Schema>>
  readonly #strictQuery: boolean
  readonly #body: LazyCheck | null
  readonly #bodyOptional: boolean
  /** Fields of a form, in either encoding. */
  readonly #formFields: readonly string[]
  readonly #flatBody: FlatBodyReader
  /** Fields that hold an object of any keys, such as `metadata`. */
  readonly #maps: readonly string[]
  readonly #rowNames: RegExp | null
  readonly #bodyType: 'json' | 'form' | 'multipart'
  readonly #files: RouteShape['bodyFiles'] | null
  readonly #valuesMax: number
  /** Where a cookie is set: a page of another site can send a body without a type, and none that says JSON. */
  readonly #needsType: boolean

  constructor(
    route: Pick<
      RouteShape,
      | 'path'
      | 'auth'
      | 'params'
      | 'query'
      | 'body'
      | 'bodyFiles'
      | 'bodyOptional'
      | 'bodyType'
      | 'bodyValuesMax'
      | 'rowNames'
      | 'setsSession'
    >,
  ) {
    this.#params = Object.values(route.params ?? {}).map((schema) => new LazyCheck(schema))
    this.#query = route.query === undefined ? null : new LazyCheck(route.query)
    this.#queryFields = route.query?.properties ?? {}
    this.#strictQuery = route.path.startsWith('/v1/')
    this.#bodyType = route.bodyType ?? 'json'
    this.#files = route.bodyFiles ?? null
    this.#valuesMax = bodyValuesMaxOf(route)
    this.#needsType = route.setsSession === true
    this.#body = route.body === undefined || this.#bodyType === 'multipart' ? null : new LazyCheck(route.body)
    this.#bodyOptional = route.bodyOptional === true
    this.#rowNames = route.rowNames ?? null
    const fields = (route.body as ObjectSchema | undefined)?.properties ?? {}
    this.#formFields = Object.keys(fields)
    this.#flatBody = new FlatBodyReader(this.#formFields)
    this.#maps = this.#formFields.filter((name) => fields[name]?.patternProperties !== undefined)
  }

  /** Compiles what is not compiled yet. */
  compile(): void {
    for (const check of [...this.#params, this.#query, this.#body]) check?.compiled
  }

  /** Returns false when a value breaks its schema: the response is then 404. */
  params(values: readonly string[]): boolean {
    return this.#params.every(({ compiled }, index) => compiled.Check(values[index]))
  }

  /**
   * Returns the typed query. An empty value is an error: an empty filter would otherwise list everything, and `dry_run=`
   * would pay. Unknown or repeated parameters are errors. Outside `/v1` unknown ones are ignored (pages get `utm_…`), and
   * empty ones count as absent, because forms leave fields empty.
   */
  query(text: string): Record<string, unknown> | Fault {
    if (this.#query === null && (text === '' || !this.#strictQuery)) return NO_QUERY
    const query: Record<string, unknown> = {}
    if (text !== '') {
      const fault = this.#readQuery(text, query)
      if (fault !== null) return fault
    }
    if (this.#query === null || this.#query.compiled.Check(query)) return query
    return parameterFault(this.#query.compiled.Errors(query).First())
  }

  /**
   * Returns the validated body, or the fault; `undefined` where the route takes none. `contentType` is empty when
   * absent. Only JSON is ever prepared.
   */
  body(contentType: string, sent: Buffer | PreparedBody): unknown {
    if (!(sent instanceof Uint8Array)) return this.#json(contentType, sent)
    if (this.#bodyType === 'multipart') return this.#parts(contentType, sent)
    if (this.#body === null) return undefined
    if (this.#bodyOptional && sent.length === 0) return {}
    if (this.#bodyType === 'json') return this.#json(contentType, sent)
    if (!isFormType(contentType)) return new Fault('unsupported_media_type')
    return this.#checked(
      parseForm(sent, this.#formFields, this.#rowNames) ?? new Fault('invalid_request', undefined, because('too_many_form_fields')),
    )
  }

  /** Returns how a body of this type is read that is a file; null for another. */
  file(contentType: string, contentEncoding: string): BodyFile | null {
    return isPlain(contentEncoding) ? (this.#files?.[mediaType(contentType)] ?? null) : null
  }

  /** Returns the value of a body that was read, or the fault. */
  read(value: unknown): unknown {
    return this.#checked(value)
  }

  #json(contentType: string, sent: Buffer | PreparedBody): unknown {
    if (!isJsonType(contentType) || (this.#needsType && contentType === '')) return new Fault('unsupported_media_type')
    if (sent instanceof Uint8Array) return this.#checked(this.#flatBody.read(sent) ?? parseJson(sent, this.#valuesMax))
    return this.#checked(this.#flatBody.readText(sent.text) ?? JSON.parse(sent.text))
  }

  #checked(value: unknown): unknown {
    if (this.#body === null) return undefined
    if (value instanceof JsonFault) return jsonFault(value)
    if (this.#maps.length > 0) mapsOf(value, this.#maps)
    if (value instanceof Fault || this.#body.compiled.Check(value)) return value
    return unknownField(this.#body.compiled, value) ?? bodyFault(this.#body.compiled.Errors(value).First())
  }

  /** Returns the multipart body. Parts have no schema; the handler checks their content. */
  #parts(contentType: string, bytes: Uint8Array): unknown {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const parts = parseMultipart(contentType, body, this.#formFields)
    return isMultipartFault(parts) ? new Fault<ErrorCode>(parts.code, parts.param, parts.because) : parts
  }

  #readQuery(text: string, query: Record<string, unknown>): Fault | null {
    const pairs = text.split('&')
    if (pairs.length > QUERY_PARAMETERS_MAX) return new Fault('invalid_parameter', undefined, because('too_many_parameters'))
    for (const pair of pairs) {
      if (pair === '') continue
      const { name, value } = decodedPair(pair)
      if (name === null) return new Fault('invalid_parameter', undefined, because('parameter_name'))
      if (!Object.hasOwn(this.#queryFields, name)) {
        if (this.#strictQuery) return new Fault('invalid_parameter', name, because('unknown_parameter', { name: cutLine(name, 100) }))
        continue
      }
      if (value === null || Object.hasOwn(query, name)) return unreadable(name, value)
      if (value !== '') query[name] = typedValue(this.#queryFields[name] as Schema, value)
      else if (this.#strictQuery) return new Fault('invalid_parameter', name, because('empty_parameter', { name }))
    }
    return null
  }
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

/** Returns whether the type is JSON. Its parameters have no effect (RFC 8259, section 11). An absent header counts as JSON. */
export function isJsonType(contentType: string): boolean {
  return contentType === 'application/json' || contentType === '' || JSON_TYPE.test(contentType)
}

/** Returns whether a body is sent as it is. */
export function isPlain(contentEncoding: string): boolean {
  return contentEncoding === '' || contentEncoding === 'identity'
}

/** Returns the type without its parameters. */
export function mediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Replaces empty lists by empty objects in these fields: PHP writes an empty map as `[]`. */
function mapsOf(body: unknown, fields: readonly string[]): void {
  if (typeof body !== 'object' || body === null) return
  const values = body as Record<string, unknown>
  for (const name of fields) {
    const value = values[name]
    if (Array.isArray(value) && value.length === 0) values[name] = {}
  }
}

/** Returns the validation error for a malformed JSON body. */
function jsonFault({ reason, path }: JsonFault): Fault {
  if (reason === 'not_json') return new Fault('invalid_json')
  if (reason === 'too_many_values') return new Fault('invalid_request', undefined, because('too_many_values'))
  return new Fault('invalid_request', path, because(reason === 'duplicate_key' ? 'duplicate_field' : 'reserved_field', { name: path }))
}

/** Returns the fault of a parameter that has no value: it is badly encoded, or repeated. */
function unreadable(name: string, value: string | null): Fault {
  return new Fault('invalid_parameter', name, because(value === null ? 'badly_encoded_parameter' : 'repeated_parameter', { name }))
}

function parameterFault(error: ValueError | undefined): Fault {
  const path = dottedPath(error?.path ?? '')
  return new Fault('invalid_parameter', path, schemaReason({ noun: 'parameter', path }, error))
}

/** Returns the fault of the first unknown field of a strict body: a misspelled field is named before the one that it left out. */
function unknownField(check: TypeCheck<Schema>, value: unknown): Fault | null {
  for (const { type, schema, path } of check.Errors(value)) {
    // The names of a map follow a pattern of their own.
    if (type === ValueErrorType.ObjectAdditionalProperties && schema.patternProperties === undefined)
      return new Fault('unknown_field', dottedPath(path))
  }
  return null
}

function bodyFault(error: ValueError | undefined): Fault {
  const path = dottedPath(error?.path ?? '')
  const code = error === undefined ? 'invalid_request' : codeOf(error)
  const extras = code === 'invalid_request' ? schemaReason({ noun: 'field', path }, error) : undefined
  return new Fault(code, path === '' ? undefined : path, extras)
}

/** Returns the schema's own code when the value is missing or breaks its rule; `invalid_request` for a wrong type. */
function codeOf({ type, schema, value }: ValueError): ErrorCode {
  const isMissing = type === ValueErrorType.ObjectRequiredProperty || type === ValueErrorType.ArrayMinItems
  const missing = isMissing ? (schema['x-missing'] as ErrorCode | undefined) : undefined
  const hasType = schema.type === (Array.isArray(value) ? 'array' : typeof value)
  return missing ?? (hasType ? (schema['x-error'] as ErrorCode | undefined) : undefined) ?? 'invalid_request'
}

/** Returns `/items/3/amount` (RFC 6901) as `items.3.amount`. */
function dottedPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

/** Returns name and value; null for one with a broken escape. */
function decodedPair(pair: string): { readonly name: string | null; readonly value: string | null } {
  const equals = pair.indexOf('=')
  if (equals < 0) return { name: decodeQuery(pair), value: '' }
  return { name: decodeQuery(pair.slice(0, equals)), value: decodeQuery(pair.slice(equals + 1)) }
}

function decodeQuery(text: string): string | null {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch {
    return null
  }
}

/** Returns the typed value. A text that does not parse stays text, which the compiled check rejects. */
function typedValue(schema: Schema, text: string): unknown {
  if (schema.type === 'integer') return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  // An unescaped plus of an offset or of a phone arrives as a blank.
  if (schema.pattern === RECIPIENT_PATTERN) return text.replace(/^ (?=[1-9][0-9]{7,14}$)/, '+')
  return schema.format === 'date-time' ? text.replace(/ (?=\d\d:\d\d$)/, '+') : text
}
