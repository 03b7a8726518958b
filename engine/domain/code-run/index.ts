// The noun module of the run log of merchants' code.
import type { NounModule } from '../noun-module.ts'
import { decideEndTrial, decideRecordCodeRun } from './code-run-decide.ts'
import { CODE_RUN_EVENTS } from './code-run-evolve.ts'
import { CODE_RUN_INDEX_KEYS, CODE_RUN_INDEXED } from './code-run-index-keys.ts'
import { CodeRuns } from './code-run-state.ts'

export const CODE_RUN = {
  state: { name: 'codeRuns', create: () => new CodeRuns() },
  quotas: [],
  commands: {
    RecordCodeRun: { decide: decideRecordCodeRun, rejections: [], overBudget: 'counted' },
    EndTrial: { decide: decideEndTrial, rejections: [], overBudget: 'rejected' },
  },
  events: CODE_RUN_EVENTS,
  indexKeys: CODE_RUN_INDEX_KEYS,
  indexed: CODE_RUN_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
