// The noun module of deposits and withdrawals.
import type { NounModule } from '../noun-module.ts'
import { DEPOSIT_REJECTIONS, decideDeposit, decideWithdraw, WITHDRAW_REJECTIONS } from './funding-decide.ts'

export const FUNDING = {
  state: null,
  commands: {
    Deposit: { decide: decideDeposit, rejections: DEPOSIT_REJECTIONS, overBudget: 'rejected' },
    Withdraw: { decide: decideWithdraw, rejections: WITHDRAW_REJECTIONS, overBudget: 'rejected' },
  },
  events: { 'deposit.made@1': null, 'withdrawal.made@1': null },
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: ['deposit', 'withdrawal'],
} as const satisfies NounModule
