// Slugs of names in any alphabet: plain letters, digits and hyphens.
import { SLUG_LENGTH_MAX } from './biller-limits.ts'

/** `^[a-z0-9][a-z0-9-]{0,62}$`, as billers and products have it. */
export const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Letters that do not come apart into a plain one and a mark: of European languages and of West African ones. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
  ...{ ɓ: 'b', ɖ: 'd', ɗ: 'd', ɛ: 'e', ǝ: 'e', ə: 'e', ƒ: 'f', ɣ: 'g', ɩ: 'i', ƙ: 'k', ŋ: 'n', ɲ: 'n', ɔ: 'o', ʋ: 'v', ƴ: 'y', ʔ: '' },
}

const FALLBACK = 'facturier'

/** `Énergie & Eau de Côte d’Ivoire` → `energie-eau-de-cote-d-ivoire`. A name without a letter that it could show: `facturier`. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]/gu, (letter) => (Object.hasOwn(LETTERS, letter) ? (LETTERS[letter] as string) : '-'))
  const joined = plain.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '')
  return joined.slice(0, SLUG_LENGTH_MAX).replace(/-$/, '') || FALLBACK
}

/** The same with something behind it, within the length of a slug. */
export function slugWith(slug: string, suffix: string): string {
  return `${slug.slice(0, SLUG_LENGTH_MAX - suffix.length - 1).replace(/-$/, '')}-${suffix}`
}
