// The currency of rules and reports, which an operator names beside the environment.
import { type Currency, isCurrency, type KeptCurrencies } from '../../../engine/kernel/currency.ts'

/** Returns the currency of the query, or the default one; null where it is not kept here. */
export function rulesCurrency(
  { currencies }: { readonly currencies: KeptCurrencies },
  { query }: { readonly query: { readonly currency?: string } },
): Currency | null {
  const { currency = currencies[0] } = query
  return currencies.find((kept) => kept === currency) ?? null
}

/** `record`: its JSON text; null where there is none. */
export function recordCurrency(record: string | null): Currency | null {
  const currency = record === null ? null : (JSON.parse(record) as { readonly currency?: unknown }).currency
  return isCurrency(currency) ? currency : null
}
