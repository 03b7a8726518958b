// Queries for merchants: one by its id or by one of its accounts, and the list of all.
import { publicMerchant } from '../domain/merchant/merchant-decide.ts'
import type { Merchant } from '../domain/merchant/merchant-state.ts'
import type { OfAccount } from './account-queries.ts'
import { type ListPage, statePage } from './list-page.ts'
import type { OfAll } from './operator-queries.ts'
import type { Reads } from './reads.ts'

export interface ById {
  readonly id: string
}

export function merchantById({ state }: Reads, { id }: ById): Merchant | null {
  return state.merchants.merchants.get(id) ?? null
}

/** `account` is the live or the test one. */
export function merchantByAccount({ state }: Reads, { account }: OfAccount): Merchant | null {
  return state.merchants.byAccount(account) ?? null
}

/** Of all merchants. Null when the cursor belongs to another kind of list. */
export function listMerchants({ state }: Reads, { query }: OfAll): ListPage | null {
  return statePage(query, { rows: state.merchants.merchants.values(), render: publicMerchant })
}
