// Parses amounts that are typed where no currency is known yet: whole francs.
import { DEFAULT_CURRENCIES } from '../../../engine/kernel/currency.ts'
import { typedMoney } from '../../text/money.ts'

/** Returns 12500 for `12500`, `12 500`, `12.500` and `12 500 F CFA`. Returns null for anything else. */
export function typedAmount(typed: string): number | null {
  return typedMoney(typed, DEFAULT_CURRENCIES[0])
}
