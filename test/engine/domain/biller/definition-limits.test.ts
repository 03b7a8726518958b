// What of a definition is kept, how large it may be, and that nothing that is sent makes its reader fail.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readDefinition } from '../../../../engine/domain/biller/biller-definition.ts'
import { SCHEMA_JSON_LENGTH_MAX, SOURCE_BYTES_MAX } from '../../../../engine/domain/biller/biller-limits.ts'
import { codeOf, FIELD, GOOD_PRODUCTS, type Json, LOOKUP_CODE, SELECT, withFields } from '../../../support/biller-engine.ts'
import { runs } from '../../../support/property-runs.ts'

const { fixed, user, lookup } = GOOD_PRODUCTS

test('what the mode has no use for is neither judged nor kept', () => {
  const read = readDefinition({ ...user, packages: 'x', lookup_url: 'ftp://x', lookup_code: 5, lookup_integration: 'x' })
  assert.ok(!('code' in read))
  const { packages, lookup_url, lookup_code, lookup_integration } = read
  assert.deepEqual(
    { packages, lookup_url, lookup_code, lookup_integration },
    { packages: [], lookup_url: null, lookup_code: null, lookup_integration: 'webhook' },
  )
})

test('the form is kept as it was sent, without what the API does not know', () => {
  for (const body of [fixed, user, lookup]) {
    const read = readDefinition({ ...body, schema: { ...body.schema, extra: 1 } })
    assert.ok(!('code' in read))
    assert.deepEqual(read.schema, body.schema)
  }
  const field = { ...FIELD, pattern: null, options: [{}], extra: { deep: true }, help: 'Aide' }
  const read = readDefinition({ ...fixed, schema: { steps: [{ id: 'a', action: null, extra: 1, fields: [field] }] } })
  assert.ok(!('code' in read))
  assert.deepEqual(read.schema, { steps: [{ id: 'a', fields: [{ ...FIELD, help: 'Aide' }] }] })
})

describe('limits', () => {
  const fields = (count: number): Json[] => Array.from({ length: count }, (_, index) => ({ ...FIELD, id: `f${index}` }))
  const options = (count: number): Json[] => Array.from({ length: count }, (_, index) => ({ label: 'x', value: `${index}` }))
  const packages = (count: number): Json[] => Array.from({ length: count }, () => ({ label: 'x', amount: 1 }))
  const rows: readonly (readonly [name: string, body: Json, code: string])[] = [
    ['100 fields', withFields(...fields(100)), 'taken'],
    ['101 fields', withFields(...fields(101)), 'invalid_schema_json'],
    ['20 steps', { ...fixed, schema: { steps: Array.from({ length: 20 }, () => ({})) } }, 'taken'],
    ['21 steps', { ...fixed, schema: { steps: Array.from({ length: 21 }, () => ({})) } }, 'invalid_schema_json'],
    ['500 options', withFields({ ...SELECT, options: options(500) }), 'taken'],
    ['501 options', withFields({ ...SELECT, options: options(501) }), 'invalid_schema_json'],
    ['200 packages', { ...fixed, packages: packages(200) }, 'taken'],
    ['201 packages', { ...fixed, packages: packages(201) }, 'invalid_request'],
    ['21 presets', { ...user, presets: Array.from({ length: 21 }, () => 1000) }, 'invalid_request'],
    ['a title of 121 characters', { ...fixed, title: '😀'.repeat(121) }, 'invalid_request'],
    ['a title of 120 characters', { ...fixed, title: '😀'.repeat(120) }, 'taken'],
    ['an id of 65 characters', withFields({ ...FIELD, id: 'x'.repeat(65) }), 'invalid_schema_json'],
    ['code of 64 KB', { ...fixed, fulfillment_code: 'é'.repeat(SOURCE_BYTES_MAX / 2) }, 'taken'],
    ['code of more', { ...fixed, fulfillment_code: `${'é'.repeat(SOURCE_BYTES_MAX / 2)};` }, 'invalid_request'],
    ['code with half a character', { ...fixed, fulfillment_code: 'x = "\ud800"' }, 'invalid_request'],
    ['many patterns', withFields(...fields(100).map((field) => ({ ...field, pattern: '[0-9]{11}' }))), 'taken'],
    ['too many long patterns', withFields(...fields(5).map((field) => ({ ...field, pattern: 'a'.repeat(500) }))), 'invalid_field_pattern'],
    [
      'patterns that cost too much together',
      withFields(...fields(3).map((field) => ({ ...field, pattern: '.{1,500}' }))),
      'invalid_field_pattern',
    ],
  ]
  for (const [name, body, code] of rows) test(`${name}: ${code}`, () => assert.equal(codeOf(body), code))

  test('a form is bounded as a whole, though each part of it is within its own bounds', () => {
    const help = '\u0001'.replace('\u0001', '\t').repeat(500)
    const large = fields(100).map((field) => ({ ...field, help: '"'.repeat(500), placeholder: '\\'.repeat(500) }))
    assert.equal(codeOf(withFields(...large.map((field) => ({ ...field, help })))), 'taken')
    const selects = large.map((field, index) => ({
      ...field,
      type: 'select',
      options: index < 4 ? options(500).map((one) => ({ ...one, label: '"'.repeat(120) })) : options(0),
    }))
    const [select] = selects
    assert.ok(JSON.stringify(select).length < SCHEMA_JSON_LENGTH_MAX)
    assert.equal(codeOf(withFields(...selects.slice(0, 4))), 'invalid_schema_json')
  })
})

test('for any input the answer is a validation error or a definition that is accepted again as it is', () => {
  const names = Object.keys({
    ...lookup,
    ...user,
    ...fixed,
    lookup_integration: 0,
    lookup_code: 0,
    fulfillment_mode: 0,
    fulfillment_code: 0,
  })
  const value = fc.oneof(
    fc.jsonValue() as fc.Arbitrary<unknown>,
    fc.constantFrom<unknown>(
      'lookup',
      'user',
      'fixed',
      'code',
      LOOKUP_CODE,
      lookup.schema,
      user.schema,
      fixed.packages,
      5,
      'https://x.example',
    ),
  )
  let taken = 0
  fc.assert(
    fc.property(
      fc.constantFrom<Json>(lookup, user, fixed),
      fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 }),
      (good, changes) => {
        const read = readDefinition({ ...good, ...Object.fromEntries(changes) })
        if ('code' in read) return
        taken++
        assert.deepEqual(readDefinition({ ...read }), read)
      },
    ),
    { numRuns: runs(3000) },
  )
  assert.ok(taken > 300, String(taken))
})
