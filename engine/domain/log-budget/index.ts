// The noun module of the daily budget of log bytes.
import type { NounModule } from '../noun-module.ts'
import { LOG_BUDGET_EVENTS } from './log-budget-evolve.ts'
import { LogBudget } from './log-budget-state.ts'

export const LOG_BUDGET = {
  state: { name: 'logBudget', create: () => new LogBudget() },
  quotas: [],
  commands: {},
  events: LOG_BUDGET_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
