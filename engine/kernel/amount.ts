// Money: integers in the currency's smallest unit. XOF has no decimals, so one unit is one franc; GHS has two, so one is a pesewa.

/** Smallest units of the currency, a safe integer. */
export type Amount = number

/** Amounts that callers may name: 1 to 10^12. */
export const AMOUNT_MAX: Amount = 1_000_000_000_000

export function isAmount(value: unknown): value is Amount {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= AMOUNT_MAX
}
