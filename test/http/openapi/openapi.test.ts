// The OpenAPI document: valid by the official meta-schema, complete, and in agreement with what the code checks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { ERROR_CODES } from '../../../engine/contract/errors.ts'
import { openapiDocument } from '../../../http/openapi/openapi.ts'
import { TAGS } from '../../../http/openapi/openapi-prose.ts'
import type { JsonObject } from '../../../http/openapi/openapi-schemas.ts'
import { errorStatus } from '../../../http/server/outcome-status.ts'
import { errorsOf } from '../../../http/server/route-errors.ts'
import { ERROR_MESSAGES } from '../../../http/text/error-messages.ts'
import { DOCUMENT, TABLE, YAML_PARTS } from '../../support/api-document.ts'
import { DocumentSchemas, newAjv, OPENAPI_META_SCHEMA } from '../../support/json-schema.ts'

interface Media {
  readonly schema: JsonObject
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Answer {
  readonly $ref?: string
  readonly headers?: JsonObject
  readonly content?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Answer>>
}

const schemas = new DocumentSchemas(DOCUMENT)

function operationOf(path: string, method: string): Operation {
  const item = (DOCUMENT.paths as Record<string, JsonObject>)[path]
  return item?.[method.toLowerCase()] as unknown as Operation
}

test('the document is valid OpenAPI 3.1', () => {
  const validate = newAjv().compile(OPENAPI_META_SCHEMA)
  assert.ok(validate(DOCUMENT), JSON.stringify(validate.errors, null, 2))
})

test('the document for merchants has their routes and calls, and nothing of wallets and operators', () => {
  const { paths, webhooks, tags, components } = openapiDocument(TABLE, { baseUrl: '', walletBaseUrl: '' }, 'merchant')
  const validate = newAjv().compile(OPENAPI_META_SCHEMA)
  assert.ok(validate({ ...DOCUMENT, paths, webhooks, tags, components }), JSON.stringify(validate.errors, null, 2))
  const shown = TABLE.filter(({ path, method }) => (paths as Record<string, JsonObject>)[path]?.[method.toLowerCase()] !== undefined)
  const left = TABLE.filter((route) => !shown.includes(route))
  assert.ok(
    shown.some(({ operationId }) => operationId === 'createPayout') && shown.some(({ operationId }) => operationId === 'getCheckout'),
  )
  assert.deepEqual(
    shown.filter(
      ({ auth, path }) => ['operator', 'wallet', 'stream', 'signup', 'login'].includes(auth) || /^\/v1\/(me|auth|operator)/.test(path),
    ),
    [],
  )
  assert.deepEqual(
    left.filter(({ auth }) => auth === 'key' || auth === 'key-or-session' || auth === 'session'),
    [],
  )
  assert.ok(Object.hasOwn(webhooks as object, 'charge.succeeded') && !Object.hasOwn(webhooks as object, 'gateway.sms'))
  const text = JSON.stringify({ paths, webhooks, components })
  for (const name of Object.keys((components as { schemas: object }).schemas)) {
    assert.ok(name === 'ErrorBody' || text.includes(`"#/components/schemas/${name}"`), name)
  }
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    assert.ok(name in (components as { schemas: object }).schemas, name)
})

test('every schema of it is valid JSON Schema 2020-12', () => {
  const ajv = newAjv()
  for (const [name, schema] of Object.entries((DOCUMENT.components as { schemas: JsonObject }).schemas)) {
    assert.ok(ajv.validateSchema(schema as object), `${name}: ${JSON.stringify(ajv.errors)}`)
  }
})

test('its patterns are regular expressions to every language’s validators', () => {
  const patterns = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'pattern' && typeof inner === 'string') patterns.add(inner)
      if (key === 'patternProperties') for (const pattern of Object.keys(inner as object)) patterns.add(pattern)
      collect(inner)
    }
  }
  collect(DOCUMENT.components)
  collect(DOCUMENT.paths)
  assert.ok(patterns.size > 10, `${patterns.size} were found`)
  // Property classes, look-around, back-references and named groups are each language's own (JSON Schema, section 6.4).
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\[pPk1-9]|\(\?[^:]|\\[uU]\{/, pattern)
    assert.doesNotThrow(() => new RegExp(pattern, 'u'), pattern)
  }
})

test('the YAML says the same', () => {
  assert.deepEqual(parse(YAML_PARTS.join('')), DOCUMENT)
})

test('no part of the YAML is large: each holds the loop up while it is written', () => {
  const sizes = YAML_PARTS.map((part) => part.length)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(Math.max(...sizes) < all / 15, `${Math.max(...sizes)} of ${all} characters at once`)
})

test('every reference leads somewhere', () => {
  for (const [, reference] of JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = String(reference)
      .split('/')
      .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], DOCUMENT)
    assert.ok(found !== undefined, reference)
  }
})

test('each route is one operation with a name of its own and a tag that is described', () => {
  const ids = TABLE.map((route) => route.operationId)
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  )
  for (const route of TABLE) {
    assert.equal(operationOf(route.path, route.method).operationId, route.operationId)
    assert.ok(
      TAGS.some((tag) => tag.name === route.tag),
      `${route.operationId}: ${route.tag}`,
    )
  }
})

test('placeholders of the path are parameters, and no others', () => {
  for (const route of TABLE) {
    const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const named = operationOf(route.path, route.method).parameters.filter((parameter) => parameter.in === 'path')
    assert.deepEqual(
      named.map((parameter) => parameter.name),
      placeholders,
      route.operationId,
    )
  }
})

test('every code that a route can answer stands under its status, with an example', () => {
  for (const route of TABLE) {
    const { responses } = operationOf(route.path, route.method)
    const byStatus = errorsOf(route)
    assert.ok(byStatus.size >= 2, route.operationId)
    for (const [status, codes] of byStatus) {
      const answer = resolved(responses[status] as Answer)
      assert.deepEqual(Object.keys(answer.content?.['application/json']?.examples ?? {}), codes, `${route.operationId} ${status}`)
    }
    for (const status of Object.keys(responses)) {
      assert.ok(Number(status) < 400 || byStatus.has(Number(status)), `${route.operationId} ${status} is no error or has codes`)
    }
  }
})

test('every example is what its schema says', () => {
  let count = 0
  for (const route of TABLE) {
    const { requestBody, responses } = operationOf(route.path, route.method)
    const bodies = [requestBody?.content, ...Object.values(responses).map((answer) => resolved(answer).content)]
    for (const media of bodies.flatMap((content) => Object.values(content ?? {}))) {
      const examples = [
        ...(media.example === undefined ? [] : [media.example]),
        ...Object.values(media.examples ?? {}).map(({ value }) => value),
      ]
      for (const example of examples) {
        count++
        assert.deepEqual(schemas.faults(media.schema, example), [], `${route.operationId}: ${JSON.stringify(example)}`)
      }
    }
  }
  assert.ok(count > TABLE.length, 'there are examples')
})

test('routes of wallets name the address for wallets, where it is another one', () => {
  const walletBaseUrl = 'https://wallet.example'
  const { paths, servers } = openapiDocument(TABLE, { baseUrl: 'https://api.example', walletBaseUrl })
  assert.deepEqual(servers, [{ url: 'https://api.example' }])
  const named = Object.entries(paths as Record<string, Record<string, { servers?: { url: string }[] }>>).flatMap(([path, item]) =>
    Object.values(item).some((one) => one.servers?.[0]?.url === walletBaseUrl) ? [path] : [],
  )
  const expected = [...new Set(TABLE.map(({ path }) => path))].filter((path) => /^\/v1\/(?:auth|me)|^\/healthz$/.test(path))
  assert.deepEqual(named.toSorted(), expected.toSorted())
  assert.ok(named.includes('/v1/me') && named.includes('/v1/auth/phone/start') && named.includes('/healthz'))
  assert.doesNotMatch(JSON.stringify(DOCUMENT.paths), /"servers"/)
})

test('the catalogue of errors stands in the document as it is', () => {
  const catalogue = ERROR_CODES.map((code) => [code, { status: errorStatus(code), message: ERROR_MESSAGES.fr[code] }])
  assert.deepEqual(DOCUMENT['x-errors'], Object.fromEntries(catalogue))
  const body = (DOCUMENT.components as { schemas: { ErrorBody: { properties: { code: { enum: string[] } } } } }).schemas.ErrorBody
  assert.deepEqual(body.properties.code.enum, [...ERROR_CODES])
})

function resolved(answer: Answer): Answer {
  if (answer.$ref === undefined) return answer
  const name = answer.$ref.split('/').at(-1) ?? ''
  return (DOCUMENT.components as unknown as { responses: Record<string, Answer> }).responses[name] as Answer
}
