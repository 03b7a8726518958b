// Merchants' patterns: what they mean, and that no pattern and no value makes them slow.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { matchesPattern, refusedPattern } from '../../../engine/domain/pattern.ts'
import { runs } from '../../support/property-runs.ts'

/** With as many steps as it takes. */
function matches(pattern: string, text: string): boolean {
  return matchesPattern(pattern, text, { left: Number.POSITIVE_INFINITY })
}

describe('a pattern', () => {
  test('a pattern is about the whole value', () => {
    for (const pattern of ['^[0-9]{11}$', '[0-9]{11}']) {
      assert.ok(matches(pattern, '01234567890'))
      assert.ok(!matches(pattern, '012345678901'))
      assert.ok(!matches(pattern, 'n° 01234567890'))
    }
  })

  test('a pattern is read as JavaScript writes it', () => {
    assert.ok(matches('\\d{2}\\/[\\u00e0-\\u00ff]+', '12/éè'))
    assert.ok(matches('(?<lettre>[a-z])\\p{Lu}', 'xÉ'))
    assert.ok(matches('(?i)[a-z]{2}-[0-9]+', 'aB-12'))
  })

  test('a pattern never takes long on any value', () => {
    const hostile = ['(a*)*b', '(x+x+)+y', '(.*)(.*)(.*)(.*)[^a]', '((a?){10}){20}', '[\\p{L}\\p{N}]{500}', '(.{0,9}){30}']
    assert.equal(refusedPattern(hostile.slice(0, 4)), null)
    for (const pattern of hostile) {
      assert.equal(refusedPattern([pattern]), null, pattern)
      // Exponential matching would not end in this universe.
      assert.equal(matches(pattern, `${'x'.repeat(5000)}!`), pattern === '(.*)(.*)(.*)(.*)[^a]', pattern)
    }
  })

  test('a pattern says what the library that compiled it says', () => {
    const piece = fc.constantFrom(
      ...[
        '(',
        ')',
        '[ab]',
        '{2}',
        '{1,3}',
        '*',
        '+?',
        '|',
        '.',
        '\\d',
        '\\b',
        '\\B',
        '^',
        '$',
        '(?i)',
        '(?s)',
        '(?m)',
        'a',
        'b',
        'é',
        '\\p{L}',
        '[^a]',
        '😀',
      ],
    )
    const pattern = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const text = fc.array(fc.constantFrom('a', 'b', 'A', 'é', '1', ' ', '\n', '😀'), { maxLength: 8 }).map((letters) => letters.join(''))
    let taken = 0
    let matched = 0
    fc.assert(
      fc.property(pattern, text, (one, value) => {
        if (refusedPattern([one]) !== null) return
        taken++
        const says = RE2JS.compile(RE2JS.translateRegExp(one)).testExact(value)
        assert.equal(matches(one, value), says, `${JSON.stringify(one)} and ${JSON.stringify(value)}`)
        if (says) matched++
      }),
      { numRuns: runs(6_000) },
    )
    assert.ok(taken > 600 && matched > 60, `${taken} patterns were taken, ${matched} matched`)
  })

  test('a pattern has an end: with no steps left the answer is no', () => {
    const steps = { left: 1000 }
    assert.ok(matchesPattern('[A-Z]{2}[0-9]{4,20}', 'AB12345678', steps))
    assert.ok(steps.left > 900, `a usual one takes few: ${1000 - steps.left}`)
    assert.equal(matchesPattern('((a?){10}){20}', 'a'.repeat(200), steps), false)
    assert.ok(steps.left <= 0 && steps.left > -2, 'it stopped where there were none')
    assert.equal(matchesPattern('a', 'a', steps), false, 'what is judged together shares them')
    assert.ok(matches('((a?){10}){20}', 'a'.repeat(200)), 'given enough of them it is a yes')
  })

  test('a pattern that would take long to compile is refused before it is', () => {
    const rows: readonly string[] = [
      // Ignoring case in a wide range: 100 of them took 3 s.
      `(?i)${'[Ā-ﻼ]'.repeat(100)}`,
      '(?i)[\\x{100}-\\x{ffff}]',
      '(?i:\\p{L})',
      '(?si)é',
      // Repetitions side by side: 64 000 instructions, 300 ms.
      'a{1000}.'.repeat(60),
      'a{999,}.'.repeat(60),
      `(?:${'a'.repeat(400)}){1000}`,
      '((a{10}){10}){9}'.repeat(30),
      `\\Q\\\\Ex{1000}${'\\Q\\\\Ex{1000}'.repeat(30)}`,
      'a{00000000000000001000}'.repeat(20),
      '(.?){1000}',
      // Classes of hundreds of ranges.
      '\\p{L}|'.repeat(17),
    ]
    for (const pattern of rows) assert.equal(refusedPattern([pattern]), 0, pattern.slice(0, 40))
  })

  test('a pattern of a form that is one too many is named', () => {
    assert.equal(refusedPattern(Array.from({ length: 100 }, () => '[0-9]{11}')), null)
    assert.equal(refusedPattern(Array.from({ length: 100 }, () => '[0-9]{11}[a-z]{9}')), 93, 'by what they cost together')
    assert.equal(refusedPattern(Array.from({ length: 5 }, () => 'a'.repeat(500))), 4, 'by their length together')
    assert.equal(refusedPattern(Array.from({ length: 17 }, () => '\\p{L}')), 16, 'by their classes together')
    assert.equal(refusedPattern(['a', '(', 'b']), 1)
  })

  test('a pattern that nothing takes is rejected, made of any characters', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '{2}',
      '{1,9}',
      '*',
      '+?',
      '|',
      '\\',
      '\\p{L}',
      '\\Q',
      '\\E',
      '(?i)',
      '^',
      '$',
      'a',
      'é',
      '-',
    )
    const pattern = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(pattern, fc.string({ unit: 'binary', maxLength: 60 }), (text, value) => {
        if (refusedPattern([text]) === null) matches(text, value)
        else assert.equal(matches(text, value), false)
      }),
      { numRuns: runs(3000) },
    )
  })
})
