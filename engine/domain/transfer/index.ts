// The noun module of transfers between wallets.
import type { NounModule } from '../noun-module.ts'
import { LIMIT_KINDS } from '../rules/movement-rules.ts'
import { CREATE_TRANSFER_REJECTIONS, decideCreateTransfer } from './transfer-decide.ts'

export const TRANSFER = {
  state: null,
  quotas: [],
  commands: {
    CreateTransfer: {
      decide: decideCreateTransfer,
      rejections: CREATE_TRANSFER_REJECTIONS,
      kinds: LIMIT_KINDS,
      overBudget: 'rejected',
    },
  },
  events: { 'transfer.made@1': null },
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: ['transfer'],
} as const satisfies NounModule
