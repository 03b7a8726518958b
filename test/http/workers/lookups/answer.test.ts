// What a lookup's answer must be for a customer to pay by it, and what is made of one that is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ReadAnswer, readAnswer } from '../../../../http/workers/lookups/lookup-answer.ts'

const GOOD = {
  ok: true,
  amount: 12_500,
  currency: 'XOF',
  label: 'Facture de novembre',
  customer_name: 'Awa Diallo',
  biller_ref: 'FAC-2026-11',
  line_items: [
    { label: 'Consommation', amount: 13_000 },
    { label: 'Remise', amount: -500 },
  ],
}

const { ok: _, ...DUE } = GOOD

function read(value: unknown): ReadAnswer {
  return readAnswer(JSON.stringify(value), 'XOF')
}

function kindOf(change: object): string {
  return read({ ...GOOD, ...change }).kind
}

test('a whole answer is what is due', () => {
  assert.deepEqual(read(GOOD), { kind: 'due', due: DUE })
})

test('an amount alone will do, and null is the same as nothing', () => {
  const due = { amount: 1, currency: 'XOF', label: '', customer_name: '', biller_ref: '', line_items: [] }
  assert.deepEqual(read({ ok: true, amount: 1 }), { kind: 'due', due })
  const nothing = { currency: null, label: null, customer_name: null, biller_ref: null, line_items: null }
  assert.deepEqual(read({ ok: true, amount: 1, ...nothing }), { kind: 'due', due })
  assert.deepEqual(read({ ok: true, amount: 1, line_items: [], extra: { deep: [] } }), { kind: 'due', due })
})

const BAD: readonly (readonly [string, object])[] = [
  ['ok as text', { ok: 'true' }],
  ['ok as a number', { ok: 1 }],
  ['no ok', { ok: undefined }],
  ['no amount', { amount: undefined }],
  ['amount 0', { amount: 0 }],
  ['amount below 0', { amount: -12_500 }],
  ['a fraction', { amount: 12_500.5 }],
  ['amount as text', { amount: '12500' }],
  ['an amount beyond the largest', { amount: 1_000_000_000_001, line_items: null }],
  ['an amount that is no safe integer', { amount: 2 ** 60, line_items: null }],
  ['another currency', { currency: 'EUR' }],
  ['currency in lower case', { currency: 'xof' }],
  ['a label that is a number', { label: 7 }],
  ['a label that is too long', { label: 'x'.repeat(256) }],
  ['a name that is a list', { customer_name: ['Awa'] }],
  ['a reference that is a number', { biller_ref: 20_261_120 }],
  ['a reference of two lines', { biller_ref: 'FAC\n1' }],
  ['a reference that is too long', { biller_ref: 'x'.repeat(256) }],
  ['line items that are an object', { line_items: {} }],
  ['a sum that is not the amount', { line_items: [{ label: 'Consommation', amount: 12_499 }] }],
  ['a line without a label', { line_items: [{ amount: 12_500 }] }],
  ['a line with an empty label', { line_items: [{ label: ' ', amount: 12_500 }] }],
  [
    'a line with a fraction',
    {
      line_items: [
        { label: 'a', amount: 12_499.5 },
        { label: 'b', amount: 0.5 },
      ],
    },
  ],
  ['a line with text', { line_items: [{ label: 'a', amount: '12500' }] }],
  ['a line that is null', { line_items: [null] }],
  ['too many lines', { line_items: Array.from({ length: 51 }, () => ({ label: 'a', amount: 12_500 / 50 })) }],
]

for (const [name, change] of BAD) {
  test(`an answer has no amount to pay: ${name}`, () => assert.equal(kindOf(change), 'malformed'))
}

test('what is no object is no answer', () => {
  for (const value of [null, true, 0, '', 'ok', [], [GOOD]]) assert.equal(read(value).kind, 'malformed')
})

test('255 characters of any kind are taken as a label', () => {
  assert.equal(kindOf({ label: '😀'.repeat(255) }), 'due')
  assert.equal(kindOf({ label: '😀'.repeat(256) }), 'malformed')
})

test('shown texts fit on one line and turn nothing around', () => {
  const found = read({ ...GOOD, label: ' Facture\r\n\tde\u0000 \u202enovembre\u2069 ', customer_name: 'Awa\ud800 D.' })
  assert.ok(found.kind === 'due')
  assert.equal(found.due.label, 'Facture de novembre')
  assert.equal(found.due.customer_name, 'Awa D.')
})

test('the merchant says why there is nothing to pay', () => {
  assert.deepEqual(read({ ok: false, reason: 'Contrat\u0007 inconnu\n' }), { kind: 'failed', reason: 'Contrat inconnu' })
  assert.deepEqual(read({ ok: false, reason: 'Contrat inconnu\u00a0!', amount: 5 }), {
    kind: 'failed',
    reason: 'Contrat inconnu\u00a0!',
  })
})

test('a failure with a blank reason is a failure all the same', () => {
  for (const reason of ['', ' \n ']) assert.deepEqual(read({ ok: false, reason }), { kind: 'failed', reason: null })
})

test('a failure without a reason in words is malformed', () => {
  for (const reason of [undefined, null, 7, { text: 'x' }]) {
    const found = read({ ok: false, reason })
    assert.ok(found.kind === 'malformed')
    assert.equal(found.problem, 'Le champ reason doit être un texte quand ok est false.')
  }
})

const SPELLINGS: readonly (readonly [name: string, text: string, problem: RegExp])[] = [
  ['an amount spelled as a float', '{"ok":true,"amount":5000.0}', /^Le champ amount doit être un entier/],
  ['an amount with an exponent', '{"ok":true,"amount":5e3}', /^Le champ amount doit être un entier/],
  ['ok spelled as a float', '{"ok":1.0,"amount":5000}', /^Le champ ok doit être true ou false/],
  ['a line spelled as a float', '{"ok":true,"amount":5,"line_items":[{"label":"a","amount":5.0}]}', /^Le champ line_items/],
  ['an amount twice', '{"ok":true,"amount":1,"amount":5000}', /^Le champ amount figure plusieurs fois\.$/],
  ['ok twice, once escaped', '{"ok":true,"\\u006fk":false,"amount":5000}', /^Le champ ok figure plusieurs fois\.$/],
  ['a label twice in one line', '{"ok":true,"amount":5,"line_items":[{"label":"a","label":"b","amount":5}]}', /line_items\.0\.label/],
  ['a reserved name', '{"ok":true,"amount":5,"__proto__":{}}', /nom réservé/],
  ['more levels than a request may have', `{"ok":true,"amount":5,"x":${'['.repeat(40)}${']'.repeat(40)}}`, /plus de 32 niveaux/],
  ['more values than an answer may have', `{"ok":true,"amount":5,"x":[${'1,'.repeat(10_000)}1]}`, /plus de 10000 valeurs/],
]

for (const [name, text, problem] of SPELLINGS) {
  test(`${name}: no amount to pay, and the merchant is shown why`, () => {
    const found = readAnswer(text, 'XOF')
    assert.ok(found.kind === 'malformed')
    assert.match(found.problem, problem)
  })
}

test('a reason that is too long is cut between characters', () => {
  const found = read({ ok: false, reason: '😀'.repeat(100_000) })
  assert.ok(found.kind === 'failed' && found.reason !== null)
  assert.equal(Array.from(found.reason).length, 300)
  assert.ok(found.reason.endsWith('😀…'))
})

test('for any JSON what is due is a whole amount within bounds', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.object({ maxDepth: 3 }).map((extra) => JSON.stringify({ ...GOOD, ...extra })),
      ),
      (text) => {
        const found = readAnswer(text, 'XOF')
        if (found.kind !== 'due') return
        const { amount, line_items } = found.due
        assert.ok(Number.isSafeInteger(amount) && amount >= 1 && amount <= 1e12)
        if (line_items.length > 0)
          assert.equal(
            line_items.reduce((sum, line) => sum + line.amount, 0),
            amount,
          )
      },
    ),
  )
})
