// The English catalogue of the pages is complete: each French text of a page has its English, and no entry is left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '../../../http/text/catalogue.ts'
import { API_TEXTS } from '../../../http/text/english/api-details.ts'
import { COMPOSED_TEXTS } from '../../../http/text/english/composed.ts'
import { PAGE_CATALOGUE, PAGE_TEXTS } from '../../../http/text/english/page-catalogue.ts'
import { pageTexts } from '../../support/page-texts.ts'

/** Folders and files whose texts must have English. */
const COMPLETE = ['http/pages/checkout', 'http/pages/layout.ts', 'http/pages/unavailable-page.ts', 'http/pages/form-field.ts']

/** Texts in the source that no reader sees in another language: headers, names, brands. */
const NOT_TRANSLATED: ReadonlySet<string> = new Set([
  'Pages',
  'Location',
  'Vary',
  'Accept-Language, Cookie',
  'noindex, nofollow',
  'text/html; charset=utf-8',
  'text/plain; charset=utf-8',
  'Français',
  'English',
  '{0} · Cauri',
  '{0}Cauri',
])

const ENTRIES = PAGE_TEXTS.flatMap((part) => Object.entries(part))

test('each text of a page has its English', () => {
  const missing = COMPLETE.flatMap((path) => pageTexts(path)).filter(
    ({ key }) => !key.startsWith('<') && !NOT_TRANSLATED.has(key) && PAGE_CATALOGUE.entry(key) === null,
  )
  assert.deepEqual(
    missing.map(({ key, place }) => `${place} ${key}`),
    [],
  )
})

test('each entry is a text of a page', () => {
  const used = new Set(pageTexts('http/pages').map(({ key }) => key))
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
