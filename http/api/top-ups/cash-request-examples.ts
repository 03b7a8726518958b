// Examples of top-ups and withdrawals in the OpenAPI document. A test validates each against its schema.
import type { Approval } from '../../../engine/contract/approval.ts'
import type { CreateTopUpBody, OperatorTopUp, TopUp } from '../../../engine/contract/top-up.ts'
import type { CreateWithdrawalBody, OperatorWithdrawal, Withdrawal } from '../../../engine/contract/withdrawal.ts'
import { APPROVAL, MERCHANT } from '../operator/operator-examples.ts'

export const TOP_UP_REQUEST: CreateTopUpBody = { amount: 500_000, reference: 'APPRO-NOV' }

export const TOP_UP: TopUp = {
  id: '019aa0f8-1c00-7c01-8c4d-5e6f708192a3',
  state: 'requested',
  amount: 500_000,
  confirmed_amount: null,
  currency: 'XOF',
  reference: 'APPRO-NOV',
  payment_reference: 'K7M2-9PX4',
  instructions: 'Virement à Cauri SA, Banque Atlantique, IBAN SN08 SN01 0015 2000 0485 0000 3035.',
  settlement_reference: null,
  reason: null,
  transaction_id: null,
  environment: 'live',
  created_at: '2026-11-20T10:00:00.000Z',
  finished_at: null,
}

const FINISHED_AT = '2026-11-20T14:30:00.000Z'

export const CONFIRMED_TOP_UP: TopUp = {
  ...TOP_UP,
  state: 'confirmed',
  confirmed_amount: 500_000,
  settlement_reference: 'VIR-2026-118',
  transaction_id: '019aa0f8-1c00-7c02-8c4d-5e6f708192a3',
  finished_at: FINISHED_AT,
}

export const REFUSED_TOP_UP: TopUp = {
  ...TOP_UP,
  state: 'refused',
  reason: 'Aucun virement n’est arrivé avec cette référence.',
  finished_at: FINISHED_AT,
}

export const CANCELLED_TOP_UP: TopUp = { ...TOP_UP, state: 'cancelled', finished_at: FINISHED_AT }

export const WITHDRAWAL_REQUEST: CreateWithdrawalBody = {
  amount: 200_000,
  destination: { kind: 'bank', name: 'Boutique Awa SARL', account: 'SN08SN0100152000048500003035' },
  reference: 'RETRAIT-NOV',
}

export const WITHDRAWAL: Withdrawal = {
  id: '019aa0f8-1c00-7c11-8c4d-5e6f708192a3',
  state: 'requested',
  amount: 200_000,
  currency: 'XOF',
  fee: 0,
  reference: 'RETRAIT-NOV',
  destination: { kind: 'bank', name: 'Boutique Awa SARL', account: 'SN08SN0100152000048500003035' },
  withdrawal_account_id: null,
  settlement_reference: null,
  reason: null,
  transaction_id: null,
  environment: 'live',
  created_at: '2026-11-20T10:00:00.000Z',
  finished_at: null,
}

export const PAID_WITHDRAWAL: Withdrawal = {
  ...WITHDRAWAL,
  state: 'paid',
  settlement_reference: 'VIR-2026-119',
  transaction_id: '019aa0f8-1c00-7c12-8c4d-5e6f708192a3',
  finished_at: FINISHED_AT,
}

export const REFUSED_WITHDRAWAL: Withdrawal = {
  ...WITHDRAWAL,
  state: 'refused',
  reason: 'Le nom du titulaire ne correspond pas au compte.',
  finished_at: FINISHED_AT,
}

export const CANCELLED_WITHDRAWAL: Withdrawal = { ...WITHDRAWAL, state: 'cancelled', finished_at: FINISHED_AT }

const OWNER = { merchant_id: MERCHANT.id, merchant_name: MERCHANT.name, approval_id: null }

export const OPERATOR_TOP_UP: OperatorTopUp = { ...TOP_UP, ...OWNER }

export const OPERATOR_WITHDRAWAL: OperatorWithdrawal = { ...WITHDRAWAL, ...OWNER }

/** Of a confirmed top-up. */
export const CONFIRMATION_APPROVAL: Approval = {
  ...APPROVAL,
  kind: 'top_up_confirmation',
  request_id: CONFIRMED_TOP_UP.id,
  amount: CONFIRMED_TOP_UP.amount,
}

/** Of a paid withdrawal. */
export const PAYMENT_APPROVAL: Approval = {
  ...APPROVAL,
  kind: 'withdrawal_payment',
  request_id: PAID_WITHDRAWAL.id,
  amount: PAID_WITHDRAWAL.amount,
}
