// SECURITY.md and RELIABILITY.md name tests that exist: a file, then the names of its tests in quotes.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** `path` "name", "another name". A name may be a part of the title as it is written in the source. */
const NAMED = /`(test\/[\w./-]+\.test\.ts)`((?:,? "[^"\n]+")+)/g
const TITLE = /(?:^|[\s;(])(?:it|test)\(\s*(['"`])(.*?)\1\s*,/gs

function namesOf(document: string): readonly (readonly [path: string, name: string])[] {
  return [...read(document).matchAll(NAMED)].flatMap(([, path = '', names = '']) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => [path, name] as const),
  )
}

function titlesOf(path: string): readonly string[] {
  return existsSync(join(ROOT, path)) ? [...read(path).matchAll(TITLE)].map(([, , title = '']) => title) : []
}

for (const document of ['SECURITY.md', 'RELIABILITY.md']) {
  test(`each test that ${document} names exists`, () => {
    const missing = namesOf(document).filter(([path, name]) => !titlesOf(path).some((title) => title.includes(name)))
    assert.deepEqual(missing, [])
  })
}

test('each threat of SECURITY.md has a defence and a test', () => {
  const [, threats = ''] = read('SECURITY.md').split('## OWASP')
  const [lists = ''] = threats.split('## ASVS')
  const items = lists.split(/^- /m).slice(1)
  assert.ok(items.length > 30, `${items.length} items`)
  for (const item of items) {
    const [, threat = '', defence = ''] = /^\*\*(.+?)\*\*: ([\s\S]+?)\n {2}- /.exec(item) ?? []
    assert.notEqual(defence, '', item)
    assert.match(item, /\n {2}- `test\/[\w./-]+\.test\.ts` "/, threat)
  }
})
