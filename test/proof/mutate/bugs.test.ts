// The list of planted bugs stays true: each still has its place in the code, and its tests exist. `npm run mutate` plants them.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { BUGS } from './bugs/index.ts'
import { planted } from './plant.ts'

const ROOT = dirname(dirname(dirname(import.meta.dirname)))

test('every planted bug has its place in the code exactly once, and tests that exist', () => {
  const faults = BUGS.flatMap((bug) => {
    const { name, file, tests } = bug
    const missing = tests.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${name}: there is no ${path}`)
    try {
      planted(bug, readFileSync(join(ROOT, file), 'utf8'))
      return missing
    } catch (error) {
      return [...missing, (error as Error).message]
    }
  })
  assert.deepEqual(faults, [])
})

test('caught.md has one row for each planted bug, and no other', () => {
  const report = readFileSync(join(import.meta.dirname, 'caught.md'), 'utf8')
  const rows = report.split('\n').flatMap((line) => /^\| (`[^`]+` \| .+?) \| [`*]/.exec(line)?.[1] ?? [])
  assert.deepEqual(rows.sort(), BUGS.map(({ name, file }) => `\`${file}\` | ${name}`).sort())
})

test('the names of planted bugs differ', () => {
  assert.equal(new Set(BUGS.map(({ name, file }) => `${file}: ${name}`)).size, BUGS.length)
})
