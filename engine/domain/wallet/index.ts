// The noun module of wallets.
import type { NounModule } from '../noun-module.ts'
import { BLOCK_WALLET_REJECTIONS, decideBlockWallet, decideUnblockWallet, UNBLOCK_WALLET_REJECTIONS } from './block-decide.ts'
import { decideShowPhone, SHOW_PHONE_REJECTIONS } from './phone-decide.ts'
import { CREATE_TEST_WALLET_REJECTIONS, CREATE_WALLET_REJECTIONS, decideCreateTestWallet, decideCreateWallet } from './wallet-decide.ts'
import { WALLET_EVENTS } from './wallet-evolve.ts'
import { Wallets } from './wallet-state.ts'

export const WALLET = {
  state: { name: 'wallets', create: () => new Wallets() },
  quotas: [],
  commands: {
    CreateTestWallet: { decide: decideCreateTestWallet, rejections: CREATE_TEST_WALLET_REJECTIONS, overBudget: 'rejected' },
    CreateWallet: { decide: decideCreateWallet, rejections: CREATE_WALLET_REJECTIONS, overBudget: 'rejected' },
    BlockWallet: { decide: decideBlockWallet, rejections: BLOCK_WALLET_REJECTIONS, overBudget: 'counted' },
    UnblockWallet: { decide: decideUnblockWallet, rejections: UNBLOCK_WALLET_REJECTIONS, overBudget: 'counted' },
    ShowPhone: { decide: decideShowPhone, rejections: SHOW_PHONE_REJECTIONS, overBudget: 'rejected' },
  },
  events: WALLET_EVENTS,
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
