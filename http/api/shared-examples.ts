// Shared examples of the OpenAPI document. A test validates each against its schema.
import type { LoginGrant, PhoneStart, RefreshedSession, Session, SignupGrant } from '../../engine/contract/auth.ts'
import type { Balance } from '../../engine/contract/balance.ts'
import type { Device } from '../../engine/contract/device.ts'
import type { Ping } from '../../engine/contract/health.ts'
import type { User } from '../../engine/contract/me.ts'
import type { CreatePayoutBody, Payout } from '../../engine/contract/payout.ts'
import type { Transaction, TransactionDetail } from '../../engine/contract/transaction.ts'
import type { CreateTransferBody, Transfer } from '../../engine/contract/transfer.ts'

export const PING: Ping = {
  ok: true,
  merchant_id: '019aa0e0-0000-7a11-8b2c-3d4e5f607182',
  environment: 'live',
  scopes: ['disbursements.write'],
}

export const BALANCE: Balance = { available: 250_000, pending: 0, currency: 'XOF', environment: 'live' }

export const DONE = { ok: true }

export const PAYOUT_REQUEST: CreatePayoutBody = {
  recipient: '@awa_diallo',
  amount: 5000,
  reference: 'PAIE-2026-11',
  note: 'Salaire de novembre',
}

export const PAID_PAYOUT: Payout = {
  id: '019aa0f8-1c00-7a3b-8c4d-5e6f708192a3',
  recipient: 'awa_diallo',
  amount: 5000,
  currency: 'XOF',
  fee: 0,
  reference: 'PAIE-2026-11',
  state: 'paid',
  transaction_id: '019aa0f8-1c00-7a3c-9d5e-6f708192a3b4',
  note: 'Salaire de novembre',
  environment: 'live',
  batch_id: null,
  schedule_id: null,
  disbursement_id: null,
  created_at: '2026-11-20T10:00:00.000Z',
}

export const STATEMENT_LINE: Transaction = {
  id: '019aa0f8-1c00-7a3c-9d5e-6f708192a3b4',
  type: 'payout',
  amount: -5000,
  balance_after: 245_000,
  currency: 'XOF',
  reference: 'PAIE-2026-11',
  counterparty: 'awa_diallo',
  charge_id: null,
  payout_id: '019aa0f8-1c00-7a3b-8c4d-5e6f708192a3',
  batch_id: null,
  created_at: '2026-11-20T10:00:00.000Z',
}

export const TRANSACTION_DETAIL: TransactionDetail = {
  ...STATEMENT_LINE,
  mandate_id: null,
  fee: 0,
  postings: [
    { account_type: 'merchant', account_name: 'Boutique Awa', direction: 'debit', amount: 5000, currency: 'XOF' },
    { account_type: 'wallet', account_name: 'awa_diallo', direction: 'credit', amount: 5000, currency: 'XOF' },
  ],
}

export const PHONE_START: PhoneStart = {
  challenge_id: '019aa0f8-1c00-7b01-8c4d-5e6f708192a3',
  channel: 'sms',
  code_length: 6,
  expires_in: 300,
  resend_in: 30,
}

export const SIGNUP_GRANT: SignupGrant = { signup_token: 'signup_Nn3Vv1lq0kqk2m8s4xJ1yQb7v0cU5tG9wD6eR2hA1zM', expires_in: 900 }

export const LOGIN_GRANT: LoginGrant = { login_token: 'login_Qx7Tb2mV9rL4kP0sW8nY3cJ6fH1dG5aZ2uE4iO7tBvM', expires_in: 300 }

export const USER: User = {
  id: '019aa0f8-1c00-7c02-9d5e-6f708192a3b4',
  phone: '+2250000000012',
  tag: 'awa_diallo',
  family_name: 'Diallo',
  given_name: 'Awa',
  environment: 'test',
}

export const REFRESHED_SESSION: RefreshedSession = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImsxIn0.e30.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 3600,
  device_token: 'device_Lk8Ws3dF6gH9jK2lP5oI8uY1tR4eW7qA0sD3fG6hJ9k',
}

export const SESSION: Session = { ...REFRESHED_SESSION, user: USER }

export const DEVICE: Device = {
  id: 'a3f1c7d2-pixel-8',
  name: 'Pixel 8 d’Awa',
  platform: 'android',
  current: true,
  created_at: '2026-11-20T10:00:00.000Z',
}

export const TRANSFER_REQUEST: CreateTransferBody = { recipient: '@kofi', amount: 2500, note: 'Pour le taxi', pin: '7391' }

export const TRANSFER: Transfer = {
  transaction_id: '019aa0f8-1c00-7d03-8e6f-708192a3b4c5',
  recipient: 'kofi',
  amount: 2500,
  currency: 'XOF',
  fee: 0,
  note: 'Pour le taxi',
  balance_after: 7500,
  created_at: '2026-11-20T10:00:00.000Z',
}

/** Returns the first time of a plan, without its zone: next year, because it must be in the future while the server runs. */
export function planStart(nowMs: number): string {
  return `${new Date(nowMs).getUTCFullYear() + 1}-11-30T08:00:00`
}
