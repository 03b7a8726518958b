// The run log of merchants' code. The runs are events; live state counts them, so that the last hundred are found and
// no merchant fills the disk with what its code says.
import type { CODE_RUN_KINDS } from '../../contract/code-run.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

/** Maximum of runs of one product and environment in the list. Older runs stay in the log only. */
export const RUNS_SHOWN_MAX = 100
/** Of a host that was fetched from, in UTF-16 units: names have 253 at most, and a port may follow. */
export const FETCH_HOST_LENGTH_MAX = 260
/** What the runs of one merchant and environment may write into the log in a day (UTC), in UTF-16 units of JSON; beyond, they are kept without their lines and fetches. */
export const RUNS_WRITTEN_PER_DAY_MAX = 16 * 1024 * 1024

export type CodeRunKind = (typeof CODE_RUN_KINDS)[number]

export interface CodeRunFetch {
  readonly method: string
  readonly host: string
  /** Null when there was no answer. */
  readonly status: number | null
  readonly duration_ms: number
}

/** The payload of `code_run.recorded`. */
export interface NumberedCodeRun {
  readonly id: string
  /** Slug. */
  readonly product: string
  /** Of the product in this environment, from 1, without gaps. */
  readonly number: number
  readonly kind: CodeRunKind
  /** The merchant tried it out: no customer waited for it. */
  readonly test: boolean
  /** X-Request-Id of the trial; null where a customer caused the run. */
  readonly request_id: string | null
  readonly ok: boolean
  /** Null when it went well. */
  readonly error: string | null
  readonly duration_ms: number
  readonly fetches: readonly CodeRunFetch[]
  readonly logs: readonly string[]
  readonly created_at: string
}

/** Of one product in one environment. */
interface RunCount {
  readonly count: number
}

/** Of one merchant in one environment. */
interface RunsWritten {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly length: number
}

const DAY_MS: TimeMs = 86_400_000

declare module '../state.ts' {
  interface State {
    readonly codeRuns: CodeRuns
  }
}

export class CodeRuns extends SnapshotTables {
  readonly counts = new Table<RunCount>(this, 'code_run_count', { boundedBy: 'two rows of each product' })
  readonly written = new Table<RunsWritten>(this, 'code_run_written', { boundedBy: 'one row of each account' })

  /** Runs of the product so far. */
  countOf(account: AccountNumber, product: string): number {
    return this.counts.get(countKey(account, product))?.count ?? 0
  }

  /** What the runs of the account have written into the log on the day of `timeMs`. */
  writtenOn(account: AccountNumber, timeMs: TimeMs): number {
    const written = this.written.get(String(account))
    return written?.day === dayOf(timeMs) ? written.length : 0
  }

  add(account: AccountNumber, { product, number }: Pick<NumberedCodeRun, 'product' | 'number'>, timeMs: TimeMs, length: number): void {
    this.counts.set(countKey(account, product), { count: number })
    this.written.set(String(account), { day: dayOf(timeMs), length: this.writtenOn(account, timeMs) + length })
  }
}

function countKey(account: AccountNumber, product: string): string {
  return `${account}/${product}`
}

function dayOf(timeMs: TimeMs): number {
  return Math.floor(timeMs / DAY_MS)
}
