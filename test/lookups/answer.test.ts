// What a lookup's answer must be for a customer to pay by it, and what is made of one that is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readAnswer } from '../../http/workers/lookups/lookup-answer.ts'

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

function kindOf(change: object): string {
  return readAnswer({ ...GOOD, ...change }).kind
}

test('a whole answer is what is due', () => {
  assert.deepEqual(readAnswer(GOOD), { kind: 'due', due: DUE })
})

test('an amount alone will do, and null is the same as nothing', () => {
  const due = { amount: 1, currency: 'XOF', label: '', customer_name: '', biller_ref: '', line_items: [] }
  assert.deepEqual(readAnswer({ ok: true, amount: 1 }), { kind: 'due', due })
  const nothing = { currency: null, label: null, customer_name: null, biller_ref: null, line_items: null }
  assert.deepEqual(readAnswer({ ok: true, amount: 1, ...nothing }), { kind: 'due', due })
  assert.deepEqual(readAnswer({ ok: true, amount: 1, line_items: [], extra: { deep: [] } }), { kind: 'due', due })
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
  test(`${name}: no amount to pay`, () => assert.equal(kindOf(change), 'malformed'))
}

test('what is no object is no answer', () => {
  for (const value of [null, undefined, true, 0, '', 'ok', [], [GOOD]]) assert.equal(readAnswer(value).kind, 'malformed')
})

test('255 characters of a label are taken, whatever each of them is', () => {
  assert.equal(kindOf({ label: '😀'.repeat(255) }), 'due')
  assert.equal(kindOf({ label: '😀'.repeat(256) }), 'malformed')
})

test('shown texts fit on one line and turn nothing around', () => {
  const read = readAnswer({ ...GOOD, label: ' Facture\r\n\tde\u0000 \u202enovembre\u2069 ', customer_name: 'Awa\ud800 D.' })
  assert.ok(read.kind === 'due')
  assert.equal(read.due.label, 'Facture de novembre')
  assert.equal(read.due.customer_name, 'Awa D.')
})

test('the merchant says why there is nothing to pay', () => {
  assert.deepEqual(readAnswer({ ok: false, reason: 'Contrat\u0007 inconnu\n' }), { kind: 'failed', reason: 'Contrat inconnu' })
  assert.deepEqual(readAnswer({ ok: false, reason: 'Contrat inconnu\u00a0!', amount: 5 }), {
    kind: 'failed',
    reason: 'Contrat inconnu\u00a0!',
  })
})

test('a failure without words is a failure all the same', () => {
  for (const reason of [undefined, null, 7, '', ' \n ', { text: 'x' }]) {
    assert.deepEqual(readAnswer({ ok: false, reason }), { kind: 'failed', reason: null })
  }
})

test('a reason that is too long is cut between characters', () => {
  const read = readAnswer({ ok: false, reason: '😀'.repeat(100_000) })
  assert.ok(read.kind === 'failed' && read.reason !== null)
  assert.equal(Array.from(read.reason).length, 300)
  assert.ok(read.reason.endsWith('😀…'))
})

test('whatever JSON comes, what is due is a whole amount within bounds', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.object({ maxDepth: 3 }).map((extra) => JSON.stringify({ ...GOOD, ...extra })),
      ),
      (text) => {
        const read = readAnswer(JSON.parse(text))
        if (read.kind !== 'due') return
        const { amount, line_items } = read.due
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
