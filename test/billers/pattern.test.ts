// Merchants' patterns: what they mean, and that no pattern and no value makes them slow.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { matchesPattern, patternSize } from '../../engine/domain/pattern.ts'

describe('a pattern', () => {
  test('is about the whole value', () => {
    for (const pattern of ['^[0-9]{11}$', '[0-9]{11}']) {
      assert.ok(matchesPattern(pattern, '01234567890'))
      assert.ok(!matchesPattern(pattern, '012345678901'))
      assert.ok(!matchesPattern(pattern, 'n° 01234567890'))
    }
  })

  test('is read as JavaScript writes it', () => {
    assert.ok(matchesPattern('\\d{2}\\/[\\u00e0-\\u00ff]+', '12/éè'))
    assert.ok(matchesPattern('(?<lettre>[a-z])\\p{Lu}', 'xÉ'))
  })

  test('never takes long, whatever it is and whatever it is held against', () => {
    const hostile = ['(a*)*b', '(x+x+)+y', '(.*)(.*)(.*)(.*)[^a]', '((a?){10}){20}', '(?i)[\\p{L}\\p{N}]{500}', '(.{0,9}){50}']
    for (const pattern of hostile) {
      const size = patternSize(pattern)
      assert.ok(size !== null && size <= 1024, pattern)
      // Exponential matching would not end in this universe.
      assert.equal(matchesPattern(pattern, `${'x'.repeat(5000)}!`), pattern === '(.*)(.*)(.*)(.*)[^a]', pattern)
    }
  })

  test('that nothing takes is none, whatever characters it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const size = patternSize(text)
        assert.ok(size === null || size > 0)
        if (size !== null) matchesPattern(text, text)
      }),
      { numRuns: 2000 },
    )
  })
})
