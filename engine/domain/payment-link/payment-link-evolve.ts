// Appliers of payment links.
import { assert } from '../../kernel/assert.ts'
import type { EventTable } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { PaymentLinkClosed } from './closed-links.ts'
import type { PaymentLinkPaid } from './payment-link-payments.ts'
import type { PaymentLink, PaymentLinkRow } from './payment-link-state.ts'

export const PAYMENT_LINK_EVENTS = {
  'payment_link.created@1': create,
  'payment_link.closed@1': close,
  'payment_link.paid@1': change,
} satisfies EventTable

function create({ paymentLinks }: State, row: PaymentLinkRow): void {
  paymentLinks.rows.set(row.link.id, row)
}

function close(state: State, { id, closed_at, forgets }: PaymentLinkClosed): void {
  change(state, { id, state: 'closed', closed_at, ...(forgets === undefined ? {} : { forgets }) })
}

function change({ paymentLinks }: State, { forgets, ...changes }: Pick<PaymentLink, 'id'> & Partial<PaymentLinkPaid>): void {
  const row = paymentLinks.rows.get(changes.id)
  assert(row !== undefined, 'a link that changes was created')
  paymentLinks.rows.set(changes.id, { ...row, link: { ...row.link, ...changes } })
  if (forgets !== undefined && paymentLinks.rows.get(forgets) !== undefined) paymentLinks.rows.delete(forgets)
}
