// The noun module of billers and their products.
import type { NounModule } from '../noun-module.ts'
import {
  APPROVE_TEST_BILLER_REJECTIONS,
  CURATE_BILLER_REJECTIONS,
  CURATE_LOGO_REJECTIONS,
  decideApproveTestBiller,
  decideCurateBiller,
  decideCurateLogo,
} from './biller-curation-decide.ts'
import { BILLER_EVENTS } from './biller-evolve.ts'
import { BILLER_INDEX_KEYS, BILLER_INDEXED } from './biller-index-keys.ts'
import { PRODUCTS } from './biller-limits.ts'
import { decideSaveProduct, decideSwitchProduct, SAVE_PRODUCT_REJECTIONS, SWITCH_PRODUCT_REJECTIONS } from './biller-product-decide.ts'
import {
  decideSaveBiller,
  decideSetBillerLogo,
  decideSubmitBiller,
  SAVE_BILLER_REJECTIONS,
  SET_BILLER_LOGO_REJECTIONS,
  SUBMIT_BILLER_REJECTIONS,
} from './biller-profile-decide.ts'
import { Billers } from './biller-state.ts'
import { PRODUCT_DOCUMENTS } from './product-versions.ts'

export const BILLER = {
  state: { name: 'billers', create: (shared) => new Billers(shared) },
  quotas: [PRODUCTS],
  commands: {
    SaveBiller: { decide: decideSaveBiller, rejections: SAVE_BILLER_REJECTIONS, overBudget: 'rejected' },
    SetBillerLogo: { decide: decideSetBillerLogo, rejections: SET_BILLER_LOGO_REJECTIONS, overBudget: 'rejected' },
    SubmitBiller: { decide: decideSubmitBiller, rejections: SUBMIT_BILLER_REJECTIONS, overBudget: 'rejected' },
    CurateBiller: { decide: decideCurateBiller, rejections: CURATE_BILLER_REJECTIONS, overBudget: 'counted' },
    CurateLogo: { decide: decideCurateLogo, rejections: CURATE_LOGO_REJECTIONS, overBudget: 'counted' },
    ApproveTestBiller: { decide: decideApproveTestBiller, rejections: APPROVE_TEST_BILLER_REJECTIONS, overBudget: 'rejected' },
    SaveProduct: { decide: decideSaveProduct, rejections: SAVE_PRODUCT_REJECTIONS, overBudget: 'rejected' },
    SwitchProduct: { decide: decideSwitchProduct, rejections: SWITCH_PRODUCT_REJECTIONS, overBudget: 'rejected' },
  },
  events: BILLER_EVENTS,
  indexKeys: BILLER_INDEX_KEYS,
  indexed: BILLER_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
  documents: PRODUCT_DOCUMENTS,
} as const satisfies NounModule
