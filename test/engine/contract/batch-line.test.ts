// Reading one line of a batch: any JSON becomes a line, and its first error is named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BatchLine } from '../../../engine/contract/batch-line.ts'
import { ANY_ITEM, readBatchLine } from '../../support/batch-lines.ts'

const GOOD: BatchLine = { recipient: 'awa_d', amount: 5, reference: '', note: '', fault: null }

const ROWS: readonly { readonly given: unknown; readonly then: BatchLine }[] = [
  { given: { recipient: 'awa_d', amount: 5 }, then: GOOD },
  { given: { recipient: '@AWA_d', amount: 5, reference: 'R', note: 'a\nb' }, then: { ...GOOD, reference: 'R', note: 'a\nb' } },
  { given: { recipient: 'awa_d', amount: 5, more: 1 }, then: { ...GOOD, fault: 'unknown_field' } },
  { given: { recipient: '@@awa', amount: 5, more: 1 }, then: { ...GOOD, recipient: '@@awa', fault: 'unknown_field' } },
  { given: { recipient: 'awa_d', amount: 5, currency: 'XOF' }, then: GOOD },
  { given: { recipient: 'awa_d', amount: 5, currency: 'EUR' }, then: { ...GOOD, fault: 'unsupported_currency' } },
  { given: { recipient: '+221771234567', amount: 5 }, then: { ...GOOD, recipient: '+221771234567' } },
  { given: { recipient: '+0221771234', amount: 5 }, then: { ...GOOD, recipient: '+0221771234', fault: 'invalid_recipient' } },
  { given: { recipient: '@@awa', amount: 5 }, then: { ...GOOD, recipient: '@@awa', fault: 'invalid_recipient' } },
  { given: { recipient: 'x'.repeat(2000), amount: 5 }, then: { ...GOOD, recipient: 'x'.repeat(64), fault: 'invalid_recipient' } },
  { given: { recipient: '💶'.repeat(2000), amount: 5 }, then: { ...GOOD, recipient: '💶'.repeat(64), fault: 'invalid_recipient' } },
  { given: { recipient: 7, amount: 5 }, then: { ...GOOD, recipient: '', fault: 'invalid_recipient' } },
  { given: { amount: 5 }, then: { ...GOOD, recipient: '', fault: 'invalid_recipient' } },
  { given: { recipient: '', amount: 'x' }, then: { ...GOOD, recipient: '', amount: null, fault: 'invalid_recipient' } },
  { given: { recipient: 'awa_d' }, then: { ...GOOD, amount: null, fault: 'invalid_amount' } },
  { given: { recipient: 'awa_d', amount: '5' }, then: { ...GOOD, amount: null, fault: 'invalid_amount' } },
  { given: { recipient: 'awa_d', amount: 1.5 }, then: { ...GOOD, amount: null, fault: 'invalid_amount' } },
  { given: { recipient: 'awa_d', amount: 0 }, then: { ...GOOD, amount: 0, fault: 'invalid_amount' } },
  { given: { recipient: 'awa_d', amount: -5 }, then: { ...GOOD, amount: -5, fault: 'invalid_amount' } },
  { given: { recipient: 'awa_d', amount: 1e12 }, then: { ...GOOD, amount: 1e12 } },
  { given: { recipient: 'awa_d', amount: 1e12 + 1 }, then: { ...GOOD, amount: 1e12 + 1, fault: 'invalid_amount' } },
  { given: { recipient: 'awa_d', amount: 1e300 }, then: { ...GOOD, amount: null, fault: 'invalid_amount' } },
  { given: { recipient: 'awa_d', amount: 5, reference: 'a\nb' }, then: { ...GOOD, fault: 'invalid_reference' } },
  { given: { recipient: 'awa_d', amount: 5, reference: null }, then: { ...GOOD, fault: 'invalid_reference' } },
  { given: { recipient: 'awa_d', amount: 5, reference: 'x'.repeat(256) }, then: { ...GOOD, fault: 'invalid_reference' } },
  { given: { recipient: 'awa_d', amount: 5, note: 'x'.repeat(501) }, then: { ...GOOD, fault: 'invalid_note' } },
  { given: { recipient: 'awa_d', amount: 5, note: 'a\u0000' }, then: { ...GOOD, fault: 'invalid_note' } },
  ...[null, 7, 'awa', true, [], {}].map((given) => ({
    given,
    then: { ...GOOD, recipient: '', amount: null, fault: 'invalid_recipient' } as const,
  })),
]

for (const { given, then } of ROWS) {
  test(`a line is read: ${JSON.stringify(given).slice(0, 80)}`, () => assert.deepEqual(readBatchLine(given), then))
}

test('any JSON at all is a line, and only a line without fault could be a payout', () => {
  fc.assert(
    fc.property(ANY_ITEM, (item) => {
      const { recipient, amount, reference, note, fault } = readBatchLine(item)
      assert.ok(recipient.length <= 128 && reference.length <= 512 && note.length <= 1000)
      if (fault !== null) return
      assert.match(recipient, /^([a-z0-9_]{3,20}|\+[1-9][0-9]{7,14})$/)
      assert.ok(amount !== null && Number.isInteger(amount) && amount >= 1 && amount <= 1e12)
    }),
  )
})
