// A wallet owner's name for other callers: enough to recognize a known person, too little to identify an unknown one.
import type { Wallet } from '../../engine/api.ts'

/** Returns `Awa D.`: the first given name and the family name's initial, by user-perceived characters. */
export function maskedName({ given_name, family_name }: Pick<Wallet, 'given_name' | 'family_name'>): string {
  const given = given_name.trim().split(/\s+/)[0] ?? ''
  const [initial] = LETTERS.segment(family_name.trim())
  return initial === undefined ? given : `${given} ${initial.segment.toLocaleUpperCase('fr')}.`.trim()
}

const LETTERS = new Intl.Segmenter('fr', { granularity: 'grapheme' })
