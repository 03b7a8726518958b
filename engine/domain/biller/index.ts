// The noun of billers and their products: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { decideApproveTestBiller, decideCurateBiller, decideCurateLogo } from './biller-curation-decide.ts'
import { BILLER_EVENTS } from './biller-evolve.ts'
import { BILLER_INDEX_KEYS, BILLER_INDEXED } from './biller-index-keys.ts'
import { decideSaveProduct, decideSwitchProduct } from './biller-product-decide.ts'
import { decideSaveBiller, decideSetBillerLogo, decideSubmitBiller } from './biller-profile-decide.ts'
import { Billers } from './biller-state.ts'

export const BILLER = {
  state: { name: 'billers', create: () => new Billers() },
  commands: {
    SaveBiller: { decide: decideSaveBiller, overBudget: 'rejected' },
    SetBillerLogo: { decide: decideSetBillerLogo, overBudget: 'rejected' },
    SubmitBiller: { decide: decideSubmitBiller, overBudget: 'rejected' },
    CurateBiller: { decide: decideCurateBiller, overBudget: 'counted' },
    CurateLogo: { decide: decideCurateLogo, overBudget: 'counted' },
    ApproveTestBiller: { decide: decideApproveTestBiller, overBudget: 'rejected' },
    SaveProduct: { decide: decideSaveProduct, overBudget: 'rejected' },
    SwitchProduct: { decide: decideSwitchProduct, overBudget: 'rejected' },
  },
  events: BILLER_EVENTS,
  indexKeys: BILLER_INDEX_KEYS,
  indexed: BILLER_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
