// What merchants' code did, as the document shows it.

export const CODE_RUN = {
  id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
  product: 'facture',
  kind: 'lookup',
  test: true,
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

export const TEST_LOOKUP_REQUEST = { fields: { compteur: '01234567890' } }

export const TEST_FULFILLMENT_REQUEST = { amount: 12500, biller_ref: 'FAC-2026-11-0042', form_values: { compteur: '01234567890' } }
