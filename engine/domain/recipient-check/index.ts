// The noun module of look-ups of recipients.
import type { NounModule } from '../noun-module.ts'
import { CHECK_RECIPIENT_REJECTIONS, decideCheckRecipient } from './recipient-check-decide.ts'
import { RECIPIENT_CHECK_EVENTS } from './recipient-check-evolve.ts'
import { RecipientBudgets } from './recipient-check-state.ts'

export const RECIPIENT_CHECK = {
  state: { name: 'recipientBudgets', create: () => new RecipientBudgets() },
  quotas: [],
  commands: {
    CheckRecipient: { decide: decideCheckRecipient, rejections: CHECK_RECIPIENT_REJECTIONS, overBudget: 'rejected' },
  },
  events: RECIPIENT_CHECK_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
