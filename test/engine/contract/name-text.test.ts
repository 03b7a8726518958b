// The rule of names: what a reader cannot see, or takes for another name, is refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Value } from '@sinclair/typebox/value'
import { type NameFault, nameFault } from '../../../engine/contract/name-text.ts'
import { nameText } from '../../../engine/contract/schema.ts'

const GOOD = [
  ...['Boutique Awa', 'S.A. É & Co, 2° étage', 'Ɛ̀wé', 'N’Guessan-Koné', 'Nº 5', '7'],
  ...['Boutique النور', 'ߒߞߏ', 'Ощадбанк', 'Νίκη', '日本の店', 'Chez ❤️ Fatou', '👨‍👩‍👧 famille'],
]

const BAD: readonly (readonly [what: string, name: string, fault: NameFault])[] = [
  ['blanks', '   ', 'invisible_name'],
  ['a blank that does not break', '\u00a0\u3000', 'invisible_name'],
  ['a mark that stands on nothing', '\u0301', 'invisible_name'],
  ['a zero-width space alone', '\u200b', 'hidden_character'],
  ['a zero-width space inside', 'Oran\u200bge', 'hidden_character'],
  ['a joiner between letters', 'Oran\u200dge', 'hidden_character'],
  ['a soft hyphen', 'Oran\u00adge', 'hidden_character'],
  ['a byte order mark', '\ufeffOrange', 'hidden_character'],
  ['an override of the direction', 'A\u202eegnarO', 'hidden_character'],
  ['an isolate', '\u2066Orange\u2069', 'hidden_character'],
  ['a mark of the direction', 'Orange\u200f', 'hidden_character'],
  ['a Hangul filler', '\u3164', 'hidden_character'],
  ['a blank Braille pattern', '\u2800\u2800', 'hidden_character'],
  ['a character for private use', '\ue000', 'hidden_character'],
  ['a line break', 'Awa\nOrange', 'control_character'],
  ['a lone surrogate', 'Awa\ud800', 'control_character'],
  ['a Cyrillic letter among Latin ones', '\u041erange', 'mixed_alphabets'],
  ['a Greek letter among Latin ones', '\u039dike', 'mixed_alphabets'],
  ['letters of mathematics', '\u{1d40e}range', 'mixed_alphabets'],
  ['full-width letters', '\uff2frange', 'mixed_alphabets'],
]

describe('names', () => {
  for (const name of GOOD) it(`${name} is a name`, () => assert.equal(nameFault(name), null))
  for (const [what, name, fault] of BAD) it(`${what}: refused as ${fault}`, () => assert.equal(nameFault(name), fault))

  it('the schema refuses what the rule refuses, and its pattern refuses no name that the rule accepts', () => {
    const schema = nameText({ maxLength: 30 })
    const pattern = new RegExp(String((schema as { pattern?: string }).pattern), 'u')
    for (const name of GOOD) assert.deepEqual([Value.Check(schema, name), pattern.test(name)], [true, true], name)
    for (const [what, name, fault] of BAD) {
      assert.equal(Value.Check(schema, name), false, what)
      if (fault === 'invisible_name' && name !== '\u0301') assert.equal(pattern.test(name), false, what)
    }
    assert.equal(Value.Check(schema, ''), false)
    assert.equal(Value.Check(nameText({ minLength: 0, maxLength: 30 }), ''), true)
    assert.equal(Value.Check(schema, 'x'.repeat(31)), false)
  })
})
