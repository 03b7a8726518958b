// The noun of quotes, bill payments and their fulfillment: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { BILL_EVENTS } from './bill-evolve.ts'
import { BILL_INDEX_KEYS, BILL_INDEXED } from './bill-index-keys.ts'
import { decidePayBill } from './bill-pay-decide.ts'
import { decideRefundBill } from './bill-refund-decide.ts'
import { Bills } from './bill-state.ts'
import { decideEndFulfillment, decideReturnFulfillment, decideStartFulfillment } from './fulfillment-decide.ts'
import { decideCreateQuote } from './quote-decide.ts'
import { decideRedeliverBill } from './redelivery-decide.ts'

export const BILL = {
  state: { name: 'bills', create: () => new Bills() },
  commands: {
    CreateQuote: { decide: decideCreateQuote, overBudget: 'rejected' },
    PayBill: { decide: decidePayBill, overBudget: 'rejected' },
    StartFulfillment: { decide: decideStartFulfillment, overBudget: 'counted' },
    ReturnFulfillment: { decide: decideReturnFulfillment, overBudget: 'counted' },
    EndFulfillment: { decide: decideEndFulfillment, overBudget: 'counted' },
    RedeliverBill: { decide: decideRedeliverBill, overBudget: 'rejected' },
    RefundBill: { decide: decideRefundBill, overBudget: 'rejected' },
  },
  events: BILL_EVENTS,
  indexKeys: BILL_INDEX_KEYS,
  indexed: BILL_INDEXED,
  timers: {},
  frames: ['bill.paid', 'bill.refunded'],
  transactionTypes: ['bill'],
} as const satisfies NounModule
