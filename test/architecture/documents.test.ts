// The documents stay true: what they name is there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { picturesIn } from './plain-words.ts'
import { FOLDERS, readTree } from './source-tree.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'SECURITY.md', 'RELIABILITY.md'] as const
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Files and folders that a document names, in links and in code: `engine/actor/turn.ts`, `test/wal/`. */
const IN_LINK = /\]\((?!https?:|#)([^)#]+)/g
const IN_CODE = new RegExp(`\`((?:${FOLDERS.join('|')}|\\.ci|\\.github)/[\\w./-]*)\``, 'g')

for (const document of DOCUMENTS) {
  test(`${document} names files that are there`, () => {
    const text = read(document)
    const named = [...text.matchAll(IN_LINK), ...text.matchAll(IN_CODE)].map(([, path = '']) => path)
    assert.deepEqual(
      named.filter((path) => !existsSync(join(ROOT, path))),
      [],
    )
  })

  test(`${document} is in plain words`, () => {
    assert.deepEqual(picturesIn(document, read(document)), [])
  })

  test(`${document} names npm scripts that are there`, () => {
    const named = [...read(document).matchAll(/npm (?:run ([\w-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? '')
    assert.deepEqual(
      named.filter((name) => scripts[name] === undefined),
      [],
    )
  })
}

test('the README lists every npm script', () => {
  const readme = read('README.md')
  const untold = Object.keys(scripts).filter((name) => !new RegExp(`npm (?:run )?${name}\\b`).test(readme))
  assert.deepEqual(untold, [])
})

test('the README has every setting, and no other', () => {
  const rows = [...read('README.md').matchAll(/^\| (`[A-Z][A-Z0-9_]+`(?:, `[A-Z][A-Z0-9_]+`)*) \|/gm)]
  const told = rows.flatMap(([, names = '']) => names.replaceAll('`', '').split(', '))
  const sources = read('http/app/settings.ts') + read('http/app/cluster-settings.ts')
  const known = new Set([...sources.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, name = '']) => name))
  assert.deepEqual(told.sort(), [...known].sort())
})

test('the documents fit on their page', () => {
  const lines = (path: string): number => read(path).split('\n').length
  assert.ok(lines('ARCHITECTURE.md') <= 420, 'ARCHITECTURE.md is short')
  assert.ok(lines('README.md') <= 250, 'README.md is short enough to read in five minutes')
})

/** A path of a developer's machine, or a package registry, in any file of the repository. */
const FOREIGN = /(?:^|[^\w.])\/(?:home|Users|root|work|farm)\/\w|\bregistry\.(?:npmjs\.org|yarnpkg\.com)|\bdeb\.debian\.org/

test('nothing names a machine or a registry', () => {
  const tree = readTree(ROOT)
  const others = [
    ...DOCUMENTS,
    'package.json',
    'package-lock.json',
    '.npmrc',
    'Dockerfile',
    '.ci/run',
    '.github/workflows/ci.yml',
    'biome.json',
  ]
  const texts = [
    ...[...tree.files.values()].map(({ path, text }) => ({ path, text })),
    ...others.map((path) => ({ path, text: read(path) })),
  ]
  const found = texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (FOREIGN.test(line) ? [`${path}:${index + 1} ${line.trim().slice(0, 120)}`] : [])),
  )
  assert.deepEqual(found, [])
})
