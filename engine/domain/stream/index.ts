// The noun module of the realtime frames of wallets.
import type { NounModule } from '../noun-module.ts'
import { FrameCounters } from './stream-state.ts'

export const STREAM = {
  state: { name: 'frames', create: () => new FrameCounters() },
  quotas: [],
  commands: {},
  events: {},
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: ['payment.received', 'payment.sent', 'balance.updated'],
  transactionTypes: [],
} as const satisfies NounModule
