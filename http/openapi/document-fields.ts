// Reads fields of the OpenAPI document for the pages that show them.
import type { Json, JsonObject } from './openapi-schemas.ts'

/** Returns the type of a field as text: `string`, `integer | null`, or its values. */
export function typeOf(field: JsonObject, document: JsonObject): string {
  const { type, enum: words, anyOf, const: only } = resolved(field, document)
  if (words !== undefined) return (words as Json[]).join(' | ')
  if (only !== undefined) return String(only)
  if (anyOf !== undefined) return (anyOf as JsonObject[]).map((one) => typeOf(one, document)).join(' | ')
  return Array.isArray(type) ? type.join(' | ') : String(type ?? 'any')
}

/** Resolves a reference within the document. */
export function resolved(value: JsonObject, document: JsonObject): JsonObject {
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<Json>((place, step) => (place as JsonObject)[step] as Json, document)
  return resolved(target as JsonObject, document)
}
