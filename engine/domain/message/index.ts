// The noun module of messages to the gateways for SMS, push and e-mail.
import type { NounModule } from '../noun-module.ts'
import { decideRecordMessages } from './message-decide.ts'
import { MESSAGE_EVENTS } from './message-evolve.ts'
import { OPEN_MESSAGES } from './message-limits.ts'
import { Messages } from './message-state.ts'

export const MESSAGE = {
  state: { name: 'messages', create: (shared) => new Messages(shared) },
  quotas: Object.values(OPEN_MESSAGES),
  commands: { RecordMessages: { decide: decideRecordMessages, rejections: [], overBudget: 'counted' } },
  events: MESSAGE_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
