// The editor of a product's form without a browser: rows come back as they were, moves lose nothing, and of rows and JSON
// the one that was changed counts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { draftOf, draftSent, type FormDraft, schemaSent } from '../../../../../http/pages/dashboard/products/form-draft.ts'
import { moved } from '../../../../../http/pages/dashboard/products/form-moves.ts'
import {
  type FormRows,
  jsonOf,
  ROW_NAMES,
  rowsOfSchema,
  rowsSent,
  type SentRows,
  schemaOf,
} from '../../../../../http/pages/dashboard/products/form-rows.ts'

/** What a browser sends of these rows. */
function sentOf(rows: FormRows): SentRows {
  const sent: Record<string, string> = {}
  let number = 0
  for (const [at, step] of rows.entries()) {
    sent[`step-${at}-title`] = step.title
    sent[`step-${at}-id`] = step.id
    if (step.isResolving) sent[`step-${at}-resolve`] = 'yes'
    for (const { isRequired, ...texts } of step.fields) {
      sent[`field-${number}-step`] = String(at)
      if (isRequired) sent[`field-${number}-required`] = 'yes'
      for (const [name, text] of Object.entries(texts)) sent[`field-${number}-${name}`] = text.replaceAll('\n', '\r\n')
      number++
    }
  }
  return sent
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((one) => one.replaceAll(/\s+/g, ' ').trim())
const PLAIN = { noNullPrototype: true }
const field = fc.record(
  {
    id: text.filter((id) => id !== ''),
    label: text,
    type: fc.constantFrom('text', 'select', 'phone', 'émail'),
    isRequired: fc.boolean(),
    pattern: text,
    placeholder: text,
    help: text,
    options: fc.constant(''),
  },
  PLAIN,
)
const step = fc.record({ id: text, title: text, isResolving: fc.boolean(), fields: fc.array(field, { maxLength: 6 }) }, PLAIN)
const form = fc.array(step, { maxLength: 5 })

describe('rows', () => {
  test('rows come back from a browser and from JSON as they were', () => {
    fc.assert(
      fc.property(form, (rows) => {
        const sent = sentOf(rows)
        assert.ok(Object.keys(sent).every((name) => ROW_NAMES.test(name)))
        assert.deepEqual(rowsSent(sent), rows)
        assert.deepEqual(rowsOfSchema(JSON.parse(jsonOf(rows))), rows)
      }),
    )
  })

  test('rows keep choices with any text in them, and take a line for both', () => {
    const options = [
      { label: 'Cocody; Angré', value: 'a"b' },
      { label: ' bord ', value: '1' },
    ]
    const rows = rowsOfSchema({ steps: [{ fields: [{ id: 'q', label: 'Quartier', type: 'select', options }] }] }) as FormRows
    assert.deepEqual(schemaOf(rowsSent(sentOf(rows))), { steps: [{ fields: [{ id: 'q', label: 'Quartier', type: 'select', options }] }] })
    const [only] = rows
    const typed = [{ ...only, fields: [{ ...only?.fields[0], options: 'Yopougon' }] }] as FormRows
    assert.match(jsonOf(typed), /"value": "Yopougon"/)
  })

  test('rows name a field by its label, each differently, none by a name that no JSON may have', () => {
    const labels = ['Numéro de compteur', 'Numéro de compteur', 'constructor', '№', 'x'.repeat(200)]
    const fields = labels.map((label) => ({ label, type: 'text' }))
    const ids = [...jsonOf(rowsOfSchema({ steps: [{ fields }] }) as FormRows).matchAll(/"id": "(\w+)"/g)].map(([, id]) => id)
    assert.deepEqual(ids, ['numero_de_compteur', 'numero_de_compteur_2', 'constructor_2', 'champ', 'x'.repeat(60)])
  })

  for (const schema of [
    null,
    [],
    'steps',
    { steps: 1 },
    { steps: [{ action: 'pay' }] },
    { steps: [{ title: 5 }] },
    { steps: [{ fields: [{ id: 7 }] }] },
    { steps: [{ fields: [{ options: [{ label: 1 }] }] }] },
    { steps: Array.from({ length: 21 }, () => ({})) },
    { steps: [{ fields: Array.from({ length: 101 }, () => ({})) }] },
  ]) {
    test(`rows are none for ${JSON.stringify(schema).slice(0, 40)}`, () => assert.equal(rowsOfSchema(schema), null))
  }
})

describe('a move', () => {
  const names = (rows: FormRows): string => rows.map(({ fields }) => fields.map(({ id }) => id).join('')).join('|')
  const rows = rowsOfSchema({ steps: [{ fields: ['a', 'b'].map((id) => ({ id })) }, { fields: [{ id: 'c' }] }] }) as FormRows

  for (const [move, then, focus] of [
    ['up-field-1', 'ba|c', 'field-0-up'],
    ['down-field-1', 'a|bc', 'field-1-down'],
    ['up-field-2', 'abc|', 'field-2-up'],
    ['up-field-0', 'ab|c', 'field-0-up'],
    ['down-field-2', 'ab|c', 'field-2-down'],
    ['drop-field-1', 'a|c', 'step-0-add'],
    ['add-field-0', 'ab|c', 'field-2-label'],
    ['up-step-1', 'c|ab', 'step-0-up'],
    ['down-step-1', 'ab|c', 'step-1-down'],
    ['drop-step-0', 'c', 'add-step'],
    ['add-step', 'ab|c|', 'step-2-title'],
  ] as const) {
    test(`a move ${move} leaves ${then}`, () => {
      const next = moved(rows, move)
      assert.equal(names(next?.rows ?? []), then)
      assert.equal(next?.focus, focus)
    })
  }

  test('a move to nowhere is none', () => {
    for (const move of ['', 'save', 'up-field', 'up-field-9', 'drop-step-7', 'add-field-5', 'add-field', 'up-field-100', 'drop-step'])
      assert.equal(moved(rows, move), null, move)
  })

  test('a move never passes the limits of a form', () => {
    let full: FormRows = []
    for (let count = 0; count < 30; count++) full = moved(full, 'add-step')?.rows ?? full
    assert.equal(full.length, 20)
    for (let count = 0; count < 120; count++) full = moved(full, 'add-field-0')?.rows ?? full
    assert.equal(full.flatMap(({ fields }) => fields).length, 100)
  })
})

describe('of rows and JSON', () => {
  const rows = rowsOfSchema({ steps: [{ fields: [{ id: 'a', label: 'A', type: 'text' }] }] }) as FormRows
  const other = rowsOfSchema({ steps: [{ fields: [{ id: 'b', label: 'B', type: 'text' }] }] }) as FormRows
  const { json, drawn } = draftOf(rows)
  const ids = (draft: FormDraft): string => JSON.stringify(schemaSent(draft)).replaceAll(/.*?"id":"(\w)"[^"]*|.*/g, '$1')

  for (const [name, given, then] of [
    ['neither changed', { schema: json.replaceAll('\n', '\r\n'), rows, do: '' }, ['rows', 'a']],
    ['rows changed', { schema: json, rows: other, do: '' }, ['rows', 'b']],
    ['JSON changed', { schema: jsonOf(other), rows, do: '' }, ['rows', 'b']],
    ['JSON is none', { schema: '{"steps', rows, do: '' }, ['json', '']],
    ['both changed', { schema: '{"steps": []}', rows: other, do: '' }, [null, 'b']],
    ['both changed, JSON wanted', { schema: jsonOf([]), rows: other, do: 'json' }, ['rows', '']],
    ['both changed, rows wanted', { schema: jsonOf([]), rows: other, do: 'rows' }, ['rows', 'b']],
    ['no rows were sent', { schema: jsonOf(other), rows: [], do: '' }, ['rows', 'b']],
  ] as const) {
    test(name, () => {
      const draft = draftSent({ schema: given.schema, drawn, do: given.do }, sentOf(given.rows))
      assert.deepEqual([draft.source, ids(draft)], then)
      assert.equal(draft.fault === null, draft.source === 'rows')
    })
  }
})
