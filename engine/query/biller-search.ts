// Finds billers by typed text. Accents, case and ligatures are ignored; every word must match.
import type { BillerProfile } from '../domain/biller/biller-state.ts'

/** Removes marks and ligatures and lowers the case: `Sénélec` and `senelec` are equal. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[’ʼ`´]/g, "'")
}

/** Returns the words of a query; none for a blank one. */
export function wordsOf(query: string): readonly string[] {
  return folded(query)
    .split(/[\s\-'.,]+/)
    .filter((word) => word !== '')
}

/** Folded texts by row. Rows are immutable, so a text is valid as long as its row. */
const texts = new WeakMap<BillerProfile, string>()

/** Returns whether each word is in name, description, slug or the label of the category. */
export function isFound(biller: BillerProfile, categoryLabel: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  let text = texts.get(biller)
  if (text === undefined) {
    text = folded(`${biller.display_name}\n${biller.short_desc}\n${biller.slug}\n${categoryLabel}`)
    texts.set(biller, text)
  }
  return words.every((word) => (text as string).includes(word))
}
