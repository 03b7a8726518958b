// The English catalogue of the pages is complete: each French text of a page has its English, and no entry is left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERVED_QUOTAS } from '../../../http/api/operator/served-quotas.ts'
import { keyOf } from '../../../http/text/catalogue.ts'
import { API_TEXTS } from '../../../http/text/english/api-details.ts'
import { COMPOSED_TEXTS } from '../../../http/text/english/composed.ts'
import { PAGE_CATALOGUE, PAGE_TEXTS } from '../../../http/text/english/page-catalogue.ts'
import { pageTexts } from '../../support/page-texts.ts'

/** Files without texts of the service: code of merchants, names of browsers. */
const OTHERS =
  /code-templates|browser-words|docs\/(?:(?:reference-|plain-)?samples|literals|request-headers|search-synonyms|french-summaries)/
/** A name in code, in the guide to hosted code. */
const NAME_IN_CODE = /code-guide\S* [A-Za-z]+$/

/** Texts in the source that no reader sees, or that are the same in both languages: headers, file contents, names. */
const NOT_TRANSLATED: ReadonlySet<string> = new Set([
  ...['Pages', 'Bearer {0}', 'Location', 'Vary', 'Accept-Language, Cookie', 'Connection', 'X-Api-Key', 'X-Api-Secret', 'noindex, nofollow'],
  ...['text/html; charset=utf-8', 'text/plain; charset=utf-8', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8'],
  ...['text/csv; charset=utf-8', 'text/event-stream; charset=utf-8', 'event: news data: 1', 'attachment; filename="{0}"'],
  ...['public, max-age=31536000, immutable', 'Path={0}', 'HttpOnly', 'SameSite=Strict', 'SameSite=Lax', 'Secure', 'Max-Age={0}'],
  ...['Français', 'English', '{0} · Cauri', '{0}Cauri', 'Cauri', 'openapi.yaml', 'lookup(args)', 'onPaid(ctx)', 'à', 'just now', '{0}…'],
  // Headings of the API document, in English.
  ...['Conventions', 'Request', 'Parameters', 'Contents', 'curl', 'Copy', 'Copied', 'Body'],
  // Lines of its shell commands.
  ...['"Authorization: Bearer {0}"', "-H 'Content-Type: application/json'"],
  // Keys of states, and summaries of routes.
  ...['taking over', 'handing over', 'Approve a movement', 'Refuse a movement', 'Approve a new operator', 'Refuse a new operator'],
  'The form: {0} a mandate',
  // Classes of text in the curator's comparison.
  'written is-code',
  // The start of an error beside its field, which is French or English already.
  'Ce champ',
  // Header of lines in a form: the same in both languages, as in the files that it reads.
  'référence',
  'destinataire;montant;référence;note @awa_diallo;25000;PAIE-11;Salaire de novembre +221 77 123 45 67;18 500;PAIE-11;',
])

const ENTRIES = PAGE_TEXTS.flatMap((part) => Object.entries(part))

test('each text of a page has its English', () => {
  const missing = pageTexts('http/pages').filter(
    ({ key, place }) =>
      !(OTHERS.test(place) || /^<(?!\d)/.test(key) || NAME_IN_CODE.test(`${place} ${key}`)) &&
      !NOT_TRANSLATED.has(key) &&
      PAGE_CATALOGUE.entry(key) === null,
  )
  assert.deepEqual(
    missing.map(({ key, place }) => `${place} ${key}`),
    [],
  )
})

test('each entry is a text of a page', () => {
  const used = new Set([...pageTexts('http/pages').map(({ key }) => key), ...SERVED_QUOTAS.map(({ countsFr }) => countsFr)])
  assert.deepEqual(
    ENTRIES.map(([french]) => french).filter((french) => !used.has(french)),
    [],
  )
})

test('an entry has the same values and elements in both languages, and no character of HTML', () => {
  const placeholders = (text: string): string => (text.match(/\{\d\}|<\/?\d>/g) ?? []).toSorted().join('')
  for (const [french, english] of [...ENTRIES, ...Object.entries(API_TEXTS), ...Object.entries(COMPOSED_TEXTS)]) {
    assert.equal(placeholders(english), placeholders(french), french)
    assert.doesNotMatch(english.replaceAll(/<\/?\d>/g, ''), /[<>"&]/, french)
    assert.equal(keyOf(french), french)
  }
})

test('a text has one entry', () => {
  const all = [API_TEXTS, COMPOSED_TEXTS, ...PAGE_TEXTS].flatMap((part) => Object.keys(part))
  assert.deepEqual(
    all.filter((french, index) => all.indexOf(french) !== index),
    [],
  )
})
