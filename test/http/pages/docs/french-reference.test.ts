// The French of the reference is complete and stays beside its English: each description and each text of a field has one, none is
// left over, and codes and numbers are the same in both.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { EventPages } from '../../../../http/pages/docs/event-pages.ts'
import { FrenchReference, type Wording } from '../../../../http/pages/docs/french-reference.ts'
import { ReferencePages } from '../../../../http/pages/docs/reference-pages.ts'
import type { Language } from '../../../../http/text/language.ts'
import { TABLE } from '../../../support/api-document.ts'

/** Texts of the reference that are still in English on the French page. This number only sinks. */
const ENGLISH_LEFT_MAX = 0
const FOLDER = 'http/pages/docs/french'

/** Records the texts that pages ask for. */
class Asked extends FrenchReference {
  readonly english = new Set<string>()

  override said(english: string, language: Language): Wording {
    if (english !== '') this.english.add(english)
    return super.said(english, language)
  }
}

const french = new Asked()
const reference = new ReferencePages({ routes: () => TABLE }, french)
const routePages = TABLE.map(({ operationId }) => reference.one(operationId, 'fr')?.article.in('fr') ?? '')
const events = new EventPages(reference)
for (const { name } of events.calls()) events.one(name, 'fr')?.article.in('fr')
events.list('fr')
const described = TABLE.filter(({ description = '' }) => description !== '')

test('each route with a description has it in French, and none is left over', () => {
  assert.deepEqual([...french.routes.keys()].toSorted(), described.map(({ operationId }) => operationId).toSorted())
})

test('the texts of routes and event types without French become no more', () => {
  const left = [...french.english].filter((english) => !french.texts.has(english))
  assert.ok(left.length <= ENGLISH_LEFT_MAX, `${left.length} texts:\n${left.join('\n')}`)
})

test('each French text is one of a page', () => {
  assert.deepEqual(
    [...french.texts.keys()].filter((english) => !french.english.has(english)),
    [],
  )
})

test('a text has its French in one file', () => {
  const json = readdirSync(FOLDER).filter((file) => file.endsWith('.json'))
  const keys = json.flatMap((file) => Object.keys(JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as object))
  assert.equal(new Set(keys).size, keys.length)
})

test('codes and numbers are the same in both languages', () => {
  const pairs = [
    ...described.map(({ operationId, description = '' }) => [description, french.routes.get(operationId) ?? description] as const),
    ...french.texts,
  ]
  const marks = (text: string): string => {
    const codes = text.match(/`[^`]+`/g) ?? []
    const numbers = text.replaceAll(/`[^`]+`/g, '').match(/\d+(?:[ \u00a0\u202f.,]\d+)*/g) ?? []
    return [...new Set([...codes, ...numbers.map((number) => number.replaceAll(/\D/g, ''))])].toSorted().join(' ')
  }
  const other = pairs.filter(([english, said]) => marks(english) !== marks(said))
  assert.deepEqual(
    other.map(([english, said]) => `${said}\n${marks(english)}\n${marks(said)}`),
    [],
  )
})

test('a shared text is there, and stands in no page as a mark', () => {
  assert.deepEqual([...french.routes.values()].filter((text) => text.includes('{{')).length, 0)
})

test('the French page is in French, and the English page in English', () => {
  const at = TABLE.findIndex(({ operationId }) => operationId === 'getBalance')
  assert.match(routePages[at] ?? '', /<div lang="fr"><p><bdi><code>available<\/code> peut être versé maintenant/)
  const page = reference.one('getBalance', 'en')?.article.in('en') ?? ''
  assert.match(page, /<div lang="en"><p><bdi><code>available<\/code> can be paid out now/)
})
