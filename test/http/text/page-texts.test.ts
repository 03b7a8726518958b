// A text that a person reads is a value in both languages. The compiler holds that none is missing; these tests hold that none
// stands outside of `texts({ fr, en })`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRENCH } from '../../support/french-words.ts'
import { pageTexts } from '../../support/page-texts.ts'

/** Code of merchants, names in requests, and the French of the API document. */
const OTHERS =
  /code-templates|docs\/(?:(?:reference-|plain-)?samples|literals|request-headers|search-synonyms|french-(?:summaries|field-words))/
/** The product, headers, functions of hosted code, and attributes without a value. */
const NAMES =
  /\b(?:Cauri|openapi\.yaml|X-Api-Key|X-Api-Secret|lookup|args|onPaid|ctx|autofocus|checked|disabled|hidden|open|required|selected)\b/g
/** Data: contents of forms for merchants, the name of a device, a summary of the API in English, names of languages, words of dates. */
const DATA =
  /^(?:Votre compteur|Numéro de compteur|11 chiffres, sur votre facture\.|référence|Téléphone simulé|The user’s account|Français|à|à l’instant)$/

const TEXTS = pageTexts('http/pages').filter(({ place, isOutside }) => isOutside && !OTHERS.test(place))

test('a template of a page has no words of its own', () => {
  const words = TEXTS.filter(({ text, isHtml }) => isHtml && /\p{L}/u.test(text.replaceAll(NAMES, '')))
  assert.deepEqual(
    words.map(({ place, text }) => `${place} ${text.trim()}`),
    [],
  )
})

test('a French text of a page stands in `texts`', () => {
  const french = TEXTS.filter(({ text, isHtml }) => !isHtml && FRENCH.test(text) && !DATA.test(text))
  assert.deepEqual(
    french.map(({ place, text }) => `${place} ${text}`),
    [],
  )
})

test('the search for texts finds words of templates, their attributes, and both kinds of literals', () => {
  const found = pageTexts('test/support/page-texts-sample.ts')
  assert.deepEqual(
    found.map(({ text, isOutside, isHtml }) => [text.trim(), isOutside, isHtml]),
    [
      ['Bonjour {}', false, false],
      ['Dehors', true, false],
      ['Envoyer {}    Aide', true, true],
    ],
  )
})
