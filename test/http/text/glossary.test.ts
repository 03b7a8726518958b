// One vocabulary: a synonym of a term occurs in no page, guide, message or error.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { API_TEXTS } from '../../../http/text/english/api-details.ts'
import { GLOSSARY } from '../../../http/text/glossary.ts'
import { TABLE } from '../../support/api-document.ts'
import { pageTexts } from '../../support/page-texts.ts'

const SOURCES = ['http/pages', 'http/workers/gateways', 'http/auth/dashboard/account-links.ts']
/** The examples of hosted code speak of their own systems; the search knows the words that readers type. */
const FREE = /code-templates|search-synonyms/

/** The English names of groups of routes, beside which their French ones stand. */
const GROUPS: ReadonlySet<string> = new Set(TABLE.map(({ tag }) => tag))

/** The guides, and the French of the reference. */
const FRENCH_FOLDERS = ['http/pages/docs/fr', 'http/pages/docs/french']
/** Code, samples and targets of links. */
const NO_TEXT = /```[\s\S]*?```|`[^`\n]*`|\{\{[^}]*\}\}|\]\([^)]*\)/g

/** The French documents by line; of JSON, its values. */
function documentTexts(): { readonly key: string; readonly place: string }[] {
  const files = FRENCH_FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  return files.flatMap((place) => {
    const source = readFileSync(place, 'utf8')
    const text = place.endsWith('.json') ? Object.values(JSON.parse(source) as Record<string, string>).join('\n') : source
    return text
      .replaceAll(NO_TEXT, ' ')
      .split('\n')
      .map((key) => ({ key, place }))
  })
}

test('a synonym of a term of the glossary occurs in no page, guide, message or error', () => {
  const texts = [
    ...documentTexts(),
    ...SOURCES.flatMap((path) => pageTexts(path)).filter(({ place, key }) => !(FREE.test(place) || GROUPS.has(key))),
    ...Object.keys(API_TEXTS).map((key) => ({ key, place: 'errors' })),
  ]
  const found = GLOSSARY.flatMap(({ french, instead }) => {
    const words = new RegExp(`(?<![\\p{L}\\p{N}_./-])(?:${instead.join('|')})(?![\\p{L}\\p{N}_./:-])`, 'iu')
    return texts.filter(({ key }) => words.test(key)).map(({ key, place }) => `${place}: ${key} (${french})`)
  })
  assert.deepEqual(found, [])
})

test('a term and a synonym stand once in the glossary', () => {
  const words = GLOSSARY.flatMap(({ french, instead }) => [french, ...instead])
  assert.equal(new Set(words).size, words.length)
})
