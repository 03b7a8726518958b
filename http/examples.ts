// Examples of the document. A test holds each against its schema, so they cannot go stale.
import type { CreatePayoutBody, Payout } from '../engine/contract/payout.ts'
import type { Transaction } from '../engine/contract/transaction.ts'

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
  reference: 'PAIE-2026-11',
  state: 'paid',
  transaction_id: '019aa0f8-1c00-7a3c-9d5e-6f708192a3b4',
  note: 'Salaire de novembre',
  environment: 'live',
  batch_id: null,
  schedule_id: null,
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
