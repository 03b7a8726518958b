// Examples of mandates in the OpenAPI document. A test validates each against its schema.
import type { CreateMandateBody, Mandate, MandatePayment, WalletMandate } from '../../../engine/contract/mandate.ts'

export const MANDATE_REQUEST: CreateMandateBody = {
  customer_tag: '@awa_diallo',
  amount: 5000,
  interval: 'monthly',
  max_payments: 12,
  reference: 'ABO-118',
  description: 'Abonnement mensuel',
  redirect_url: 'https://boutique.example/abonnements',
}

const TOKEN = 'Vb3kQ0xTz7mN1rYp4LwHs8DgJf2CeA6u'

export const MANDATE: Mandate = {
  id: '019aa0f8-1c00-7c01-8c4d-5e6f708192a3',
  token: TOKEN,
  state: 'active',
  customer_tag: 'awa_diallo',
  amount: 5000,
  max_amount: null,
  currency: 'XOF',
  interval: 'monthly',
  start_at: null,
  end_at: null,
  max_payments: 12,
  reference: 'ABO-118',
  description: 'Abonnement mensuel',
  redirect_url: 'https://boutique.example/abonnements',
  approval_url: `https://payer.example/mandates/${TOKEN}`,
  environment: 'live',
  next_charge_at: '2026-12-20T10:02:31.000Z',
  payments_count: 1,
  failed_attempts: 0,
  created_at: '2026-11-20T10:00:00.000Z',
  approved_at: '2026-11-20T10:02:31.000Z',
  cancelled_at: null,
}

export const PENDING_MANDATE: Mandate = { ...MANDATE, state: 'pending', next_charge_at: null, payments_count: 0, approved_at: null }

const CANCELLED_AT = '2026-11-25T16:40:02.118Z'

export const CANCELLED_MANDATE: Mandate = { ...MANDATE, state: 'cancelled', next_charge_at: null, cancelled_at: CANCELLED_AT }

const { token: _token, approval_url: _approvalUrl, ...shared } = MANDATE

export const WALLET_MANDATE: WalletMandate = { ...shared, merchant_name: 'Boutique Awa' }

export const CANCELLED_WALLET_MANDATE: WalletMandate = {
  ...WALLET_MANDATE,
  state: 'cancelled',
  next_charge_at: null,
  cancelled_at: CANCELLED_AT,
}

export const REJECTED_WALLET_MANDATE: WalletMandate = {
  ...WALLET_MANDATE,
  state: 'rejected',
  next_charge_at: null,
  payments_count: 0,
  approved_at: null,
}

export const MANDATE_PAYMENT: MandatePayment = {
  id: '019aa0fa-6a18-7c02-8c4d-5e6f708192a3',
  mandate_id: MANDATE.id,
  state: 'paid',
  amount: 5000,
  currency: 'XOF',
  transaction_id: '019aa0fa-6a18-7c03-9d5e-6f708192a3b4',
  reference: 'ABO-118',
  environment: 'live',
  created_at: '2026-11-20T10:02:31.000Z',
}
