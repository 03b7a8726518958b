// Whether a definition of a product is right: a row for each code, the order of the codes, the limits, and anything at all.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDefinition } from '../../../../engine/domain/biller/biller-definition.ts'
import { codeOf, FIELD, GOOD_PRODUCTS, type Json, LOOKUP_CODE, SELECT, withFields } from '../../../support/biller-engine.ts'

const { fixed, user, lookup } = GOOD_PRODUCTS

function paramOf(body: Json): string {
  const read = readDefinition(body)
  return 'param' in read ? read.param : ''
}

const { lookup_url: _url, ...withoutUrl } = lookup

const ROWS: readonly (readonly [given: string, body: Json, code: string, param?: string])[] = [
  ['mode fixed', fixed, 'taken'],
  ['mode user', user, 'taken'],
  ['mode lookup', lookup, 'taken'],
  ['no title', { ...fixed, title: undefined }, 'title_required', 'title'],
  ['a title of spaces', { ...fixed, title: '  ' }, 'title_required'],
  ['a title that is a number', { ...fixed, title: 5 }, 'title_required'],
  ['no mode', { ...fixed, amount_mode: undefined }, 'invalid_amount_mode', 'amount_mode'],
  ['another mode', { ...fixed, amount_mode: 'FIXED' }, 'invalid_amount_mode'],
  ['a mode of Object.prototype', { ...fixed, amount_mode: 'toString' }, 'invalid_amount_mode'],
  ['no schema', { ...fixed, schema: undefined }, 'invalid_schema_json', 'schema'],
  ['a schema that is text', { ...fixed, schema: '{"steps":[]}' }, 'invalid_schema_json'],
  ['a schema that is a list', { ...fixed, schema: [] }, 'invalid_schema_json'],
  ['a schema without steps', { ...fixed, schema: {} }, 'invalid_schema_json'],
  ['a step that is text', { ...fixed, schema: { steps: ['x'] } }, 'invalid_schema_json', 'schema.steps.0'],
  ['fields that are no list', { ...fixed, schema: { steps: [{ fields: {} }] } }, 'invalid_schema_json', 'schema.steps.0.fields'],
  ['a field that is null', withFields(null), 'invalid_schema_json', 'schema.steps.0.fields.0'],
  ['required that is text', withFields({ ...FIELD, required: 'yes' }), 'invalid_schema_json', 'schema.steps.0.fields.0.required'],
  ['a form without steps', { ...fixed, schema: { steps: [] } }, 'taken'],
  ['no packages', { ...fixed, packages: undefined }, 'packages_required', 'packages'],
  ['an empty list of packages', { ...fixed, packages: [] }, 'packages_required'],
  ['packages that are an object', { ...fixed, packages: { length: 1 } }, 'packages_required'],
  ['a package without a label', { ...fixed, packages: [{ amount: 1 }] }, 'invalid_package', 'packages.0.label'],
  ['a package for nothing', { ...fixed, packages: [{ label: 'x', amount: 0 }] }, 'invalid_package', 'packages.0.amount'],
  ['a package of half a franc', { ...fixed, packages: [{ label: 'x', amount: 0.5 }] }, 'invalid_package'],
  ['a package of text', { ...fixed, packages: [{ label: 'x', amount: '500' }] }, 'invalid_package'],
  ['a package that is null', { ...fixed, packages: [null] }, 'invalid_package'],
  [
    'two packages of one id',
    {
      ...fixed,
      packages: [
        { id: 'a', label: 'x', amount: 1 },
        { id: 'a', label: 'y', amount: 2 },
      ],
    },
    'invalid_package',
    'packages.1.id',
  ],
  ['an id of a package that is a number', { ...fixed, packages: [{ id: 1, label: 'x', amount: 1 }] }, 'invalid_package'],
  ['min above max', { ...user, min: 2, max: 1 }, 'invalid_amount_bounds', 'min'],
  ['min that is max', { ...user, min: 500, max: 500, presets: [] }, 'taken'],
  ['min of 0', { ...user, min: 0 }, 'taken'],
  ['min below 0', { ...user, min: -1 }, 'invalid_amount_bounds', 'min'],
  ['max of 0', { ...user, min: null, max: 0 }, 'invalid_amount_bounds', 'max'],
  ['max of text', { ...user, max: '5' }, 'invalid_amount_bounds', 'max'],
  ['min of half a franc', { ...user, min: 1.5 }, 'invalid_amount_bounds'],
  ['a preset of 0', { ...user, presets: [1000, 0] }, 'invalid_amount_bounds', 'presets.1'],
  ['a preset beyond max', { ...user, presets: [500_001] }, 'invalid_amount_bounds', 'presets.0'],
  ['presets that are no list', { ...user, presets: 5 }, 'invalid_amount_bounds', 'presets'],
  ['no bounds at all', { ...user, min: undefined, max: null, presets: undefined }, 'taken'],
  ['mode user without an amount field', { ...user, schema: { steps: [{ fields: [FIELD] }] } }, 'amount_field_required'],
  ['mode lookup without a field', { ...lookup, schema: { steps: [{ action: 'resolve' }] } }, 'identify_fields_required'],
  [
    'mode lookup with an amount alone',
    { ...lookup, schema: { steps: [{ fields: [{ id: 'a', label: 'a', type: 'amount' }] }] } },
    'identify_fields_required',
  ],
  ['mode lookup without an address', withoutUrl, 'lookup_url_required', 'lookup_url'],
  ['an empty address', { ...lookup, lookup_url: '' }, 'lookup_url_required'],
  ['an address without TLS', { ...lookup, lookup_url: 'http://facturier.example/' }, 'lookup_url_must_be_https', 'lookup_url'],
  ['an address of another scheme', { ...lookup, lookup_url: 'ftp://facturier.example/' }, 'lookup_url_must_be_https'],
  ['no address at all', { ...lookup, lookup_url: 'facturier' }, 'lookup_url_must_be_https'],
  ['an address with a password', { ...lookup, lookup_url: 'https://a:b@facturier.example/' }, 'invalid_request'],
  ['an address that is a number', { ...lookup, lookup_url: 5 }, 'invalid_request'],
  ['lookup by code without code', { ...withoutUrl, lookup_integration: 'code' }, 'lookup_code_required', 'lookup_code'],
  ['lookup by code of spaces', { ...withoutUrl, lookup_integration: 'code', lookup_code: ' ' }, 'lookup_code_required'],
  ['lookup by code', { ...withoutUrl, lookup_integration: 'code', lookup_code: LOOKUP_CODE }, 'taken'],
  ['lookup by something else', { ...lookup, lookup_integration: 'email' }, 'invalid_request', 'lookup_integration'],
  ['fulfillment without code', { ...fixed, fulfillment_mode: 'code' }, 'fulfillment_code_required', 'fulfillment_code'],
  ['fulfillment by something else', { ...fixed, fulfillment_mode: 'webhook' }, 'invalid_request', 'fulfillment_mode'],
  ['a field without an id', withFields({ label: 'x', type: 'text' }), 'field_id_label_required', 'schema.steps.0.fields.0.id'],
  ['a field without a label', withFields({ id: 'x', type: 'text' }), 'field_id_label_required', 'schema.steps.0.fields.0.label'],
  ['a field whose id is a number', withFields({ ...FIELD, id: 1 }), 'field_id_label_required'],
  ['one id twice', withFields(FIELD, { ...FIELD, label: 'Autre' }), 'duplicate_field_id', 'schema.steps.0.fields.1.id'],
  [
    'one id twice, in two steps',
    { ...fixed, schema: { steps: [{ fields: [FIELD] }, { fields: [FIELD] }] } },
    'duplicate_field_id',
    'schema.steps.1.fields.0.id',
  ],
  ['another type', withFields({ ...FIELD, type: 'date' }), 'invalid_field_type', 'schema.steps.0.fields.0.type'],
  ['no type', withFields({ id: 'x', label: 'x' }), 'invalid_field_type'],
  ['a pattern that is none', withFields({ ...FIELD, pattern: '[' }), 'invalid_field_pattern', 'schema.steps.0.fields.0.pattern'],
  ['a pattern that looks ahead', withFields({ ...FIELD, pattern: '(?=a)a' }), 'invalid_field_pattern'],
  ['a pattern that looks behind', withFields({ ...FIELD, pattern: '(?<=a)a' }), 'invalid_field_pattern'],
  ['a pattern that refers back', withFields({ ...FIELD, pattern: '(a)\\1' }), 'invalid_field_pattern'],
  ['a pattern that is a number', withFields({ ...FIELD, pattern: 5 }), 'invalid_field_pattern'],
  ['a pattern of 512 characters', withFields({ ...FIELD, pattern: 'a'.repeat(512) }), 'taken'],
  ['a pattern of 513 characters', withFields({ ...FIELD, pattern: 'a'.repeat(513) }), 'invalid_field_pattern'],
  ['a pattern that grows', withFields({ ...FIELD, pattern: '(.?){1000}' }), 'invalid_field_pattern'],
  ['an empty pattern', withFields({ ...FIELD, pattern: '' }), 'taken'],
  ['a select without options', withFields(SELECT), 'select_options_required', 'schema.steps.0.fields.0.options'],
  ['a select with no option', withFields({ ...SELECT, options: [] }), 'select_options_required'],
  [
    'an option without a value',
    withFields({ ...SELECT, options: [{ label: 'Dakar' }] }),
    'select_options_required',
    'schema.steps.0.fields.0.options.0',
  ],
  ['an option without a label', withFields({ ...SELECT, options: [{ value: 'dkr' }] }), 'select_options_required'],
  ['an option that is text', withFields({ ...SELECT, options: ['Dakar'] }), 'select_options_required'],
  ['a select', withFields({ ...SELECT, options: [{ label: 'Dakar', value: 'dkr' }] }), 'taken'],
  [
    'two options of one value',
    withFields({
      ...SELECT,
      options: [
        { label: 'a', value: 'x' },
        { label: 'b', value: 'x' },
      ],
    }),
    'invalid_schema_json',
  ],
  [
    'an unknown action',
    { ...lookup, schema: { steps: [{ action: 'pay', fields: [FIELD] }] } },
    'invalid_step_action',
    'schema.steps.0.action',
  ],
  ['resolve in another mode', { ...fixed, schema: { steps: [{ action: 'resolve' }] } }, 'invalid_step_action'],
  ['an action that is a number', { ...lookup, schema: { steps: [{ action: 1, fields: [FIELD] }] } }, 'invalid_step_action'],
  ['an id that nobody could send', withFields({ ...FIELD, id: '__proto__' }), 'invalid_schema_json', 'schema.steps.0.fields.0.id'],
  ['an id of Object.prototype that anybody can send', withFields({ ...FIELD, id: 'toString' }), 'taken'],
  ['a label with a line break', withFields({ ...FIELD, label: 'a\nb' }), 'invalid_schema_json'],
  ['a label that is a script', withFields({ ...FIELD, label: '<script>alert(1)</script>' }), 'taken'],
]

describe('a definition', () => {
  for (const [given, body, code, param] of ROWS) {
    test(`${given}: ${code}`, () => {
      assert.equal(codeOf(body), code)
      if (param !== undefined) assert.equal(paramOf(body), param)
    })
  }
})

/** Everything wrong at once; each row repairs what the row before was refused for. */
const REPAIRS: readonly (readonly [code: string, repair: Json])[] = [
  ['title_required', { title: 'x' }],
  ['invalid_amount_mode', { amount_mode: 'lookup' }],
  ['invalid_schema_json', { schema: { steps: [{ action: 'pay', fields: [{ id: 'montant', type: 'amount' }] }] } }],
  ['identify_fields_required', { schema: brokenForm([]) }],
  ['lookup_url_required', { lookup_url: 'http://facturier.example' }],
  ['lookup_url_must_be_https', { lookup_url: 'https://facturier.example', lookup_integration: 'code' }],
  ['lookup_code_required', { lookup_code: LOOKUP_CODE }],
  ['fulfillment_code_required', { fulfillment_code: 'function onPaid() {}' }],
  ['field_id_label_required', { schema: brokenForm(['label']) }],
  ['duplicate_field_id', { schema: brokenForm(['label', 'id']) }],
  ['invalid_field_type', { schema: brokenForm(['label', 'id', 'type']) }],
  ['invalid_field_pattern', { schema: brokenForm(['label', 'id', 'type', 'pattern']) }],
  ['select_options_required', { schema: brokenForm(['label', 'id', 'type', 'pattern', 'options']) }],
  ['invalid_step_action', { schema: brokenForm(['label', 'id', 'type', 'pattern', 'options', 'action']) }],
]

/** Each fault in a field of its own, the later codes in the earlier fields, so that only the order of the checks decides. */
function brokenForm(right: readonly string[]): Json {
  const is = (name: string): boolean => right.includes(name)
  return {
    steps: [
      {
        action: is('action') ? 'resolve' : 'pay',
        fields: [
          { id: 'e', label: 'e', type: 'select', options: is('options') ? [{ label: 'x', value: 'x' }] : [] },
          { id: 'd', label: 'd', type: 'text', pattern: is('pattern') ? 'x' : '(' },
          { id: 'c', label: 'c', type: is('type') ? 'text' : 'date' },
          { id: is('id') ? 'b' : 'c', label: 'b', type: 'text' },
          { id: 'a', label: is('label') ? 'a' : '', type: 'text' },
        ],
      },
    ],
  }
}

test('codes come in the order of the table, with any other errors present', () => {
  let body: Json = { fulfillment_mode: 'code' }
  for (const [code, repair] of REPAIRS) {
    assert.equal(codeOf(body), code)
    body = { ...body, ...repair }
  }
  assert.equal(codeOf(body), 'taken')
  const inUser = { ...user, schema: { steps: [{ action: 'pay' }] }, min: 2, max: 1, fulfillment_mode: 'code' }
  assert.equal(codeOf(inUser), 'invalid_amount_bounds')
  assert.equal(codeOf({ ...inUser, min: 1 }), 'invalid_amount_bounds', 'the presets are beyond max')
  assert.equal(codeOf({ ...inUser, min: 1, presets: [] }), 'amount_field_required')
  const inFixed = { ...fixed, packages: [], fulfillment_mode: 'code' }
  assert.equal(codeOf(inFixed), 'packages_required')
  assert.equal(codeOf({ ...inFixed, packages: [{}] }), 'invalid_package')
  assert.equal(codeOf({ ...inFixed, packages: fixed.packages }), 'fulfillment_code_required')
})
