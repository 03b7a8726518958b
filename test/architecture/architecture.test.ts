// The design, held: one test for each rule. The rules stand in test/architecture/, where each is seen to fail.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RULES } from './rules.ts'
import { readTree } from './source-tree.ts'
import { report } from './violation.ts'

const ROOT = join(import.meta.dirname, '..', '..')

const TOP_LEVEL = [
  '.ci',
  '.dockerignore',
  '.github',
  '.gitignore',
  '.npmrc',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'Dockerfile',
  'LICENSE',
  'README.md',
  'RELIABILITY.md',
  'SECURITY.md',
  'bench',
  'biome.json',
  'compose.yaml',
  'engine',
  'http',
  'package-lock.json',
  'package.json',
  'sandbox-pool',
  'test',
  'tsconfig.json',
  'wal',
]

const tree = readTree(ROOT)

test('the tree was read', () => {
  for (const path of ['engine/kernel/assert.ts', 'engine/actor/ports.ts', 'test/architecture/architecture.test.ts']) {
    assert.ok(tree.files.has(path), `${path} is in the tree`)
  }
  assert.ok(tree.entries.includes('http/main.ts'))
})

for (const rule of RULES) {
  test(rule.name, () => {
    const violations = rule.check(tree)
    if (violations.length > 0) assert.fail(report(rule, violations))
  })
}

test('the top level is fixed', () => {
  assert.deepEqual(topLevel(), TOP_LEVEL)
})

/** What git tracks; in a copy without git, what stands there and is not ignored. */
function topLevel(): string[] {
  const git = spawnSync('git', ['-c', 'safe.directory=*', 'ls-tree', '--name-only', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  if (git.status === 0) return git.stdout.trim().split('\n').sort()
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/\/$/, ''))
  return readdirSync(ROOT)
    .filter((name) => !ignored.includes(name) && !name.endsWith('.log'))
    .sort()
}
