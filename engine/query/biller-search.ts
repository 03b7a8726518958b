// Finds billers by typed text: accents, case and ligatures make no difference, every word must be found somewhere.
import type { BillerProfile } from '../domain/biller/biller-state.ts'

/** Marks and ligatures off, lower case: `Sénélec` and `senelec` are the same. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[’ʼ`´]/g, "'")
}

/** The words of a query; none for a blank one. */
export function wordsOf(query: string): readonly string[] {
  return folded(query)
    .split(/[\s\-'.,]+/)
    .filter((word) => word !== '')
}

/** Folded texts by row. Rows are immutable, so a text stays right as long as its row exists. */
const texts = new WeakMap<BillerProfile, string>()

/** Whether each word stands somewhere in name, description, slug or the label of the category. */
export function isFound(biller: BillerProfile, categoryLabel: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  let text = texts.get(biller)
  if (text === undefined) {
    text = folded(`${biller.display_name}\n${biller.short_desc}\n${biller.slug}\n${categoryLabel}`)
    texts.set(biller, text)
  }
  return words.every((word) => (text as string).includes(word))
}
