// Every field of every body: missing, of another type, too long, too large. Made from the schemas, so a new route has
// its rows on the day it is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '../../../engine/contract/schema.ts'
import { Fault, RouteCheck } from '../../../http/server/body/validation.ts'
import { isMoneyRoute } from '../../../http/server/route.ts'
import { TABLE } from '../../support/api-document.ts'
import { GOOD_BODIES } from '../../support/good-bodies.ts'

type Fields = Readonly<Record<string, Schema>>

/** Items of a list without a maximum of its own, whose items refuse a text. */
const LIST_LENGTH = 200

const WRONG_TYPES: readonly unknown[] = [null, true, 12.5, 'text', [], {}, [null]]

/** JSON types that a field takes; empty when its schema is a choice of shapes. */
function typesOf(field: Schema): readonly string[] {
  const members = (field.anyOf as readonly Schema[] | undefined) ?? [field]
  const types = members.flatMap((member) => (member.type === undefined ? [] : [member.type as string]))
  return types.length === members.length ? types : []
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** More than any rule of the type allows; null for types without a size. */
function beyond(field: Schema): unknown {
  const types = typesOf(field)
  if (types.includes('string')) return 'a'.repeat(200_000)
  if (types.includes('array')) return Array.from({ length: Number(field.maxItems ?? LIST_LENGTH) + 1 }, () => 'a')
  return types.includes('integer') || types.includes('number') ? Number.MAX_SAFE_INTEGER : null
}

/** Whether the value is the empty map of PHP, which writes it `[]`: the check takes it for `{}` where the field is a map. */
function isEmptyMap(field: Schema, value: unknown): boolean {
  return field.patternProperties !== undefined && Array.isArray(value) && value.length === 0
}

function codeAndParam(fault: Fault | null): readonly unknown[] {
  return [fault?.code, fault?.param]
}

for (const route of TABLE.filter((candidate) => candidate.body !== undefined && candidate.bodyType === undefined)) {
  const check = new RouteCheck(route)
  const good = GOOD_BODIES[route.operationId] as Record<string, unknown>
  const { properties, required = [] } = route.body as unknown as { readonly properties: Fields; readonly required?: readonly string[] }
  const faultOf = (body: unknown): Fault | null => {
    const result = check.body('application/json', Buffer.from(JSON.stringify(body)))
    return result instanceof Fault ? result : null
  }

  const isStrict = isMoneyRoute(route)
  test(`${route.operationId}: the good body is taken, and an unknown field is ${isStrict ? 'refused by name' : 'ignored'}`, () => {
    assert.equal(faultOf(good), null)
    const fault = faultOf({ ...good, nobody_knows: { this: ['field'] } })
    assert.deepEqual(codeAndParam(fault), isStrict ? ['unknown_field', 'nobody_knows'] : [undefined, undefined])
    const isClosed = (route.body as { additionalProperties?: unknown }).additionalProperties === false
    assert.equal(isClosed, isStrict, 'the schema says what the check does')
  })

  test(`${route.operationId}: each required field is missed by name`, () => {
    for (const name of required) {
      const { [name]: _, ...rest } = good
      assert.deepEqual(codeAndParam(faultOf(rest)), [properties[name]?.['x-missing'] ?? 'invalid_request', name])
    }
  })

  test(`${route.operationId}: each field refuses every other type by name`, () => {
    for (const [name, field] of Object.entries(properties)) {
      const types = typesOf(field).map((type) => (type === 'integer' ? 'number' : type))
      for (const value of types.length === 0 ? [] : WRONG_TYPES.filter((candidate) => !types.includes(typeOf(candidate)))) {
        const fault = faultOf({ ...good, [name]: value })
        const expected = isEmptyMap(field, value) ? [undefined, undefined] : ['invalid_request', name]
        assert.deepEqual(codeAndParam(fault), expected, `${name}: ${JSON.stringify(value)}`)
      }
    }
  })

  test(`${route.operationId}: each text has an end, each number a largest value, each list a length`, () => {
    for (const [name, field] of Object.entries(properties)) {
      const value = beyond(field)
      if (value === null) continue
      const fault = faultOf({ ...good, [name]: value })
      assert.ok(fault !== null, `${name} has a maximum`)
      assert.equal(fault.param?.split('.')[0], name)
    }
  })
}
