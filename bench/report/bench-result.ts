// The result of a run as its JSON file has it, and reading it back.
import { readFileSync } from 'node:fs'
import type { Limits } from '../limits/limits.ts'
import type { BenchOptions } from '../options.ts'
import { type Claim, type RowResult, type Verdict, verdictOf } from '../row.ts'
import type { FinishedRow } from './report-text.ts'

export interface ResultRow extends Omit<RowResult, 'claims'> {
  readonly number: number
  readonly title: string
  readonly claims: readonly (Claim & { readonly verdict: Verdict })[]
}

export interface BenchResult {
  readonly date: string
  readonly options: BenchOptions
  readonly limits: Limits
  readonly rows: readonly ResultRow[]
}

export function resultOf(options: BenchOptions, limits: Limits, finished: readonly FinishedRow[]): BenchResult {
  const rows = finished.map(({ row, result }) => {
    const claims = result.claims.map((claim) => ({ ...claim, verdict: verdictOf(claim) }))
    return { number: row.number, title: row.title, ...result, claims }
  })
  return { date: new Date().toISOString(), options, limits, rows }
}

/** Throws for a file that is not a result of the bench. */
export function readResult(path: string): BenchResult {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isBenchResult(parsed)) throw new Error(`${path} is not a result of the bench`)
  return parsed
}

export function isBenchResult(parsed: unknown): parsed is BenchResult {
  return typeof parsed === 'object' && parsed !== null && 'rows' in parsed && 'limits' in parsed
}
