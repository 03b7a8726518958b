// The noun module of quotes, bill payments and their fulfillment.
import type { NounModule } from '../noun-module.ts'
import { LIMIT_KINDS } from '../rules/movement-rules.ts'
import { BILL_EVENTS } from './bill-evolve.ts'
import { BILL_INDEX_KEYS, BILL_INDEXED } from './bill-index-keys.ts'
import { OPEN_FULFILLMENTS } from './bill-limits.ts'
import { decidePayBill, PAY_BILL_REJECTIONS } from './bill-pay-decide.ts'
import { decideRefundBill, REFUND_BILL_REJECTIONS } from './bill-refund-decide.ts'
import { Bills } from './bill-state.ts'
import {
  decideEndFulfillment,
  decideMarkFulfillmentCall,
  decideReturnFulfillment,
  decideStartFulfillment,
  END_FULFILLMENT_REJECTIONS,
  MARK_FULFILLMENT_CALL_REJECTIONS,
  RETURN_FULFILLMENT_REJECTIONS,
  START_FULFILLMENT_REJECTIONS,
} from './fulfillment-decide.ts'
import { CREATE_QUOTE_REJECTIONS, decideCreateQuote } from './quote-decide.ts'
import { decideRedeliverBill, REDELIVER_BILL_REJECTIONS } from './redelivery-decide.ts'

export const BILL = {
  state: { name: 'bills', create: (shared) => new Bills(shared) },
  quotas: [OPEN_FULFILLMENTS],
  commands: {
    CreateQuote: { decide: decideCreateQuote, rejections: CREATE_QUOTE_REJECTIONS, overBudget: 'rejected' },
    PayBill: { decide: decidePayBill, rejections: PAY_BILL_REJECTIONS, kinds: LIMIT_KINDS, overBudget: 'rejected' },
    StartFulfillment: { decide: decideStartFulfillment, rejections: START_FULFILLMENT_REJECTIONS, overBudget: 'counted' },
    MarkFulfillmentCall: { decide: decideMarkFulfillmentCall, rejections: MARK_FULFILLMENT_CALL_REJECTIONS, overBudget: 'counted' },
    ReturnFulfillment: { decide: decideReturnFulfillment, rejections: RETURN_FULFILLMENT_REJECTIONS, overBudget: 'counted' },
    EndFulfillment: { decide: decideEndFulfillment, rejections: END_FULFILLMENT_REJECTIONS, overBudget: 'counted' },
    RedeliverBill: { decide: decideRedeliverBill, rejections: REDELIVER_BILL_REJECTIONS, overBudget: 'rejected' },
    RefundBill: { decide: decideRefundBill, rejections: REFUND_BILL_REJECTIONS, overBudget: 'rejected' },
  },
  events: BILL_EVENTS,
  indexKeys: BILL_INDEX_KEYS,
  indexed: BILL_INDEXED,
  timers: {},
  frames: ['bill.paid', 'bill.refunded'],
  transactionTypes: ['bill'],
} as const satisfies NounModule
