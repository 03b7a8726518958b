// A wallet owner's name as other callers may see it: enough to recognize a known person, too little to identify an unknown one.
import type { Wallet } from '../../engine/api.ts'

/** `Awa D.`: the first given name and the first letter of the family name. Counts characters as people see them. */
export function maskedName({ given_name, family_name }: Pick<Wallet, 'given_name' | 'family_name'>): string {
  const given = given_name.trim().split(/\s+/)[0] ?? ''
  const [initial] = LETTERS.segment(family_name.trim())
  return initial === undefined ? given : `${given} ${initial.segment.toLocaleUpperCase('fr')}.`.trim()
}

const LETTERS = new Intl.Segmenter('fr', { granularity: 'grapheme' })
