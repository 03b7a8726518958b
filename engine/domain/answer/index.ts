// The noun of answers that a key keeps and that are not of the engine itself: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { decideKeepAnswer } from './answer-decide.ts'

export const ANSWER = {
  state: null,
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
