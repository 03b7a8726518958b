// Words that a reader must decode. Comments, texts and names of the source and the documents are without them.
import type { Rule, Violation } from './violation.ts'

const PICTURES =
  /\b(?:nobody|whoever|whatever|somebody|anybody|of ours|(?:is|are|was|were|be) told|lets? go|hears? (?:of|from)|timer books?)\b/i

/** Uses that are right, each with the words of its line. */
const ALLOWED: readonly { readonly file: string; readonly words: string; readonly reason: string }[] = [
  { file: 'bench/rivals/postgres-cluster.ts', words: '`nobody`', reason: 'the system user of that name' },
  { file: 'bench/rivals/postgres-cluster.ts', words: "'nobody'", reason: 'the system user of that name' },
  { file: 'http/api/checkout/checkout-routes.ts', words: "'nobody'", reason: 'part of the scope of stored keys, which never changes' },
]

export interface PictureFound {
  readonly line: number
  readonly word: string
}

/** Lines of a text with such a word. */
export function picturesIn(path: string, text: string): PictureFound[] {
  const allowed = ALLOWED.filter(({ file }) => file === path)
  return text.split('\n').flatMap((line, index) => {
    const word = PICTURES.exec(allowed.reduce((rest, { words }) => rest.replaceAll(words, ''), line))?.[0]
    return word === undefined ? [] : [{ line: index + 1, word }]
  })
}

export const PLAIN_WORDS: Rule = {
  name: 'plain-words',
  reason: "A sentence says one fact in the field's terms, for readers whose English is a second language.",
  check: (tree) => [
    ...[...tree.files.values()]
      .filter(({ path }) => !path.startsWith('test/'))
      .flatMap(({ path, text }) =>
        picturesIn(path, text).map(
          ({ line, word }): Violation => ({ file: path, line, message: `says "${word}": name who or what it is` }),
        ),
      ),
    ...ALLOWED.filter(({ file, words }) => tree.files.get(file)?.text.includes(words) === false).map(
      ({ file, words }): Violation => ({ file, line: 1, message: `has no "${words}" any more: take its row out of the list` }),
    ),
  ],
}
