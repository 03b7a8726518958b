// Recipients of payouts: which texts are one, and in which form they are kept.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { RECIPIENT_PATTERN, recipientOutput } from '../../../engine/contract/common.ts'
import { isPhone, normalizeRecipient } from '../../../engine/kernel/recipient.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'

const ROWS: readonly (readonly [given: string, kept: string | null])[] = [
  ['awa_d', 'awa_d'],
  ['@AWA_d', 'awa_d'],
  ['+221771234567', '+221771234567'],
  ['+2250700000001', '+2250700000001'],
  ['+12345678', '+12345678'],
  ['+1234567', null],
  ['+123456789012345', '+123456789012345'],
  ['+1234567890123456', null],
  ['+0221771234', null],
  ['@+221771234567', null],
  ['+221 77 123 45 67', null],
  [' +221771234567', null],
  ['00221771234567', null],
  ['221771234567', null],
  ['@221771234567', null],
  ['12345678', null],
  ['1234567', '1234567'],
  ['1234567a', '1234567a'],
  ['1234_5678', '1234_5678'],
  ['+٢٢١٧٧١٢٣٤٥٦٧', null],
  ['+221771234567\n', null],
  ['+', null],
  ['', null],
]

describe('a recipient', () => {
  for (const [given, kept] of ROWS) {
    it(`a recipient ${JSON.stringify(given)} is ${kept === null ? 'malformed' : `kept as ${kept}`}`, () => {
      assert.equal(normalizeRecipient(given), kept)
    })
  }

  it('a recipient that is no phone is a tag, in any text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\+?[0-9@_A-Z]{0,22}$/))
    fc.assert(
      fc.property(text, (given) => {
        const kept = normalizeRecipient(given)
        const isAccepted = new RegExp(RECIPIENT_PATTERN).test(given)
        assert.equal(
          isAccepted && !isPhoneWithoutPlus(given),
          kept !== null,
          'the schema accepts the same texts, and phones without a plus',
        )
        if (kept === null) return assert.ok(given.startsWith('+') || isPhoneWithoutPlus(given) || normalizeTag(given) === null)
        assert.match(kept, new RegExp(String(recipientOutput().pattern)))
        assert.equal(normalizeRecipient(kept), kept, 'what is kept is its own form')
        assert.equal(kept, isPhone(given) ? given : normalizeTag(given))
      }),
    )
  })
})
