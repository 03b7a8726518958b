// Examples of charges and checkouts in the OpenAPI document. A test validates each against its schema.
import type { Charge, CreateChargeBody } from '../../../engine/contract/charge.ts'
import type { Checkout, CheckoutQr, PaidCharge, PayCheckoutBody } from '../../../engine/contract/checkout.ts'

const TOKEN = 'Vb3kQ0xTz7mN1rYp4LwHs8DgJf2CeA6u'

export const CHARGE_REQUEST: CreateChargeBody = {
  amount: 12_500,
  reference: 'CMD-118',
  description: '2 pagnes wax',
  redirect_url: 'https://boutique.example/merci?commande=118',
  metadata: { panier: 'A-118' },
}

export const PENDING_CHARGE: Charge = {
  id: '019aa0f8-1c00-7e11-8f70-8192a3b4c5d6',
  token: TOKEN,
  amount: 12_500,
  currency: 'XOF',
  fee: 0,
  state: 'pending',
  reference: 'CMD-118',
  checkout_url: `https://payer.example/pay/${TOKEN}`,
  redirect_url: 'https://boutique.example/merci?commande=118',
  webhook_url: '',
  customer_tag: '',
  expires_at: '2026-11-20T10:30:00.000Z',
  description: '2 pagnes wax',
  environment: 'live',
  created_at: '2026-11-20T10:00:00.000Z',
  paid_at: null,
  cancelled_at: null,
  refunded_at: null,
  transaction_id: null,
  refund_transaction_id: null,
  payer_tag: null,
  metadata: { panier: 'A-118' },
  created_by: { kind: 'key', id: '019aa0f8-1c00-7b11-8f70-8192a3b4c5d6', name: 'Site de la boutique' },
}

export const PAID_CHARGE: Charge = {
  ...PENDING_CHARGE,
  state: 'paid',
  paid_at: '2026-11-20T10:04:12.345Z',
  transaction_id: '019aa0fb-f5e9-7a2b-9c3d-4e5f60718293',
  payer_tag: 'awa_diallo',
}

export const EXPIRED_CHARGE: Charge = { ...PENDING_CHARGE, state: 'expired' }

export const CANCELLED_CHARGE: Charge = { ...PENDING_CHARGE, state: 'cancelled', cancelled_at: '2026-11-20T10:12:30.400Z' }

export const REFUNDED_CHARGE: Charge = {
  ...PAID_CHARGE,
  state: 'refunded',
  refunded_at: '2026-11-21T08:15:00.000Z',
  refund_transaction_id: '019aa5be-5ca0-7b3c-8d4e-5f6071829304',
  refund_reason: 'paid_twice',
}

export const CHECKOUT: Checkout = {
  state: 'pending',
  amount: 12_500,
  currency: 'XOF',
  fee: 0,
  description: '2 pagnes wax',
  merchant_name: 'Boutique Awa',
  merchant_address: '12 rue Félix Faure, Dakar',
  merchant_logo_url: null,
  restricted: false,
  expires_at: '2026-11-20T10:30:00.000Z',
  redirect_url: 'https://boutique.example/merci?commande=118',
}

const PAYLOAD = `https://payer.example/pay/${TOKEN}?c=0q2Zk8m3Yb5xVw7tRj1LpA`

export const CHECKOUT_QR: CheckoutQr = {
  payload: PAYLOAD,
  svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">…</svg>',
  expires_in: 9,
}

export const SCAN_REQUEST = { payload: PAYLOAD }

export const CHECKOUT_PAYMENT: PayCheckoutBody = {
  challenge_id: '019aa0fa-0b10-7c4d-8e5f-607182930415',
  identifier: '@awa_diallo',
  otp: '482915',
  pin: '7391',
}

export const PAID_IN_APP: PaidCharge = {
  state: 'paid',
  transaction_id: '019aa0fb-f5e9-7a2b-9c3d-4e5f60718293',
  amount: 12_500,
  currency: 'XOF',
  fee: 0,
  balance_after: 37_500,
}
