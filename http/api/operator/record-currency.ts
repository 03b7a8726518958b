// Currency of a record about money, for the check of requests that name one.
import { type Currency, isCurrency } from '../../../engine/kernel/currency.ts'

/** `record`: its JSON text; null where there is none. */
export function recordCurrency(record: string | null): Currency | null {
  const currency = record === null ? null : (JSON.parse(record) as { readonly currency?: unknown }).currency
  return isCurrency(currency) ? currency : null
}
