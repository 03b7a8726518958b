// The noun module of stored answers that the engine did not decide.
import type { NounModule } from '../noun-module.ts'
import { decideKeepAnswer } from './answer-decide.ts'

export const ANSWER = {
  state: null,
  quotas: [],
  commands: {
    KeepAnswer: { decide: decideKeepAnswer, rejections: [], overBudget: 'rejected' },
  },
  events: {},
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
