// The noun module of problems with payments.
import type { NounModule } from '../noun-module.ts'
import { ANSWER_PROBLEM_REJECTIONS, decideAnswerProblem, decideOpenProblem, OPEN_PROBLEM_REJECTIONS } from './problem-decide.ts'
import { PROBLEM_EVENTS, PROBLEM_FOLLOWS } from './problem-evolve.ts'
import { PROBLEM_INDEX_KEYS, PROBLEM_INDEXED } from './problem-index-keys.ts'
import { OPEN_PROBLEMS, PROBLEMS_OF_MERCHANT } from './problem-limits.ts'
import { Problems } from './problem-state.ts'

export const PROBLEM = {
  state: { name: 'problems', create: (shared) => new Problems(shared) },
  quotas: [OPEN_PROBLEMS, PROBLEMS_OF_MERCHANT],
  commands: {
    OpenProblem: { decide: decideOpenProblem, rejections: OPEN_PROBLEM_REJECTIONS, overBudget: 'rejected' },
    AnswerProblem: { decide: decideAnswerProblem, rejections: ANSWER_PROBLEM_REJECTIONS, overBudget: 'rejected' },
  },
  events: PROBLEM_EVENTS,
  follows: PROBLEM_FOLLOWS,
  indexKeys: PROBLEM_INDEX_KEYS,
  indexed: PROBLEM_INDEXED,
  timers: {},
  frames: ['problem.answered'],
  transactionTypes: [],
} as const satisfies NounModule
