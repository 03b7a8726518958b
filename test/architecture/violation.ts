// The shape of a broken rule. Rules are data with a check; none of them knows about the real tree.
import type { SourceTree } from './source-tree.ts'

export interface Violation {
  readonly file: string
  /** Counts from 1. */
  readonly line: number
  readonly message: string
}

export interface Rule {
  readonly name: string
  /** Why the rule stands; printed with every violation. */
  readonly reason: string
  check(tree: SourceTree): Violation[]
}

/** A place where a rule does not hold, and why that is right. One that is no longer needed is a violation itself. */
export interface Exception {
  readonly file: string
  readonly reason: string
}

const REPORTED_MAX = 20

/** `file:line  [rule] message` for each violation, then the reason of the rule. */
export function report(rule: Rule, violations: readonly Violation[]): string {
  const lines = violations.slice(0, REPORTED_MAX).map(({ file, line, message }) => `  ${file}:${line}  [${rule.name}] ${message}`)
  if (violations.length > REPORTED_MAX) lines.push(`  … and ${violations.length - REPORTED_MAX} more`)
  return `${violations.length} × ${rule.name}\n${lines.join('\n')}\n  Why: ${rule.reason}`
}

/** Takes the excepted files out and reports the exceptions that excuse nothing. */
export function withExceptions(violations: readonly Violation[], exceptions: readonly Exception[]): Violation[] {
  const excused = new Set(exceptions.map(({ file }) => file))
  const broken = new Set(violations.map(({ file }) => file))
  return [
    ...violations.filter(({ file }) => !excused.has(file)),
    ...exceptions
      .filter(({ file }) => !broken.has(file))
      .map(({ file }) => ({ file, line: 1, message: 'needs no exception any more: take its row out of the table' })),
  ]
}

/** `engine/` is everything below the folder, `http/auth*` everything that begins so, anything else one file. */
export function isWithin(pattern: string, path: string): boolean {
  if (pattern.endsWith('/')) return path.startsWith(pattern)
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1))
  return path === pattern
}
