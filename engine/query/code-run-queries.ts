// Queries for runs of merchants' code: the last hundred runs of a product, newest first.
import type { Hit } from '../actor/index-hit.ts'
import { codeRunsIndexKey } from '../domain/code-run/code-run-index-keys.ts'
import { type NumberedCodeRun, RUNS_SHOWN_MAX } from '../domain/code-run/code-run-state.ts'
import { payloadOf } from '../domain/record.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { type ListInput, type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'

export interface CodeRunsInput extends ListInput {
  /** Slug of the product. */
  readonly product: string
}

/** Returns null when the cursor belongs to another kind of list. */
export function listCodeRuns(reads: Reads, { account, product, query }: CodeRunsInput): ListPage | null {
  return statePage(query, { rows: lastRuns(reads, account, product), render: ({ number: _number, ...shown }) => shown })
}

function lastRuns({ state, history }: Reads, account: AccountNumber, product: string): NumberedCodeRun[] {
  const last = state.codeRuns.countOf(account, product)
  const first = Math.max(1, last - RUNS_SHOWN_MAX + 1)
  const runsFiledWith = (number: number): NumberedCodeRun[] => {
    const keep = (hit: Hit): boolean => {
      if (hit.event.account !== account || hit.event.type !== 'code_run.recorded') return false
      const run = payloadOf<NumberedCodeRun>(hit.event)
      return run.product === product && run.number >= first
    }
    const { hits } = history.page({ indexKeys: [codeRunsIndexKey(account, product, number)], keep, limit: RUNS_SHOWN_MAX })
    return hits.map(({ event }) => payloadOf<NumberedCodeRun>(event))
  }
  if (last === 0) return []
  // A hundred consecutive runs are in one or two blocks of the index.
  const newest = runsFiledWith(last)
  return newest.length === last - first + 1 ? newest : [...newest, ...runsFiledWith(first)]
}
