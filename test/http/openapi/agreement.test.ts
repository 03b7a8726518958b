// The compiled checks and the published JSON Schema judge alike: random bodies, made by spoiling good ones, are taken or
// refused by both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nameFault } from '../../../engine/contract/name-text.ts'
import type { JsonObject } from '../../../http/openapi/openapi-schemas.ts'
import { Fault, RouteCheck } from '../../../http/server/body/validation.ts'
import { isMoneyRoute, type Route } from '../../../http/server/route.ts'
import { DOCUMENT, TABLE } from '../../support/api-document.ts'
import { GOOD_BODIES } from '../../support/good-bodies.ts'
import { DocumentSchemas } from '../../support/json-schema.ts'

const schemas = new DocumentSchemas(DOCUMENT)

/** Values near the edges of every rule there is, and any JSON at all. */
const FIELD = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    '',
    ' ',
    0,
    -1,
    1,
    1.5,
    1e12,
    1e12 + 1,
    '1',
    'XOF',
    'xof',
    'live',
    'test',
    'demo',
    '@awa',
    '@@awa',
    'AWA_1',
    'aw',
    'a'.repeat(20),
    'a'.repeat(21),
    'a'.repeat(255),
    'a'.repeat(256),
    '😀'.repeat(255),
    '😀'.repeat(256),
    '😀'.repeat(500),
    'é'.repeat(500),
    'a\tb',
    'a\nb',
    'a\u0000b',
    'a\u007fb',
    'a\u0085b',
    'a\ud800b',
    'a\udc00',
    '\u2028',
    [],
    ['disbursements.write'],
    ['disbursements.write', 'disbursements.write'],
    ['billers.write', 'disbursements.write'],
    ['admin'],
    {},
    'awa@example.com',
    'awa@example',
    '@example.com',
    '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
    '01965C1E-7A2B-7C3D-8E4F-5A6B7C8D9E0F',
    '01965c1e7a2b7c3d8e4f5a6b7c8d9e0f',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer(),
  fc.double(),
)

const JSON_TYPE = 'application/json'

function hasUnreadableName(body: JsonObject): boolean {
  return Object.values(body).some((value) => typeof value === 'string' && nameFault(value) !== null)
}

/** The handlers of these check some fields themselves: the document says what they take, and the check takes more. */
const JUDGED_BY_HAND: ReadonlySet<string> = new Set(['saveBiller', 'createProduct', 'replaceProduct', 'createBatch', 'createDisbursement'])

for (const route of TABLE.filter((candidate) => candidate.body !== undefined && candidate.bodyType === undefined)) {
  test(`${route.operationId}: check and document agree`, () => {
    const check = new RouteCheck(route)
    const good = GOOD_BODIES[route.operationId] as JsonObject
    assert.ok(!(check.body(JSON_TYPE, bytesOf(good)) instanceof Fault), 'the good body is good')
    const schema = published(route)
    const names = Object.keys((route.body as { properties?: object } | undefined)?.properties ?? {})
    const spoilt = fc.tuple(fc.constantFrom(...names, 'unknown'), FIELD)
    // A strict body takes few random changes, so one that it takes is made as often as all others.
    const change = isMoneyRoute(route) ? fc.oneof(spoilt, fc.constant<[string, unknown]>(['currency', 'XOF'])) : spoilt
    let taken = 0
    let refused = 0
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const body = JSON.parse(JSON.stringify({ ...good, ...Object.fromEntries(changes) })) as JsonObject
        const isTaken = !(check.body(JSON_TYPE, bytesOf(body)) instanceof Fault)
        // `if` says at the top which fields go together: the handler checks it.
        const faults = schemas.faults(schema, withMaps(route, body)).filter((fault) => !isAboutFieldsTogether(fault))
        const required = ((route.body as { required?: string[] } | undefined)?.required ?? []).every((name) => name in body)
        const isDocumented = faults.length === 0 && required
        const why = `${JSON.stringify(body)}: ${faults.join('; ')}`
        // No pattern says which alphabets may stand together in a name.
        if (isDocumented && !isTaken && hasUnreadableName(body)) return
        if (JUDGED_BY_HAND.has(route.operationId)) assert.ok(isTaken || !isDocumented, why)
        else assert.equal(isTaken, isDocumented, why)
        if (isTaken) taken++
        else refused++
      }),
      { numRuns: 1500 },
    )
    assert.ok(
      taken > 50 && (refused > 50 || JUDGED_BY_HAND.has(route.operationId)),
      `both verdicts were seen: ${taken} taken, ${refused} refused`,
    )
  })
}

/** Returns the body with `{}` for each empty list in the place of a map: PHP writes an empty map so, and the check takes it. */
function withMaps(route: Route, body: JsonObject): JsonObject {
  const fields = (route.body as { properties?: Record<string, { patternProperties?: object }> } | undefined)?.properties ?? {}
  const isMap = (name: string, value: unknown): boolean =>
    fields[name]?.patternProperties !== undefined && Array.isArray(value) && value.length === 0
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isMap(name, value) ? {} : value])) as JsonObject
}

function isAboutFieldsTogether(fault: string): boolean {
  return fault.startsWith(' ') && /missingProperty|failingKeyword|must NOT be valid/.test(fault)
}

/** The body's schema as the document has it. */
function published(route: Route): JsonObject {
  const paths = DOCUMENT.paths as Record<string, Record<string, { requestBody: { content: Record<string, { schema: JsonObject }> } }>>
  const media = paths[route.path]?.[route.method.toLowerCase()]?.requestBody.content['application/json']
  assert.ok(media !== undefined, `${route.operationId} has a body in the document`)
  return media.schema
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
