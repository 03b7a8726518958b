// Examples of bills in the OpenAPI document. A test validates each against its schema.
import type { BillPayment, CreateQuoteBody, PaidBill, PayBillBody, Quote } from '../../../engine/contract/bill.ts'

export const QUOTE_REQUEST: CreateQuoteBody = { form_values: { contrat: '4100237781' } }

export const QUOTE: Quote = {
  id: '019aa0fc-10d2-7b41-9c52-6f7a8b9c0d1e',
  biller: 'energie-du-sahel',
  product: 'facture',
  amount: 18_450,
  currency: 'XOF',
  fee: 0,
  label: 'Facture de novembre 2026',
  customer_name: 'Awa D.',
  biller_ref: 'F-2026-11-88213',
  line_items: [
    { label: 'Consommation, 142 kWh', amount: 16_950 },
    { label: 'Redevance', amount: 1_500 },
  ],
  form_values: { contrat: '4100237781' },
  state: 'active',
  created_at: '2026-11-20T10:05:00.000Z',
  expires_at: '2026-11-20T10:10:00.000Z',
}

export const BILL_REQUEST: PayBillBody = { quote_id: QUOTE.id, pin: '7391' }

export const PAID_BILL: PaidBill = {
  transaction_id: '019aa0fd-2a61-7c52-8d63-7a8b9c0d1e2f',
  charge_id: '019aa0fd-2a61-7c53-9e74-8b9c0d1e2f30',
  amount: 18_450,
  currency: 'XOF',
  fee: 0,
  balance_after: 31_550,
  paid_at: '2026-11-20T10:06:11.213Z',
}

export const BILL_PAYMENT: BillPayment = {
  biller: QUOTE.biller,
  product: QUOTE.product,
  amount: QUOTE.amount,
  currency: 'XOF',
  fee: 0,
  biller_ref: QUOTE.biller_ref,
  form_values: QUOTE.form_values,
  charge_id: PAID_BILL.charge_id,
  transaction_id: PAID_BILL.transaction_id,
  merchant_id: '019aa0e4-7b10-7a2b-8c3d-4e5f60718293',
  environment: 'live',
  state: 'paid',
  paid_at: PAID_BILL.paid_at,
  refunded_at: null,
  refund_transaction_id: null,
  fulfillment: { state: 'succeeded', error: null, duration_ms: 412, attempts: 1 },
}

export const REDELIVERED_BILL: BillPayment = {
  ...BILL_PAYMENT,
  fulfillment: { state: 'pending', error: null, duration_ms: null, attempts: 1 },
}

export const REFUNDED_BILL: BillPayment = {
  ...BILL_PAYMENT,
  state: 'refunded',
  refunded_at: '2026-11-20T11:40:02.118Z',
  refund_transaction_id: '019aa153-0c96-7a21-8b3c-5d6e7f809101',
  refund_reason: 'not_received',
}
