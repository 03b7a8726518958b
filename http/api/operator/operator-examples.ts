// Examples of the operator's routes in the OpenAPI document. A test validates each against its schema.

import type { CreateApiKeyBody, CreatedApiKey } from '../../../engine/contract/api-key.ts'
import type { Approval } from '../../../engine/contract/approval.ts'
import type { Funding, FundingBody } from '../../../engine/contract/funding.ts'
import type { CreateMerchantBody, Merchant } from '../../../engine/contract/merchant.ts'
import { type MerchantLimits, wholeLimits } from '../../../engine/contract/merchant-limits.ts'
import type {
  CreatedOperator,
  CreateOperatorBody,
  Operator,
  OperatorAction,
  OperatorRequest,
  OperatorWallet,
  TrialBalance,
} from '../../../engine/contract/operator.ts'
import type { QuotaReport } from '../../../engine/contract/quota.ts'
import { API_KEY } from '../dashboard/dashboard-examples.ts'
import { USER } from '../shared-examples.ts'

export const MERCHANT_REQUEST: CreateMerchantBody = { name: 'Boutique Awa', email: 'compta@boutique-awa.example', currency: 'XOF' }

export const MERCHANT: Merchant = {
  id: '019aa0f8-1c00-7e0f-8c4d-5e6f708192a3',
  name: 'Boutique Awa',
  email: 'compta@boutique-awa.example',
  currency: 'XOF',
  state: 'active',
  activation_state: 'active',
  suspend_reason: null,
  created_at: '2026-11-20T10:00:00.000Z',
}

export const SUSPENDED_MERCHANT: Merchant = { ...MERCHANT, state: 'suspended', suspend_reason: 'Plaintes de clients en cours d’examen.' }

export const MERCHANT_LIMITS: MerchantLimits = {
  merchant_id: MERCHANT.id,
  ...wholeLimits(undefined),
  environment: 'live',
  payout_max: 2_000_000,
  payout_day_max: 50_000_000,
  charge_max: 2_000_000,
  balance_max: null,
}

export const API_KEY_REQUEST: CreateApiKeyBody = { environment: 'test', scopes: ['disbursements.write'], label: 'Serveur de paie' }

const { last_used_at: _, ...newKey } = API_KEY

export const CREATED_API_KEY: CreatedApiKey = { ...newKey, secret_key: 'sk_test_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA' }

export const FUNDING_REQUEST: FundingBody = {
  merchant_id: MERCHANT.id,
  environment: 'live',
  amount: 250_000,
  reference: 'VIR-2026-118',
}

export const FUNDING: Funding = { transaction_id: '019aa0f8-1c00-7a3c-9d5e-6f708192a3b4', balance_after: 250_000 }

export const TRIAL_BALANCE: TrialBalance = {
  balanced: true,
  accounts: [
    { type: 'settlement', count: 1, debit: 250_000, credit: 0, held: 0 },
    { type: 'clearing', count: 1, debit: 0, credit: 0, held: 0 },
    { type: 'merchant', count: 2, debit: 0, credit: 245_000, held: 20_000 },
    { type: 'wallet', count: 3, debit: 0, credit: 5_000, held: 0 },
  ],
  transactions: 2,
  last_sequence: 17,
}

export const QUOTA_REPORT: QuotaReport = {
  quotas: [
    {
      name: 'payment_links',
      part: 'live',
      rows: 1_204,
      max: 100_000,
      share: 2_000,
      at_share: 'refused',
      largest_rows: 310,
      largest_holder: { kind: 'account', id: '019aa0f8-1c00-7e1f-8c4d-5e6f708192a3', name: 'Boutique Awa' },
    },
  ],
}

export const NEW_OPERATOR: CreateOperatorBody = { name: 'Fatou Ndiaye', email: 'fatou@service.example', role: 'finance' }

export const OPERATOR: Operator = {
  id: '019aa0f8-1c00-7e1f-8c4d-5e6f708192a3',
  ...NEW_OPERATOR,
  created_by: { id: null, name: 'OPERATOR_TOKEN' },
  created_at: '2026-11-20T10:00:00.000Z',
}

export const CREATED_OPERATOR: CreatedOperator = { ...OPERATOR, token: 'operator_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA' }

export const OPERATOR_REQUEST: OperatorRequest = {
  id: '019aa0f8-1c00-7e22-8c4d-5e6f708192a3',
  kind: 'create',
  operator_id: '019aa0f8-1c00-7e22-8c4d-5e6f708192a3',
  state: 'waiting',
  ...NEW_OPERATOR,
  requested_by: { id: null, name: 'OPERATOR_TOKEN' },
  decided_by: null,
  reason: null,
  created_at: '2026-11-20T10:00:00.000Z',
  decided_at: null,
}

export const REVOCATION_REQUEST: OperatorRequest = {
  ...OPERATOR_REQUEST,
  ...{ kind: 'revoke', operator_id: OPERATOR.id, role: 'admin' },
}

export const APPROVAL: Approval = {
  id: '019aa0f8-1c00-7e20-8c4d-5e6f708192a3',
  state: 'waiting',
  kind: 'deposit',
  because: 'amount',
  request_id: null,
  merchant_id: MERCHANT.id,
  tag: null,
  subject: { kind: 'merchant', id: MERCHANT.id, name: MERCHANT.name },
  environment: 'live',
  amount: 25_000_000,
  currency: 'XOF',
  reference: 'VIR-2026-119',
  requested_by: { id: OPERATOR.id, name: OPERATOR.name },
  decided_by: null,
  reason: null,
  transaction_id: null,
  balance_before: 250_000,
  balance_after: 25_250_000,
  created_at: '2026-11-20T10:00:00.000Z',
  decided_at: null,
}

const DECIDED = {
  decided_by: { id: '019aa0f8-1c00-7e21-8c4d-5e6f708192a3', name: 'Moussa Traoré' },
  decided_at: '2026-11-20T10:12:00.000Z',
} as const

export const APPROVED: Approval = {
  ...{ ...APPROVAL, ...DECIDED, state: 'approved' },
  transaction_id: FUNDING.transaction_id,
}

export const REFUSED: Approval = { ...APPROVAL, ...DECIDED, state: 'refused', reason: 'Le virement n’est pas arrivé.' }

export const APPROVED_OPERATOR: OperatorRequest = { ...OPERATOR_REQUEST, ...DECIDED, state: 'approved' }

export const REFUSED_OPERATOR: OperatorRequest = {
  ...{ ...OPERATOR_REQUEST, ...DECIDED, state: 'refused' },
  reason: 'Cette personne n’est pas connue.',
}

export const OPERATOR_ACTION: OperatorAction = {
  id: '019aa0f8-1c00-7e1a-8c4d-5e6f708192a3',
  action: 'merchant.create',
  target: MERCHANT.id,
  subject: { kind: 'merchant', id: MERCHANT.id, name: MERCHANT.name },
  environment: null,
  details: { name: MERCHANT.name, email: MERCHANT.email, currency: 'XOF' },
  operator: { id: OPERATOR.id, name: OPERATOR.name },
  created_at: '2026-11-20T10:00:00.000Z',
}

export const OPERATOR_WALLET: OperatorWallet = {
  ...USER,
  blocked: false,
  block_reason: null,
  available: 5_000,
  pending: 0,
  currency: 'XOF',
}

export const BLOCKED_WALLET: OperatorWallet = {
  ...OPERATOR_WALLET,
  blocked: true,
  block_reason: 'Téléphone volé, signalé par son propriétaire.',
}
