// The noun module of payment links.
import type { NounModule } from '../noun-module.ts'
import {
  CLOSE_PAYMENT_LINK_REJECTIONS,
  CREATE_PAYMENT_LINK_REJECTIONS,
  decideClosePaymentLink,
  decideCreatePaymentLink,
} from './payment-link-decide.ts'
import { PAYMENT_LINK_EVENTS } from './payment-link-evolve.ts'
import { ACTIVE_LINKS, CLOSED_LINKS } from './payment-link-limits.ts'
import { PaymentLinks } from './payment-link-state.ts'

export const PAYMENT_LINK = {
  state: { name: 'paymentLinks', create: (shared) => new PaymentLinks(shared) },
  quotas: [ACTIVE_LINKS, CLOSED_LINKS],
  commands: {
    CreatePaymentLink: { decide: decideCreatePaymentLink, rejections: CREATE_PAYMENT_LINK_REJECTIONS, overBudget: 'rejected' },
    ClosePaymentLink: { decide: decideClosePaymentLink, rejections: CLOSE_PAYMENT_LINK_REJECTIONS, overBudget: 'rejected_unchanged' },
  },
  events: PAYMENT_LINK_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
