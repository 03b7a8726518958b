// The noun module of deposits and withdrawals, and of those that wait for a second operator.
import type { NounModule } from '../noun-module.ts'
import { APPROVE_MOVEMENT_REJECTIONS, decideApproveMovement, decideRefuseMovement, REFUSE_MOVEMENT_REJECTIONS } from './approval-decide.ts'
import { DEPOSIT_KINDS, DEPOSIT_REJECTIONS, decideDeposit, decideWithdraw, WITHDRAW_REJECTIONS } from './funding-decide.ts'
import { FUNDING_EVENTS } from './funding-evolve.ts'
import { FUNDING_INDEX_KEYS, FUNDING_INDEXED } from './funding-index-keys.ts'
import { Approvals } from './funding-state.ts'

export const FUNDING = {
  state: { name: 'approvals', create: () => new Approvals() },
  quotas: [],
  commands: {
    Deposit: { decide: decideDeposit, rejections: DEPOSIT_REJECTIONS, kinds: DEPOSIT_KINDS, overBudget: 'rejected' },
    Withdraw: { decide: decideWithdraw, rejections: WITHDRAW_REJECTIONS, overBudget: 'rejected' },
    ApproveMovement: {
      decide: decideApproveMovement,
      rejections: APPROVE_MOVEMENT_REJECTIONS,
      kinds: DEPOSIT_KINDS,
      overBudget: 'rejected',
    },
    RefuseMovement: { decide: decideRefuseMovement, rejections: REFUSE_MOVEMENT_REJECTIONS, overBudget: 'rejected_unchanged' },
  },
  events: FUNDING_EVENTS,
  indexKeys: FUNDING_INDEX_KEYS,
  indexed: FUNDING_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: ['deposit', 'withdrawal'],
} as const satisfies NounModule
