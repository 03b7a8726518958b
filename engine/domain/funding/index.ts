// The noun of deposits and withdrawals: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { decideDeposit, decideWithdraw } from './funding-decide.ts'

export const FUNDING = {
  state: null,
  commands: {
    Deposit: { decide: decideDeposit, overBudget: 'rejected' },
    Withdraw: { decide: decideWithdraw, overBudget: 'rejected' },
  },
  events: { 'deposit.made@1': null, 'withdrawal.made@1': null },
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: ['deposit', 'withdrawal'],
} as const satisfies NounModule
