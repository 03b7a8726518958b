// The noun module of the operator's rules about money.
import type { NounModule } from '../noun-module.ts'
import { CHANGE_RULES_REJECTIONS, decideChangeRules, decideSetMerchantLimits } from './rules-decide.ts'
import { RULES_EVENTS } from './rules-evolve.ts'
import { Rules } from './rules-state.ts'

export const RULES = {
  state: { name: 'rules', create: () => new Rules() },
  quotas: [],
  commands: {
    SetMerchantLimits: { decide: decideSetMerchantLimits, rejections: CHANGE_RULES_REJECTIONS, overBudget: 'counted' },
    ChangeRules: { decide: decideChangeRules, rejections: CHANGE_RULES_REJECTIONS, overBudget: 'counted' },
  },
  events: RULES_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: ['limit.near'],
  transactionTypes: ['fee', 'fee_refund'],
} as const satisfies NounModule
