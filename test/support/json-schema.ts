// An independent judge of JSON Schema 2020-12 (Ajv): what the document says is compared with what the code does.
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject } from '../../http/openapi/openapi-schemas.ts'

/** Written from the RFCs, not taken from the code under test. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i,
  email: /^[^\s@"]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/,
  uri: /^[a-z][a-z0-9+.-]*:/i,
  'uri-reference': /^\S*$/,
  regex: /^/,
  cursor: /^[A-Za-z0-9+/]*$/,
  'media-range': /^\S+\/\S+$/,
  binary: /^/,
}

/** The registry of OpenAPI formats. */
const WIDTHS = {
  int32: { type: 'number', validate: (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31 },
  int64: { type: 'number', validate: Number.isSafeInteger },
} as const

/** Compiles against the document's own components, so that `#/components/schemas/…` leads where it says. */
export class DocumentSchemas {
  readonly #ajv: Ajv2020
  readonly #cache = new Map<string, ValidateFunction>()
  /** By the schema itself: its text takes longer than most checks. */
  readonly #known = new WeakMap<JsonObject, ValidateFunction>()

  constructor(document: JsonObject) {
    this.#ajv = newAjv()
    this.#ajv.addSchema(document, 'document')
  }

  /** What is wrong with the value under the schema; empty when nothing is. */
  faults(schema: JsonObject, value: unknown): string[] {
    const validate = this.#known.get(schema) ?? this.#compiled(schema)
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
  }

  #compiled(schema: JsonObject): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
    const validate = this.#cache.get(text) ?? this.#ajv.compile(JSON.parse(text) as object)
    this.#cache.set(text, validate)
    this.#known.set(schema, validate)
    return validate
  }
}

/** The official meta-schema of OpenAPI 3.1 (spec.openapis.org, Apache 2.0). */
export const OPENAPI_META_SCHEMA = JSON.parse(readFileSync(new URL('openapi-3.1.schema.json', import.meta.url), 'utf8')) as object

/** Unknown keywords (`x-error`, and OpenAPI's own) are annotations. */
export function newAjv(): Ajv2020 {
  return new Ajv2020({ strict: false, allErrors: true, formats: { ...FORMATS, ...WIDTHS } })
}

/**
 * The schema of an answer, closed: where an object lists its properties, others are a fault. The document leaves it
 * open because fields may be added; our own answers must say each field that they carry.
 */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'enum' || key === 'const' ? value : closed(value)]),
  )
  const listsProperties = 'properties' in copy && copy.type === 'object'
  return listsProperties && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}
