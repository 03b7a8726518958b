// TypeBox schemas as OpenAPI 3.1 prints them: a schema with an `$id` becomes a component, everything else stays in place.
import type { Schema } from '../../engine/contract/schema.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export class SchemaComponents {
  readonly #components = new Map<string, { readonly source: Schema; readonly json: JsonObject }>()

  /** The schema itself, or a reference to the component that it is. */
  render(schema: Schema): JsonObject {
    const name = schema.$id
    if (name === undefined) return this.#renderFields(schema)
    const known = this.#components.get(name)
    if (known !== undefined && !isSame(known.source, schema)) throw new Error(`two schemas are called ${name}`)
    if (known === undefined) {
      const json: JsonObject = {}
      this.#components.set(name, { source: schema, json })
      Object.assign(json, this.#renderFields(schema))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** All components so far, by name. */
  all(): JsonObject {
    const sorted = [...this.#components].sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { json }]) => [name, json]))
  }

  #renderFields(schema: Schema): JsonObject {
    const { accepted, needed, ...fields } = schema
    // A judged value: the rule that its handler applies, with the texts of its place.
    const rendered: JsonObject = accepted === undefined ? {} : this.render(accepted as Schema)
    for (const [key, value] of Object.entries(fields)) if (key !== '$id') rendered[key] = this.#renderValue(key, value)
    if (needed !== undefined) rendered.required = plain(needed)
    return withWidth(nullableInPlace(keyedByName(rendered)))
  }

  #renderValue(key: string, value: unknown): Json {
    if (key === 'properties') {
      return Object.fromEntries(Object.entries(value as Record<string, Schema>).map(([name, field]) => [name, this.render(field)]))
    }
    if (key === 'patternProperties') {
      return Object.fromEntries(Object.entries(value as Record<string, Schema>).map(([pattern, field]) => [pattern, this.render(field)]))
    }
    if (key === 'anyOf' || key === 'allOf' || key === 'oneOf') return (value as Schema[]).map((member) => this.render(member))
    if (key === 'items' || key === 'not' || (key === 'additionalProperties' && typeof value === 'object'))
      return this.render(value as Schema)
    return plain(value)
  }
}

/** An optional field holds a copy of its schema. */
function isSame(one: Schema, other: Schema): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** `anyOf` of a plain type and null reads better as a list of two types. */
function nullableInPlace(rendered: JsonObject): JsonObject {
  const { anyOf, ...rest } = rendered
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return rendered
  const [inner, second] = anyOf as [JsonObject, JsonObject]
  if (second.type !== 'null' || typeof inner.type !== 'string') return rendered
  const words = Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : {}
  return { ...inner, ...rest, type: [inner.type, 'null'], ...words }
}

/** Any key, to TypeBox. */
const ANY_KEY = '^(.*)$'

/** A map by name, in the words that generators know: `patternProperties` makes an object of unknown values to them. */
function keyedByName(rendered: JsonObject): JsonObject {
  const { patternProperties, additionalProperties, ...rest } = rendered
  const [only, ...others] = Object.entries((patternProperties as JsonObject | undefined) ?? {})
  if (only === undefined || others.length > 0) return rendered
  const [pattern, values] = only
  if (pattern === ANY_KEY) return { ...rest, additionalProperties: values }
  return additionalProperties === false ? { ...rest, propertyNames: { pattern }, additionalProperties: values } : rendered
}

const INT32_MAX = 2 ** 31 - 1

/** Generators read an integer without a format as 32 bits: an amount does not fit. */
function withWidth(rendered: JsonObject): JsonObject {
  if (rendered.type !== 'integer' || rendered.format !== undefined) return rendered
  const { minimum, maximum } = rendered
  const fits = typeof maximum === 'number' && maximum <= INT32_MAX && typeof minimum === 'number' && minimum >= -INT32_MAX
  return { type: 'integer', format: fits ? 'int32' : 'int64', ...rendered }
}

/** A copy that shares nothing with the schemas and holds JSON only. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
