// The noun module of stored answers that the engine did not decide.

import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Decision } from '../decision.ts'
import type { NounModule } from '../noun-module.ts'
import type { State } from '../state.ts'

/** Only for requests with an Idempotency-Key: the answer itself is sealed beside it (`IdempotencyKey.sealed`). */
export interface KeepAnswer {
  readonly type: 'KeepAnswer'
  /** Whose request it was: says the environment. */
  readonly account: AccountNumber
  readonly kind: 'ok' | 'created'
}

/** Returns the kind of the command. */
export function decideKeepAnswer(state: State, { account, kind }: KeepAnswer): Decision<never> {
  return { environment: state.accounts.environment(account), events: [], transactions: [], frames: [], kind, body: '{}' }
}

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
