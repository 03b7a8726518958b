// Examples of payment links in the OpenAPI document. A test validates each against its schema.

export const PAYMENT_LINK_REQUEST = { description: 'Boutique du marché, caisse 1', max_payments: 500 }

export const PAYMENT_LINK = {
  id: '019aa0f8-1c00-7d11-9e2f-5a6b7c8d9e0f',
  url: 'https://pay.example.com/l/k7Qm2xVbT9Lw',
  state: 'active',
  amount: null,
  currency: 'XOF',
  description: 'Boutique du marché, caisse 1',
  reference: '',
  max_payments: 500,
  payments_count: 0,
  collected_amount: 0,
  created_by: { kind: 'member', id: '019aa0f8-1c00-7a11-8f70-8192a3b4c5d6', name: 'caisse@boutique-awa.example' },
  environment: 'live',
  expires_at: null,
  created_at: '2026-11-20T10:00:00.000Z',
  closed_at: null,
}

export const PAID_PAYMENT_LINK = { ...PAYMENT_LINK, payments_count: 12, collected_amount: 84_500 }

export const CLOSED_PAYMENT_LINK = { ...PAID_PAYMENT_LINK, state: 'closed', closed_at: '2026-11-28T18:00:00.000Z' }
