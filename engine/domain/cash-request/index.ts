// The noun module of cash requests: top-ups and withdrawals.
import type { NounModule } from '../noun-module.ts'
import { CASH_REQUEST_EVENTS } from './cash-request-evolve.ts'
import { CASH_REQUEST_INDEX_KEYS, CASH_REQUEST_INDEXED } from './cash-request-index-keys.ts'
import { OPEN_TOP_UPS, OPEN_WITHDRAWALS, WITHDRAWAL_ACCOUNTS } from './cash-request-limits.ts'
import { CashRequests } from './cash-request-state.ts'
import { CASH_REQUEST_DOCUMENTS } from './cash-request-versions.ts'
import {
  CANCEL_TOP_UP_REJECTIONS,
  CONFIRM_TOP_UP_REJECTIONS,
  decideCancelTopUp,
  decideConfirmTopUp,
  decideRefuseTopUp,
  decideRequestTopUp,
  REFUSE_TOP_UP_REJECTIONS,
  REQUEST_TOP_UP_REJECTIONS,
} from './top-up-decide.ts'
import {
  ADD_WITHDRAWAL_ACCOUNT_REJECTIONS,
  CONFIRM_WITHDRAWAL_ACCOUNT_REJECTIONS,
  DELETE_WITHDRAWAL_ACCOUNT_REJECTIONS,
  decideAddWithdrawalAccount,
  decideConfirmWithdrawalAccount,
  decideDeleteWithdrawalAccount,
} from './withdrawal-account-decide.ts'
import {
  CANCEL_WITHDRAWAL_REJECTIONS,
  decideCancelWithdrawal,
  decidePayWithdrawal,
  decideRefuseWithdrawal,
  decideRequestWithdrawal,
  PAY_WITHDRAWAL_REJECTIONS,
  REFUSE_WITHDRAWAL_REJECTIONS,
  REQUEST_WITHDRAWAL_REJECTIONS,
} from './withdrawal-decide.ts'

export const CASH_REQUEST = {
  state: { name: 'cashRequests', create: (shared) => new CashRequests(shared) },
  quotas: [OPEN_TOP_UPS, OPEN_WITHDRAWALS, WITHDRAWAL_ACCOUNTS],
  commands: {
    RequestTopUp: { decide: decideRequestTopUp, rejections: REQUEST_TOP_UP_REJECTIONS, overBudget: 'rejected' },
    CancelTopUp: { decide: decideCancelTopUp, rejections: CANCEL_TOP_UP_REJECTIONS, overBudget: 'rejected_unchanged' },
    ConfirmTopUp: { decide: decideConfirmTopUp, rejections: CONFIRM_TOP_UP_REJECTIONS, overBudget: 'rejected' },
    RefuseTopUp: { decide: decideRefuseTopUp, rejections: REFUSE_TOP_UP_REJECTIONS, overBudget: 'counted' },
    RequestWithdrawal: { decide: decideRequestWithdrawal, rejections: REQUEST_WITHDRAWAL_REJECTIONS, overBudget: 'rejected' },
    CancelWithdrawal: { decide: decideCancelWithdrawal, rejections: CANCEL_WITHDRAWAL_REJECTIONS, overBudget: 'rejected_unchanged' },
    PayWithdrawal: { decide: decidePayWithdrawal, rejections: PAY_WITHDRAWAL_REJECTIONS, overBudget: 'rejected' },
    AddWithdrawalAccount: {
      ...{ decide: decideAddWithdrawalAccount, rejections: ADD_WITHDRAWAL_ACCOUNT_REJECTIONS, overBudget: 'rejected' },
    },
    DeleteWithdrawalAccount: {
      ...{ decide: decideDeleteWithdrawalAccount, rejections: DELETE_WITHDRAWAL_ACCOUNT_REJECTIONS, overBudget: 'rejected_unchanged' },
    },
    ConfirmWithdrawalAccount: {
      ...{ decide: decideConfirmWithdrawalAccount, rejections: CONFIRM_WITHDRAWAL_ACCOUNT_REJECTIONS, overBudget: 'counted' },
    },
    RefuseWithdrawal: { decide: decideRefuseWithdrawal, rejections: REFUSE_WITHDRAWAL_REJECTIONS, overBudget: 'counted' },
  },
  events: CASH_REQUEST_EVENTS,
  indexKeys: CASH_REQUEST_INDEX_KEYS,
  indexed: CASH_REQUEST_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
  documents: CASH_REQUEST_DOCUMENTS,
} as const satisfies NounModule
