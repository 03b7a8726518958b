// Index keys of runs of merchants' code.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { type NumberedCodeRun, RUNS_SHOWN_MAX } from './code-run-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const CODE_RUN_INDEX_KEYS = { codeRuns: 90 } as const

export const CODE_RUN_INDEXED = { 'code_run.recorded': indexRun } as const

function indexRun(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { product, number } = payloadOf<NumberedCodeRun>(event)
  entries.addEntry(CODE_RUN_INDEX_KEYS.codeRuns, event.account, codeRunsBlock(product, number), index)
}

export function codeRunsBlock(product: string, number: number): string {
  return `${product}:${Math.ceil(number / RUNS_SHOWN_MAX)}`
}

/** A hundred runs of a product in a row, by their number from 1: the last hundred are in two of these. */
export function codeRunsIndexKey(merchant: AccountNumber, product: string, number: number): IndexKey {
  return { kind: CODE_RUN_INDEX_KEYS.codeRuns, owner: merchant, value: codeRunsBlock(product, number) }
}
