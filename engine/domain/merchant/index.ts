// The noun module of merchants and API keys.
import type { NounModule } from '../noun-module.ts'
import {
  APPROVE_MERCHANT_NAME_REJECTIONS,
  decideApproveMerchantName,
  decideRefuseMerchantName,
  decideSetMerchantAccount,
  REFUSE_MERCHANT_NAME_REJECTIONS,
  SET_MERCHANT_ACCOUNT_REJECTIONS,
} from './account-decide.ts'
import {
  ACTIVATE_MERCHANT_REJECTIONS,
  ADD_ACTIVATION_FILE_REJECTIONS,
  DELETE_ACTIVATION_FILE_REJECTIONS,
  decideActivateMerchant,
  decideAddActivationFile,
  decideDeleteActivationFile,
  decideRefuseActivation,
  decideRequestActivation,
  REFUSE_ACTIVATION_REJECTIONS,
  REQUEST_ACTIVATION_REJECTIONS,
} from './activation-decide.ts'
import {
  decideReviewMerchantLogo,
  decideSetMerchantLogo,
  REVIEW_MERCHANT_LOGO_REJECTIONS,
  SET_MERCHANT_LOGO_REJECTIONS,
} from './logo-decide.ts'
import {
  CREATE_API_KEY_REJECTIONS,
  CREATE_MERCHANT_REJECTIONS,
  decideCreateApiKey,
  decideCreateMerchant,
  decideNoteKeyUses,
  decideRevokeApiKey,
  REVOKE_API_KEY_REJECTIONS,
} from './merchant-decide.ts'
import { MERCHANT_EVENTS } from './merchant-evolve.ts'
import { MERCHANT_INDEX_KEYS, MERCHANT_INDEXED } from './merchant-index-keys.ts'
import { API_KEYS } from './merchant-limits.ts'
import { Merchants } from './merchant-state.ts'
import { decideSetKeyLimits, decideSetPayoutPolicy, SET_KEY_LIMITS_REJECTIONS } from './payout-rules-decide.ts'
import {
  decideReinstateMerchant,
  decideSuspendMerchant,
  REINSTATE_MERCHANT_REJECTIONS,
  SUSPEND_MERCHANT_REJECTIONS,
} from './suspension-decide.ts'

export const MERCHANT = {
  state: { name: 'merchants', create: (shared) => new Merchants(shared) },
  quotas: [API_KEYS],
  commands: {
    CreateMerchant: { decide: decideCreateMerchant, rejections: CREATE_MERCHANT_REJECTIONS, overBudget: 'counted' },
    CreateApiKey: { decide: decideCreateApiKey, rejections: CREATE_API_KEY_REJECTIONS, overBudget: 'rejected' },
    RevokeApiKey: { decide: decideRevokeApiKey, rejections: REVOKE_API_KEY_REJECTIONS, overBudget: 'rejected_unchanged' },
    RequestActivation: { decide: decideRequestActivation, rejections: REQUEST_ACTIVATION_REJECTIONS, overBudget: 'rejected' },
    AddActivationFile: { decide: decideAddActivationFile, rejections: ADD_ACTIVATION_FILE_REJECTIONS, overBudget: 'rejected' },
    DeleteActivationFile: {
      decide: decideDeleteActivationFile,
      rejections: DELETE_ACTIVATION_FILE_REJECTIONS,
      overBudget: 'rejected',
    },
    ActivateMerchant: { decide: decideActivateMerchant, rejections: ACTIVATE_MERCHANT_REJECTIONS, overBudget: 'counted' },
    RefuseActivation: { decide: decideRefuseActivation, rejections: REFUSE_ACTIVATION_REJECTIONS, overBudget: 'counted' },
    SetMerchantAccount: { decide: decideSetMerchantAccount, rejections: SET_MERCHANT_ACCOUNT_REJECTIONS, overBudget: 'rejected' },
    ApproveMerchantName: { decide: decideApproveMerchantName, rejections: APPROVE_MERCHANT_NAME_REJECTIONS, overBudget: 'counted' },
    RefuseMerchantName: { decide: decideRefuseMerchantName, rejections: REFUSE_MERCHANT_NAME_REJECTIONS, overBudget: 'counted' },
    SetMerchantLogo: { decide: decideSetMerchantLogo, rejections: SET_MERCHANT_LOGO_REJECTIONS, overBudget: 'rejected' },
    ReviewMerchantLogo: { decide: decideReviewMerchantLogo, rejections: REVIEW_MERCHANT_LOGO_REJECTIONS, overBudget: 'counted' },
    SuspendMerchant: { decide: decideSuspendMerchant, rejections: SUSPEND_MERCHANT_REJECTIONS, overBudget: 'counted' },
    ReinstateMerchant: { decide: decideReinstateMerchant, rejections: REINSTATE_MERCHANT_REJECTIONS, overBudget: 'counted' },
    SetKeyLimits: { decide: decideSetKeyLimits, rejections: SET_KEY_LIMITS_REJECTIONS, overBudget: 'rejected' },
    SetPayoutPolicy: { decide: decideSetPayoutPolicy, rejections: [], overBudget: 'rejected' },
    NoteKeyUses: { decide: decideNoteKeyUses, rejections: [], overBudget: 'counted' },
  },
  events: MERCHANT_EVENTS,
  indexKeys: MERCHANT_INDEX_KEYS,
  indexed: MERCHANT_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
