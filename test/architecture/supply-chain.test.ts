// What the build takes from others: licences that a closed product may use, and the verdict over known weaknesses.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { auditVerdict } from './audit.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** SPDX ids that ask for no more than their text and names in a copy. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'Python-2.0', 'Unlicense', 'Zlib'],
])

/** Further licences of packages that only develop and test: no copy of them leaves. */
const DEVELOPMENT: ReadonlyMap<string, string> = new Map([['axe-core', 'MPL-2.0']])

interface LockedPackage {
  readonly license?: string
  readonly dev?: boolean
  /** A workspace of this repository; its own entry has the licence. */
  readonly link?: boolean
}

/** Whether an SPDX expression without nesting grants the use: one of `OR`, all of `AND`. */
function isGranted(expression: string, granted: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((id) => granted.has(id)))
}

test('each locked package has a licence that its use allows', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
  const refused = Object.entries(packages).flatMap(([path, { license = 'none', dev = false, link = false }]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    const own = dev ? DEVELOPMENT.get(name) : undefined
    const granted = own === undefined ? PERMISSIVE : new Set([own])
    return path === '' || link || isGranted(license, granted) ? [] : [`${name}: ${license}`]
  })
  assert.deepEqual(refused, [])
})

test('a licence expression grants by one of its choices, and needs all of its parts', () => {
  const rows = [
    ['MIT', true],
    ['MIT OR GPL-3.0-only', true],
    ['(MIT AND Zlib)', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['SEE LICENSE IN LICENSE', false],
    ['none', false],
  ] as const
  for (const [expression, expected] of rows) assert.equal(isGranted(expression, PERMISSIVE), expected, expression)
})

test('an audit fails for a high or critical weakness alone, and a registry that does not answer fails nothing', () => {
  const report = (severity: string): string => JSON.stringify({ vulnerabilities: { left: { severity, range: '<1.0.0' } } })
  for (const severity of ['high', 'critical']) assert.equal(auditVerdict(report(severity)).fails, true)
  for (const severity of ['info', 'low', 'moderate']) {
    const { lines, fails } = auditVerdict(report(severity))
    assert.deepEqual([lines[0], fails], [`audit: ${severity}: left <1.0.0`, false])
  }
  assert.equal(auditVerdict(JSON.stringify({ vulnerabilities: {} })).fails, false)
  for (const silence of ['', 'gateway timeout', JSON.stringify({ message: 'not found', error: { code: 'E404' } })]) {
    assert.deepEqual(auditVerdict(silence), { lines: ['audit: the registry did not answer; nothing was checked'], fails: false })
  }
})
