// Examples of the streams of wallets and merchants in the OpenAPI document.

const RECEIVED = {
  id: 118,
  type: 'payment.received',
  created_at: '2026-11-20T10:00:00.000Z',
  data: {
    transaction_id: '019aa0f8-1c00-7a3c-9d5e-6f708192a3b4',
    amount: 5000,
    currency: 'XOF',
    counterparty: 'Boutique Awa',
    reference: 'PAIE-2026-11',
    note: 'Salaire de novembre',
    balance_after: 12_500,
  },
}

export const STREAM_EXAMPLE = `retry: 2000\n\nid: ${RECEIVED.id}\nevent: ${RECEIVED.type}\ndata: ${JSON.stringify(RECEIVED)}\n\n:\n\n`

const PAID_OUT = {
  id: '019aa0f8-1c00-7e21-9f30-6b7c8d9e0f1a',
  type: 'payout.paid',
  created_at: '2026-11-20T10:00:00.000Z',
  data: { id: '019aa0f8-1c00-7e21-9f30-6b7c8d9e0f1a', recipient: 'awa_diallo', amount: 5000, state: 'paid' },
}

export const MERCHANT_STREAM_EXAMPLE = `retry: 2000\n\nid: 118\nevent: ${PAID_OUT.type}\ndata: ${JSON.stringify(PAID_OUT)}\n\n: heartbeat\n\n`
