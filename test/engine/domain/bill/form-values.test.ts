// What a customer may fill in, field type by field type, and what becomes of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readForm } from '../../../../engine/domain/bill/form-values.ts'
import type { FormField, FormSchema } from '../../../../engine/domain/biller/biller-state.ts'

const OPTIONS = [
  { label: 'Mensuel', value: 'm' },
  { label: 'Annuel', value: '1' },
]

function form(...fields: Partial<FormField>[]): FormSchema {
  const whole = fields.map((field, index) => ({ id: `f${index}`, label: 'Champ', type: 'text', ...field }) as FormField)
  return { steps: [{ fields: whole.slice(0, 1) }, {}, { fields: whole.slice(1) }] }
}

/** What is kept of one value, or the code that it is refused with. */
function one(field: Partial<FormField>, value: unknown): unknown {
  const read = readForm(form(field), { f0: value })
  if (!('fault' in read)) return read.values
  assert.equal(read.fault.param, 'form_values.f0')
  return read.fault.code
}

const KEPT: readonly (readonly [Partial<FormField>, readonly unknown[]])[] = [
  [{ type: 'text' }, ['x', 'é', ' deux mots ', '😀'.repeat(255)]],
  [{ type: 'number' }, [0, -1, 12.5, 1e21, '0', '-1', '12.50', '007', '9'.repeat(30)]],
  [{ type: 'phone' }, ['+221771234567', '+22500000001']],
  [{ type: 'select', options: OPTIONS }, ['m', '1']],
  [{ type: 'amount' }, [1, 5000, '5000', '0005', 1_000_000_000_000]],
  [{ pattern: '[0-9]{3}' }, ['123']],
  [{ pattern: '^[0-9]{3}$' }, ['123']],
  [{ type: 'number', pattern: '[0-9]{2}' }, [12, '12']],
]

for (const [field, values] of KEPT) {
  test(`${JSON.stringify(field)} takes ${values.map((value) => String(value).slice(0, 20)).join(', ')}, as they were typed`, () => {
    for (const value of values) assert.deepEqual(one(field, value), { f0: value })
  })
}

const WRONG = 'invalid_form_values'

const REFUSED: readonly (readonly [Partial<FormField>, readonly unknown[], string?])[] = [
  [{ type: 'text' }, [1, true, [], {}, 'a\nb', 'a\u0000', '\ud800', 'x'.repeat(256)]],
  [{ type: 'number' }, ['1e5', '0x10', '1,5', '.5', '5.', '+1', ' 1', 'NaN', true, [1], Number.POSITIVE_INFINITY, '9'.repeat(31)]],
  [{ type: 'phone' }, ['771234567', '221771234567', '+0771234567', '+221 77 123 45 67', '+2217', 221_771_234_567]],
  [{ type: 'select', options: OPTIONS }, ['Mensuel', 'M', 1, 'a', ['m']]],
  [{ type: 'select' }, ['m']],
  [{ type: 'amount' }, ['mille', '1e3', '10.0', 10.5, '-5', true]],
  [{ type: 'amount' }, [0, -5, '0', 1_000_000_000_001, '999999999999999'], 'amount_out_of_bounds'],
  [{ pattern: '[0-9]{3}' }, ['1234', 'a123', '12']],
  [{ pattern: '^SN', type: 'text' }, ['SN1']],
  [{ type: 'number', pattern: '[0-9]{2}' }, [1, -12, '1.5']],
  [{ required: true }, ['', ' ', '\u00a0', null, undefined]],
]

for (const [field, values, code = WRONG] of REFUSED) {
  test(`${JSON.stringify(field)} refuses ${values.map((value) => JSON.stringify(value)?.slice(0, 20)).join(', ')}`, () => {
    for (const value of values) assert.equal(one(field, value), code, JSON.stringify(value))
  })
}

test('what is left empty and not required is left out', () => {
  assert.deepEqual(readForm(form({}, { type: 'number' }, { type: 'phone' }), { f0: '', f1: null }), { values: {} })
})

test('the first field at fault is named, in the order of the form, then those that it does not have', () => {
  const schema = form({ required: true }, { type: 'number' })
  assert.deepEqual(readForm(schema, { f1: 'x', f9: 1 }), { fault: { code: WRONG, param: 'form_values.f0' } })
  assert.deepEqual(readForm(schema, { f0: 'a', f1: 'x', f9: 1 }), { fault: { code: WRONG, param: 'form_values.f1' } })
  assert.deepEqual(readForm(schema, { f0: 'a', f9: 1 }), { fault: { code: WRONG, param: 'form_values.f9' } })
})

test('names out of Object.prototype are names like any other', () => {
  const schema = form({ id: 'toString', required: true }, { id: 'hasOwnProperty' })
  assert.deepEqual(readForm(schema, {}), { fault: { code: WRONG, param: 'form_values.toString' } })
  const read = readForm(form({ id: '__proto__' }), JSON.parse('{"__proto__": "x"}'))
  assert.ok('values' in read)
  assert.equal(JSON.stringify(read.values), '{"__proto__":"x"}')
  assert.equal(Object.getPrototypeOf(read.values), Object.prototype)
})

test('a hundred long values are too much together', () => {
  const schema = form(...Array.from({ length: 100 }, () => ({})))
  const values = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x'.repeat(200)]))
  assert.deepEqual(readForm(schema, values), { fault: { code: WRONG, param: 'form_values.f60' } })
})

test('a pattern made to be slow is answered like any other', () => {
  for (const pattern of ['(a+)+', '(a|a)*b', '([a-zA-Z]+)*1', '(.*)(.*)(.*)(.*)(.*)x']) {
    assert.equal(one({ pattern }, `${'a'.repeat(254)}!`), WRONG)
  }
})

test('a value that is neither text nor a number is rejected for every field', () => {
  const hostile: unknown[] = [{ toString: 1 }, { toString: 1, valueOf: 1 }, [], ['AB'], [{ toString: 1 }], true, { length: 5 }]
  for (const type of ['text', 'number', 'phone', 'select', 'amount'] as const) {
    for (const value of hostile) assert.equal(one({ type, options: OPTIONS }, value), 'invalid_form_values')
  }
})

test('a form of patterns that were made to be slow costs no more than its steps, and one of usual patterns far less', () => {
  const hostile = { pattern: '(?:.?a?){120}z' }
  const slow = form(hostile, hostile, hostile)
  const values = { f0: 'a'.repeat(239), f1: 'a'.repeat(239), f2: 'a'.repeat(239) }
  assert.deepEqual(readForm(slow, values), { fault: { code: WRONG, param: 'form_values.f0' } })
  const usual = form(...Array.from({ length: 45 }, () => ({ pattern: '[A-Za-z0-9 ]{1,255}' })))
  const full = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`f${index}`, 'a'.repeat(255)]))
  assert.ok('values' in readForm(usual, full))
})
