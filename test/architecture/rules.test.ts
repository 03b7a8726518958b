// Each rule is seen to fail on a small source that breaks it, and to let a source pass that looks similar.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENT_ROWS } from './client-rows.ts'
import { FLOORS } from './floors.ts'
import { IMPORT_ROWS } from './import-rows.ts'
import { RULES } from './rules.ts'
import { SHAPE_ROWS } from './shape-rows.ts'
import { treeOf } from './source-tree.ts'
import { STATE_ROWS } from './state-rows.ts'
import { report, withExceptions } from './violation.ts'

const ROWS = [...IMPORT_ROWS, ...CLIENT_ROWS, ...STATE_ROWS, ...SHAPE_ROWS]

for (const { rule, name, given, entries, then } of ROWS) {
  test(`${rule.name}: ${name}`, () => {
    const violations = rule.check(treeOf(given, entries ?? []))
    assert.deepEqual(
      violations.map(({ file, line }) => `${file}:${line}`),
      then,
    )
  })
}

test('every rule is seen to fail', () => {
  const failing = new Set(ROWS.filter(({ then }) => then.length > 0).map(({ rule }) => rule))
  assert.deepEqual(
    RULES.filter((rule) => !failing.has(rule)).map(({ name }) => name),
    [],
  )
})

test('a report names file, line, rule and reason', () => {
  const [violation] = FLOORS.check(treeOf({ 'wal/a.ts': "\nimport '../http/b.ts'" }))
  assert.ok(violation !== undefined)
  assert.match(report(FLOORS, [violation]), /wal\/a\.ts:2 {2}\[imports-go-down\] .*http\/b\.ts.*\n {2}Why: A layer/)
})

test('an exception excuses its file, and one that excuses nothing is reported', () => {
  const broken = [
    { file: 'http/a.ts', line: 301, message: 'long' },
    { file: 'http/b.ts', line: 301, message: 'long' },
  ]
  const exceptions = [
    { file: 'http/a.ts', reason: 'one table' },
    { file: 'http/c.ts', reason: 'was long once' },
  ]
  assert.deepEqual(
    withExceptions(broken, exceptions).map(({ file }) => file),
    ['http/b.ts', 'http/c.ts'],
  )
})
