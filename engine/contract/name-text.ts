// The rule of names: of merchants, people, billers, products, keys. A reader must see what a name is made of, so that none
// is empty to the eye, hides characters, or looks like another name.
import { textLength } from './text-length.ts'

/** Why a name is refused. */
export type NameFault = 'control_character' | 'invisible_name' | 'hidden_character' | 'mixed_alphabets'

/** Emoji may be joined and have a variation selector (UTS #51). */
const EMOJI = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?)*/gu
/** Bidirectional controls, zero-width and other characters without a glyph; the blank Braille pattern; private use. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2028\u2029\u2800]/u
/** Marks need a character to stand on. */
const VISIBLE = /[^\s\p{M}]/u
/** One character that a reader sees is enough for a text that is no name. */
const SEEN = /[^\s\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\u2028\u2029\u2800]/u
/** Letters of plain text for mathematics and full-width ones: they imitate Latin letters. */
const IMITATED = /[\u{1d400}-\u{1d7ff}\uff21-\uff3a\uff41-\uff5a]/u

/** Scripts that may stand beside Latin: UTS #39, section 5.2, moderately restrictive, which leaves out Cyrillic and Greek. */
const BESIDE_LATIN = [
  'Arabic',
  'Nko',
  'Adlam',
  'Tifinagh',
  'Vai',
  'Ethiopic',
  'Bamum',
  'Hebrew',
  'Han',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Thai',
]
const ALONE = [
  'Cyrillic',
  'Greek',
  'Georgian',
  'Armenian',
  'Khmer',
  'Lao',
  'Myanmar',
  'Sinhala',
  'Gujarati',
  'Gurmukhi',
  'Telugu',
  'Kannada',
  'Malayalam',
]
const NEUTRAL = '\\p{Script=Common}\\p{Script=Inherited}'
const scripts = (...scripts: readonly string[]): RegExp =>
  new RegExp(`^[${NEUTRAL}${scripts.map((name) => `\\p{Script=${name}}`).join('')}]*$`, 'u')
const ALPHABETS: readonly RegExp[] = [
  ...BESIDE_LATIN.map((name) => scripts('Latin', name)),
  ...ALONE.map((name) => scripts(name)),
  scripts('Latin', 'Han', 'Hiragana', 'Katakana'),
  scripts('Latin', 'Han', 'Hangul'),
]

/** Returns whether a reader sees nothing of the text. */
export function isBlank(text: string): boolean {
  return !SEEN.test(text)
}

/** Returns null for a name that may be kept. The empty text is none of its faults: a schema says whether it may be empty. */
export function nameFault(name: string): NameFault | null {
  if (textLength(name, false) < 0) return 'control_character'
  if (name === '') return null
  const plain = name.replaceAll(EMOJI, '*')
  if (HIDDEN.test(plain)) return 'hidden_character'
  if (!VISIBLE.test(plain)) return 'invisible_name'
  if (IMITATED.test(plain) || !ALPHABETS.some((alphabet) => alphabet.test(plain))) return 'mixed_alphabets'
  return null
}
