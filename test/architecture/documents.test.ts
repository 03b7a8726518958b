// The documents stay true: what they name is there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Payout } from '../../engine/contract/payout.ts'
import { picturesIn } from './plain-words.ts'
import { FOLDERS, readTree } from './source-tree.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const OPERATION = 'http/app/deployment/README.md'
const SETTINGS = 'http/app/deployment/settings.md'
/** Maximum of words of each document. */
const WORDS_MAX: Readonly<Record<string, number>> = {
  'README.md': 1200,
  'ARCHITECTURE.md': 2000,
  'CONTRIBUTING.md': 1500,
  'CHANGELOG.md': 1500,
  ...Object.fromEntries(['bench', 'engine', 'http', 'sandbox-pool', 'test', 'wal'].map((room) => [`${room}/README.md`, 1000])),
  'test/proof/README.md': 1000,
  [OPERATION]: 2500,
  [SETTINGS]: 1000,
  'SECURITY.md': 2000,
  'RELIABILITY.md': 2000,
}
const DOCUMENTS = Object.keys(WORDS_MAX)
const LINE_MAX = 160
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
      named.filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, dirname(document), path))),
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

test('the answer in README has the fields of a paid payout', () => {
  const [, answer = ''] = /```json\n(\{[\s\S]*?\})\n```/.exec(read('README.md')) ?? []
  const { failure_code: _, ...ofAPaidOne } = Payout.properties
  assert.deepEqual(Object.keys(JSON.parse(answer) as object).sort(), Object.keys(ofAPaidOne).sort())
})

test('the guide for contributors lists every npm script', () => {
  const guide = read('CONTRIBUTING.md')
  const untold = Object.keys(scripts).filter((name) => !new RegExp(`npm (?:run )?${name}\\b`).test(guide))
  assert.deepEqual(untold, [])
})

test('the page of settings has every setting, and no other', () => {
  const rows = [...read(SETTINGS).matchAll(/^- (`[A-Z][A-Z0-9_]+`(?:, `[A-Z][A-Z0-9_]+`)*) – /gm)]
  const told = rows.flatMap(([, names = '']) => names.replaceAll('`', '').split(', '))
  const sources = read('http/app/settings.ts') + read('http/app/cluster-settings.ts')
  const known = new Set([...sources.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, name = '']) => name))
  assert.deepEqual(told.sort(), [...known].sort())
})

for (const [document, wordsMax] of Object.entries(WORDS_MAX)) {
  test(`${document} is short, and so is each of its lines`, () => {
    const text = read(document)
    const words = text.split(/\s+/).filter((word) => word !== '').length
    assert.ok(words <= wordsMax, `${words} words of ${wordsMax}`)
    assert.deepEqual(
      text.split('\n').filter((line) => line.length > LINE_MAX),
      [],
    )
  })
}

/** A row of a table, and code, keep their line. */
function proseOf(text: string): string[] {
  const parts = text.split(/^ *```.*$/m).filter((_, index) => index % 2 === 0)
  return parts.flatMap((part) => part.split('\n')).filter((line) => !/^ *[|#]/.test(line))
}

test('the guides and other documents have no line of prose that is long', () => {
  const { paths } = readTree(ROOT)
  const documents = paths.filter((path) => path.endsWith('.md') && !path.startsWith('test/proof/mutate/'))
  const long = documents.flatMap((path) => proseOf(read(path)).flatMap((line) => (line.length > LINE_MAX ? [`${path}: ${line}`] : [])))
  assert.deepEqual(long, [])
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
