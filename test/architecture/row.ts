// What a test of a rule is: sources, what starts them, and where the rule must speak up.
import type { Rule } from './violation.ts'

export interface Row {
  readonly rule: Rule
  readonly name: string
  readonly given: Readonly<Record<string, string>>
  readonly entries?: readonly string[]
  /** `file:line` of each violation; empty: the source is fine. */
  readonly then: readonly string[]
}
