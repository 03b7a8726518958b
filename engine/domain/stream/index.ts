// The noun module of the realtime frames of wallets.
import { AccountCounters } from '../../kernel/account-counters.ts'
import type { NounModule } from '../noun-module.ts'

export const STREAM = {
  state: { name: 'frames', create: () => new AccountCounters('frames') },
  quotas: [],
  commands: {},
  events: {},
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: ['payment.received', 'payment.sent', 'balance.updated'],
  transactionTypes: [],
} as const satisfies NounModule
