// Examples of problems in the document.
import type { Problem } from '../../../engine/contract/problem.ts'
import { PAID_CHARGE } from '../charges/charge-examples.ts'

const { token, transaction_id, reference, amount, currency, environment } = PAID_CHARGE

export const OPEN_PROBLEM: Problem = {
  id: '019aa60a-1c00-7d52-8c4d-6e7f80910213',
  state: 'open',
  payment: 'charge',
  transaction_id: transaction_id ?? '',
  charge_token: token,
  mandate_id: null,
  reference,
  amount,
  currency,
  environment,
  merchant_name: 'Boutique Awa',
  customer_tag: 'awa_diallo',
  reason: 'not_received',
  text: 'Je n’ai pas reçu les pagnes.',
  answer: null,
  created_at: '2026-11-21T09:12:00.000Z',
  answered_at: null,
}

export const ANSWERED_PROBLEM: Problem = {
  ...OPEN_PROBLEM,
  state: 'answered',
  answer: 'Votre colis part demain, avec nos excuses.',
  answered_at: '2026-11-21T10:03:00.000Z',
}
