// One vocabulary: a synonym of a term occurs in no page, guide, message or error.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ERROR_MESSAGES } from '../../../http/text/error-messages.ts'
import { PAYOUT_FAILURE_MESSAGES } from '../../../http/text/payout-failure-messages.ts'
import { FRENCH } from '../../support/french-words.ts'
import { GLOSSARY } from '../../support/glossary.ts'
import { pageTexts } from '../../support/page-texts.ts'

/** Text messages and e-mails. */
const MESSAGES = ['http/workers/gateways', 'http/auth/dashboard/account-links.ts']

/** The guides, and the French of the reference. */
const FRENCH_FOLDERS = ['http/pages/docs/fr', 'http/pages/docs/french']
/** Code, samples and targets of links. */
const NO_TEXT = /```[\s\S]*?```|`[^`\n]*`|\{\{[^}]*\}\}|\]\([^)]*\)/g

/** The French documents by line; of JSON, its values. */
function documentTexts(): { readonly text: string; readonly place: string }[] {
  const files = FRENCH_FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  return files.flatMap((place) => {
    const source = readFileSync(place, 'utf8')
    const whole = place.endsWith('.json') ? Object.values(JSON.parse(source) as Record<string, string>).join('\n') : source
    return whole
      .replaceAll(NO_TEXT, ' ')
      .split('\n')
      .map((text) => ({ text, place }))
  })
}

test('a synonym of a term of the glossary occurs in no page, guide, message or error', () => {
  const texts = [
    ...documentTexts(),
    ...pageTexts('http/pages').filter(({ isOutside }) => !isOutside),
    ...MESSAGES.flatMap((path) => pageTexts(path)).filter(({ text }) => FRENCH.test(text)),
    ...[ERROR_MESSAGES.fr, PAYOUT_FAILURE_MESSAGES.fr].flatMap((part) => Object.values(part)).map((text) => ({ text, place: 'errors' })),
    ...['reason-messages', 'schema-messages'].flatMap((name) => pageTexts(`http/text/${name}.ts`)).filter(({ text }) => FRENCH.test(text)),
  ]
  const found = GLOSSARY.flatMap(({ french, instead }) => {
    const words = new RegExp(`(?<![\\p{L}\\p{N}_./-])(?:${instead.join('|')})(?![\\p{L}\\p{N}_./:-])`, 'iu')
    return texts.filter(({ text }) => words.test(text)).map(({ text, place }) => `${place}: ${text} (${french})`)
  })
  assert.deepEqual(found, [])
})

test('a term and a synonym stand once in the glossary', () => {
  const words = GLOSSARY.flatMap(({ french, instead }) => [french, ...instead])
  assert.equal(new Set(words).size, words.length)
})
