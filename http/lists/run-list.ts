// The run log of a product: the last hundred runs of its code in the environment of whoever asks, newest first.
import type { Engine } from '../../engine/actor/engine.ts'
import type { Hit } from '../../engine/actor/history.ts'
import type { PageQuery } from '../../engine/contract/common.ts'
import { RUNS_SHOWN_MAX } from '../../engine/domain/code-run/code-run-limits.ts'
import type { CodeRun } from '../../engine/domain/code-run/code-run-state.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { codeRunsTerm } from '../../engine/domain/terms.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { rowsPage } from './lists.ts'

/** Null when the cursor belongs to another kind of list. */
export function runsPage(
  engine: Pick<Engine, 'state' | 'history'>,
  account: AccountNumber,
  product: string,
  query: PageQuery,
): string | null {
  return rowsPage(lastRuns(engine, account, product), query, ({ number: _number, ...shown }) => shown)
}

function lastRuns({ state, history }: Pick<Engine, 'state' | 'history'>, account: AccountNumber, product: string): CodeRun[] {
  const last = state.codeRuns.countOf(account, product)
  const first = Math.max(1, last - RUNS_SHOWN_MAX + 1)
  const runsFiledWith = (number: number): CodeRun[] => {
    const keep = (hit: Hit): boolean => {
      if (hit.event.account !== account || hit.event.type !== 'code_run.recorded') return false
      const run = payloadOf<CodeRun>(hit.event)
      return run.product === product && run.number >= first
    }
    const { hits } = history.page({ terms: [codeRunsTerm(account, product, number)], keep, limit: RUNS_SHOWN_MAX })
    return hits.map(({ event }) => payloadOf<CodeRun>(event))
  }
  if (last === 0) return []
  // A hundred in a row lie in one block or in two.
  const newest = runsFiledWith(last)
  return newest.length === last - first + 1 ? newest : [...newest, ...runsFiledWith(first)]
}
