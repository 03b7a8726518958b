// Examples of code runs in the OpenAPI document.

export const CODE_RUN = {
  id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
  product: 'facture',
  kind: 'lookup',
  test: true,
  request_id: 'req_8f14e45fceea167a',
  ok: true,
  error: null,
  duration_ms: 84,
  fetches: [{ method: 'GET', host: 'api.energie.example', status: 200, duration_ms: 71 }],
  logs: ['contract 01234567890'],
  created_at: '2026-11-20T10:00:00.000Z',
}

export const LOOKUP_SUCCESS = {
  ok: true,
  amount: 12500,
  currency: 'XOF',
  label: 'Facture de novembre',
  customer_name: 'Awa Diallo',
  biller_ref: 'FAC-2026-11-0042',
  line_items: [
    { label: 'Consommation', amount: 11800 },
    { label: 'Redevance', amount: 700 },
  ],
}

export const LOOKUP_REQUEST = {
  product: 'facture',
  fields: { compteur: '01234567890' },
  request_id: '5f0c6c1e-3b7a-4d8e-9c21-7a6b5c4d3e2f',
  ts: 1763633100,
}

export const LOOKUP_REFUSAL = { ok: false, reason: 'Contrat inconnu.' }

export const FULFILLMENT_CONTEXT = {
  biller: 'energie-du-sahel',
  product: 'facture',
  amount: 12500,
  currency: 'XOF',
  biller_ref: 'FAC-2026-11-0042',
  form_values: { compteur: '01234567890' },
  transaction_id: '019aa0fd-2a61-7c52-8d63-7a8b9c0d1e2f',
  charge_id: '019aa0fd-2a61-7c53-9e74-8b9c0d1e2f30',
  merchant_id: '019aa0e4-7b10-7a2b-8c3d-4e5f60718293',
  paid_at: 1763633171,
}

export const TEST_LOOKUP_REQUEST = { fields: { compteur: '01234567890' } }

export const TEST_FULFILLMENT_REQUEST = { amount: 12500, biller_ref: 'FAC-2026-11-0042', form_values: { compteur: '01234567890' } }
