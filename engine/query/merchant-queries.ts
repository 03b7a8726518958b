// Queries for merchants: one by its id or by one of its accounts.
import type { Merchant } from '../domain/merchant/merchant-state.ts'
import type { OfAccount } from './account-queries.ts'
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
