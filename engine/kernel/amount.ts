// Money: integers in the currency's smallest unit. XOF has no decimals, so one unit is one franc.

/** Smallest units of the currency, a safe integer. */
export type Amount = number

/** Amounts that callers may name: 1 to 10^12. */
export const AMOUNT_MAX: Amount = 1_000_000_000_000

/** The one currency that accounts are kept in. */
export const CURRENCY = 'XOF'

export function isAmount(value: unknown): value is Amount {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= AMOUNT_MAX
}
