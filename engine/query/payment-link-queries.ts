// Queries for payment links: by id for the merchant, by code for the page, and the list.
import type { ListPaymentLinksQuery } from '../contract/payment-link.ts'
import { linkAt, type PaymentLink } from '../domain/payment-link/payment-link-state.ts'
import { assert } from '../kernel/assert.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { type ShownMerchant, shownMerchant } from './checkout-record.ts'
import { type ListInput, type ListPage, statePage } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

/** Returns JSON text of the merchant's link; null when the merchant has none with this id. */
export function getPaymentLink(reads: Reads, { account, id }: OwnId): string | null {
  const row = reads.state.paymentLinks.rows.get(id.toLowerCase())
  return row?.account === account ? JSON.stringify(linkAt(row, reads.nowMs())) : null
}

export interface LinksInput extends ListInput<ListPaymentLinksQuery> {
  /** Id of the key or member that made the links; null: every link. */
  readonly createdBy: string | null
}

/** Returns null when the cursor belongs to another kind of list. */
export function listPaymentLinks(reads: Reads, { account, query, createdBy }: LinksInput): ListPage | null {
  const nowMs = reads.nowMs()
  const links = reads.state.paymentLinks.of(account).map((row) => linkAt(row, nowMs))
  const search = searchOf(query.q)
  const rows = links.filter(({ state, id, url, description, reference, created_by }) => {
    if (createdBy !== null && created_by.id !== createdBy) return false
    if (query.state !== undefined && state !== query.state) return false
    return search === null || isFoundIn(search, [id, url, description, reference])
  })
  return statePage(query, { rows, render: (link) => link })
}

export interface ByCode {
  readonly code: string
}

export interface LinkOfPage extends ShownMerchant {
  readonly account: AccountNumber
  readonly link: PaymentLink
}

/** Returns the link for its page; null when none has the code. */
export function paymentLinkByCode(reads: Reads, { code }: ByCode): LinkOfPage | null {
  const row = reads.state.paymentLinks.byCode(code)
  if (row === undefined) return null
  const merchant = reads.state.merchants.byAccount(row.account)
  assert(merchant !== undefined, 'a link belongs to a merchant')
  return { account: row.account, ...shownMerchant(merchant), link: linkAt(row, reads.nowMs()) }
}
