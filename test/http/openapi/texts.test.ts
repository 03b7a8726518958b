// What the document says to readers and to generators of clients: a description for each field, an example for each
// answer, and only shapes that generators of four languages give a type to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../../http/openapi/openapi-schemas.ts'
import { DOCUMENT, TABLE } from '../../support/api-document.ts'
import { DocumentSchemas } from '../../support/json-schema.ts'

interface Media {
  readonly schema: JsonObject
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Answer {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, Media>>
  readonly 'x-alternative-content'?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly parameters: readonly JsonObject[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Answer>>
}

const COMPONENTS = DOCUMENT.components as { readonly [kind: string]: Readonly<Record<string, JsonObject>> }
const SCHEMAS = COMPONENTS.schemas as Readonly<Record<string, JsonObject>>
const judge = new DocumentSchemas(DOCUMENT)

const OPERATIONS = operationsOf(DOCUMENT.paths)
const WEBHOOKS = operationsOf(DOCUMENT.webhooks)

function operationsOf(section: Json | undefined): readonly Operation[] {
  return Object.values(section as unknown as Record<string, Record<string, Operation>>).flatMap((item) => Object.values(item))
}

function resolved<Part extends { readonly $ref?: string }>(part: Part): Part {
  if (part.$ref === undefined) return part
  const [kind = '', name = ''] = part.$ref.split('/').slice(2)
  return COMPONENTS[kind]?.[name] as unknown as Part
}

/** Every schema of the components with the place that it stands at. */
function* schemasWithin(schema: Json | undefined, place: string): Generator<readonly [place: string, schema: JsonObject]> {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  yield [place, schema]
  for (const [name, field] of Object.entries((schema.properties as JsonObject | undefined) ?? {}))
    yield* schemasWithin(field, `${place}.${name}`)
  for (const key of ['items', 'additionalProperties']) yield* schemasWithin(schema[key], `${place}[]`)
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    for (const member of (schema[key] as Json[] | undefined) ?? []) yield* schemasWithin(member, `${place}|`)
  }
}

const ALL_SCHEMAS = Object.entries(SCHEMAS).flatMap(([name, schema]) => [...schemasWithin(schema, name)])

test('every property of every component has a description', () => {
  const silent = ALL_SCHEMAS.flatMap(([place, { properties }]) =>
    Object.entries((properties as JsonObject | undefined) ?? {})
      .filter(([, field]) => describedBy(field as JsonObject) === undefined)
      .map(([name]) => `${place}.${name}`),
  )
  assert.deepEqual(silent, [])
})

/** Its own words, or those of the component that it refers to. */
function describedBy(field: JsonObject): Json | undefined {
  return field.description ?? (field.$ref === undefined ? undefined : resolved(field as { $ref: string } & JsonObject).description)
}

test('every parameter and every header has a description', () => {
  const silent = [...OPERATIONS, ...WEBHOOKS].flatMap(({ operationId, parameters }) =>
    parameters
      .map((parameter) => resolved(parameter))
      .filter(({ description, schema }) => description === undefined && describedBy(schema as JsonObject) === undefined)
      .map(({ name }) => `${operationId} ${name}`),
  )
  assert.deepEqual(silent, [])
  for (const [name, header] of Object.entries(COMPONENTS.headers ?? {})) assert.ok(header.description !== undefined, name)
})

test('every answer with a body has an example, JSON and other media types', () => {
  const silent = [...OPERATIONS, ...WEBHOOKS].flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, answer]) => {
      const { content = {}, 'x-alternative-content': other = {} } = resolved(answer)
      return [...Object.entries(content), ...Object.entries(other)]
        .filter(([, { example, examples }]) => example === undefined && Object.keys(examples ?? {}).length === 0)
        .map(([type]) => `${operationId} ${status} ${type}`)
    }),
  )
  assert.deepEqual(silent, [])
})

test('every JSON request has an example', () => {
  const silent = [...OPERATIONS, ...WEBHOOKS].filter(({ requestBody }) => {
    const media = requestBody?.content['application/json']
    return media !== undefined && media.example === undefined
  })
  assert.deepEqual(
    silent.map(({ operationId }) => operationId),
    [],
  )
})

test('every example of a call that leaves the service is what its schema says', () => {
  for (const { operationId, requestBody, responses } of WEBHOOKS) {
    const bodies = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
    for (const { schema, example, examples } of bodies.flatMap((content) => Object.values(content ?? {}))) {
      const values = [...(example === undefined ? [] : [example]), ...Object.values(examples ?? {}).map(({ value }) => value)]
      assert.ok(values.length > 0, operationId)
      for (const value of values) assert.deepEqual(judge.faults(schema, value), [], `${operationId}: ${JSON.stringify(value)}`)
    }
  }
})

test('every integer says how wide it is, and amounts have 64 bits', () => {
  const integers = ALL_SCHEMAS.filter(([, { type }]) => type === 'integer' || (Array.isArray(type) && type.includes('integer')))
  assert.ok(integers.length > 50, `${integers.length} were found`)
  for (const [place, { format }] of integers) {
    assert.ok(format === 'int32' || format === 'int64', place)
    if (/amount|balance|available|pending/.test(place.split('.').at(-1) ?? '')) assert.equal(format, 'int64', place)
  }
})

test('an answer has one content type: with two, generated clients lose the type of a list', () => {
  for (const { operationId, responses } of OPERATIONS) {
    for (const answer of Object.values(responses)) assert.ok(Object.keys(resolved(answer).content ?? {}).length <= 1, operationId)
  }
})

test('no union has a member without a type of its own: the whole union would be of an unknown type', () => {
  for (const [place, schema] of ALL_SCHEMAS) {
    for (const member of [...((schema.anyOf as JsonObject[] | undefined) ?? []), ...((schema.oneOf as JsonObject[] | undefined) ?? [])]) {
      assert.ok(member.$ref !== undefined || member.type !== undefined || member.const !== undefined, place)
    }
  }
})

test('nothing but a description stands beside a reference', () => {
  const collect = (value: Json | undefined, place: string): string[] => {
    if (typeof value !== 'object' || value === null) return []
    const own =
      !Array.isArray(value) && '$ref' in value && Object.keys(value).some((key) => key !== '$ref' && key !== 'description') ? [place] : []
    return [...own, ...Object.entries(value).flatMap(([key, inner]) => collect(inner, `${place}/${key}`))]
  }
  assert.deepEqual(collect(DOCUMENT, ''), [])
})

/** Generators name an inline enum or object after its component and its field. */
test('no component has the name that generators give to an inline schema of another one', () => {
  const fold = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
  const names = new Map<string, string>()
  for (const name of Object.keys(SCHEMAS)) {
    assert.equal(names.get(fold(name)), undefined, name)
    names.set(fold(name), name)
  }
  for (const [component, { properties }] of Object.entries(SCHEMAS)) {
    for (const [field, schema] of Object.entries((properties as JsonObject | undefined) ?? {})) {
      const { enum: words, properties: own } = schema as JsonObject
      if (words !== undefined || own !== undefined) assert.equal(names.get(fold(component + field)), undefined, `${component}.${field}`)
    }
  }
})

/** Generators name an inline enum or object after its component and the fields that lead to it: two of one name do not compile. */
test('no two inline schemas get one name from generators', () => {
  const fold = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
  const places = new Map<string, string>()
  const visit = (place: string, schema: JsonObject): void => {
    for (const [field, inner] of Object.entries((schema.properties as Record<string, JsonObject> | undefined) ?? {})) {
      for (const one of [inner, (inner.items as JsonObject | undefined) ?? {}]) {
        if (one.enum === undefined && one.properties === undefined) continue
        const name = `${place}.${field}`
        assert.equal(places.get(fold(name)), undefined, name)
        places.set(fold(name), name)
        visit(name, one)
      }
    }
  }
  for (const [component, schema] of Object.entries(SCHEMAS)) visit(component, schema as JsonObject)
})

test('every operation has a description beside its summary', () => {
  const silent = OPERATIONS.filter(({ description = '' }) => description === '')
  assert.deepEqual(
    silent.map(({ operationId }) => operationId),
    [],
  )
})

test('no list has rows of an inline shape: each row is a component', () => {
  const inline = ALL_SCHEMAS.filter(([, { items }]) => (items as JsonObject | undefined)?.properties !== undefined)
  assert.deepEqual(
    inline.map(([place]) => place),
    [],
  )
})

/** Handles that no person types. */
const HANDLES = ['device_id', 'device_token', 'id_token', 'refresh_token', 'token', 'code', 'pin', 'password', 'new_password', 'totp']

/** Strings of a body that may not be empty, by their places. */
function* wantedTexts(schema: JsonObject, place: string): Generator<readonly [place: string, schema: JsonObject]> {
  if (schema.type === 'string' && Number(schema.minLength ?? 0) > 0) yield [place, schema]
  for (const [name, field] of Object.entries((schema.properties as JsonObject | undefined) ?? {}))
    yield* wantedTexts(field as JsonObject, `${place}.${name}`)
  for (const inner of [schema.items, schema.accepted]) if (inner !== undefined) yield* wantedTexts(inner as JsonObject, place)
  for (const inner of (schema.anyOf as readonly JsonObject[] | undefined) ?? []) yield* wantedTexts(inner, place)
}

test('a text of a request that may not be empty may not be blank either', () => {
  const bodies = TABLE.flatMap(({ operationId, body }) => (body === undefined ? [] : [...wantedTexts(body as never, operationId)]))
  const blank = bodies.filter(([place, { pattern }]) => {
    if (HANDLES.includes(place.split('.').at(-1) ?? '')) return false
    return pattern === undefined || new RegExp(String(pattern), 'u').test(' \u00a0 ')
  })
  assert.deepEqual(
    blank.map(([place]) => place),
    [],
  )
  assert.ok(bodies.some(([place]) => place.endsWith('.reason')))
})
