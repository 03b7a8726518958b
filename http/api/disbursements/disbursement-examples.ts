// Examples of disbursements in the OpenAPI document. A test validates each against its schema.
import type { CreateDisbursementBody, Disbursement, DisbursementLine } from '../../../engine/contract/disbursement.ts'

export const DISBURSEMENT_REQUEST: CreateDisbursementBody = {
  reference: 'PAIE-2026-11',
  items: [
    { recipient: '@awa_diallo', amount: 150_000 },
    { recipient: '@moussa_k', amount: 120_000, note: 'Prime comprise' },
  ],
}

const MAKER = { kind: 'key', id: '019aa0f8-1c00-7e12-8c4d-5e6f708192a3', name: 'Serveur de paie' } as const
const APPROVER = { kind: 'member', id: '019aa0f8-1c00-7e14-8c4d-5e6f708192a3', name: 'direction@boutique-awa.example' } as const
const AT = '2026-11-20T10:00:00.000Z'

export const READY_DISBURSEMENT: Disbursement = {
  id: '019aa0f8-1c00-7d01-8c4d-5e6f708192a3',
  state: 'ready',
  reference: 'PAIE-2026-11',
  currency: 'XOF',
  environment: 'live',
  start_at: null,
  on_insufficient_balance: 'pause',
  total_count: 2,
  total_amount: 270_000,
  valid_count: 2,
  valid_amount: 270_000,
  valid_fee_amount: 0,
  invalid_count: 0,
  warnings_count: 0,
  paid_count: 0,
  paid_amount: 0,
  failed_count: 0,
  failed_amount: 0,
  fee_amount: 0,
  waiting_count: 0,
  created_by: MAKER,
  approval: null,
  pause_reason: null,
  retry_of: null,
  created_at: AT,
  started_at: null,
  completed_at: null,
  cancelled_at: null,
}

export const RUNNING_DISBURSEMENT: Disbursement = { ...READY_DISBURSEMENT, state: 'running', waiting_count: 2, started_at: AT }

export const AWAITING_DISBURSEMENT: Disbursement = {
  ...READY_DISBURSEMENT,
  state: 'awaiting_approval',
  waiting_count: 2,
  approval: { state: 'pending', by: null, at: null, reason: null },
}

export const APPROVED_DISBURSEMENT: Disbursement = {
  ...RUNNING_DISBURSEMENT,
  approval: { state: 'approved', by: APPROVER, at: AT, reason: null },
}

export const REJECTION = { reason: 'Le total ne correspond pas à la paie.' }

export const REJECTED_DISBURSEMENT: Disbursement = {
  ...READY_DISBURSEMENT,
  state: 'rejected',
  approval: { state: 'rejected', by: APPROVER, at: AT, ...REJECTION },
}

export const PAUSED_DISBURSEMENT: Disbursement = { ...RUNNING_DISBURSEMENT, state: 'paused', pause_reason: 'requested' }

export const COMPLETED_DISBURSEMENT: Disbursement = {
  ...READY_DISBURSEMENT,
  state: 'completed',
  paid_count: 2,
  paid_amount: 270_000,
  started_at: AT,
  completed_at: AT,
}

export const CANCELLED_DISBURSEMENT: Disbursement = { ...READY_DISBURSEMENT, state: 'cancelled', cancelled_at: AT }

export const RETRY_DISBURSEMENT: Disbursement = {
  ...READY_DISBURSEMENT,
  id: '019aa0f8-1c00-7d02-8c4d-5e6f708192a3',
  total_count: 1,
  total_amount: 120_000,
  valid_count: 1,
  valid_amount: 120_000,
  retry_of: READY_DISBURSEMENT.id,
}

export const PAID_LINE: DisbursementLine = {
  index: 0,
  recipient: 'awa_diallo',
  holder: 'Awa D.',
  amount: 150_000,
  currency: 'XOF',
  fee: 0,
  reference: '',
  note: '',
  state: 'paid',
  warnings: [],
  payout_id: '019aa0f8-1c00-7b03-8c4d-5e6f708192a3',
  transaction_id: '019aa0f8-1c00-7a3c-9d5e-6f708192a3b4',
}
