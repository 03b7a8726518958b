// Money: integers in the currency's smallest unit. XOF has no decimals, so one unit is one franc.

/** Smallest units of the currency, a safe integer. */
export type Amount = number

/** Amounts that callers may name: 1 to 10^12. */
export const AMOUNT_MAX: Amount = 1_000_000_000_000

/** Currencies of accounts, ISO 4217. Their indexes are in snapshots: add, never change. Every code has three letters. */
export const CURRENCIES = ['XOF'] as const

export type Currency = (typeof CURRENCIES)[number]

/** The currency of new accounts. */
export const CURRENCY = CURRENCIES[0]

export function isAmount(value: unknown): value is Amount {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= AMOUNT_MAX
}
