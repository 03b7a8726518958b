// The noun of merchants and API keys: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { decideCreateApiKey, decideCreateMerchant, decideNoteKeyUses, decideRevokeApiKey } from './merchant-decide.ts'
import { MERCHANT_EVENTS } from './merchant-evolve.ts'
import { Merchants } from './merchant-state.ts'

export const MERCHANT = {
  state: { name: 'merchants', create: () => new Merchants() },
  commands: {
    CreateMerchant: { decide: decideCreateMerchant, overBudget: 'counted' },
    CreateApiKey: { decide: decideCreateApiKey, overBudget: 'rejected' },
    RevokeApiKey: { decide: decideRevokeApiKey, overBudget: 'rejected_unchanged' },
    NoteKeyUses: { decide: decideNoteKeyUses, overBudget: 'counted' },
  },
  events: MERCHANT_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
