// Queries for merchants: one by its id or by one of its accounts, the list of all, and reviewed names.
import { publicMerchant } from '../domain/merchant/merchant-decide.ts'
import type { MerchantRow } from '../domain/merchant/merchant-state.ts'
import type { OfAccount } from './account-queries.ts'
import { type ListPage, statePage } from './list-page.ts'
import type { OfAll } from './operator-queries.ts'
import type { Reads } from './reads.ts'

export interface ById {
  readonly id: string
}

export function countMerchants({ state }: Reads): number {
  return state.merchants.merchants.size
}

export function merchantById({ state }: Reads, { id }: ById): MerchantRow | null {
  return state.merchants.merchants.get(id) ?? null
}

/** Returns the merchant's name that an operator gave or approved; null when no operator has reviewed it. */
export function reviewedMerchantName({ state }: Reads, { account }: OfAccount): string | null {
  const { merchants, billers, dashboard } = state
  const merchant = merchants.byAccount(account)
  if (merchant === undefined) return null
  const biller = billers.ofMerchant(merchant.id)
  if (biller?.live === true && biller.directory_state === 'published') return biller.display_name
  // A merchant that an operator made has no dashboard user.
  return dashboard.usersOf(merchant.id).length > 0 ? null : merchant.name
}

/** Returns the merchant by its live or its test account. */
export function merchantByAccount({ state }: Reads, { account }: OfAccount): MerchantRow | null {
  return state.merchants.byAccount(account) ?? null
}

/** Lists all merchants. Returns null when the cursor belongs to another kind of list. */
export function listMerchants({ state }: Reads, { query }: OfAll): ListPage | null {
  return statePage(query, { rows: state.merchants.merchants.values(), render: publicMerchant })
}
