// The noun of wallets: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { decideCreateTestWallet, decideCreateWallet } from './wallet-decide.ts'
import { WALLET_EVENTS } from './wallet-evolve.ts'
import { Wallets } from './wallet-state.ts'

export const WALLET = {
  state: { name: 'wallets', create: () => new Wallets() },
  commands: {
    CreateTestWallet: { decide: decideCreateTestWallet, overBudget: 'rejected' },
    CreateWallet: { decide: decideCreateWallet, overBudget: 'rejected' },
  },
  events: WALLET_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
