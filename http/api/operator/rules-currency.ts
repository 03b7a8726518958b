// The currency of rules and reports, which an operator names beside the environment.
import type { Currency, KeptCurrencies } from '../../../engine/kernel/currency.ts'

/** Returns the currency of the query, or the default one; null where it is not kept here. */
export function rulesCurrency(
  { currencies }: { readonly currencies: KeptCurrencies },
  { query }: { readonly query: { readonly currency?: string } },
): Currency | null {
  const { currency = currencies[0] } = query
  return currencies.find((kept) => kept === currency) ?? null
}
