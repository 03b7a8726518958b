// Quotas of open problems. One that was answered, or whose payment was refunded, does not count.
import type { Quota } from '../../kernel/quota.ts'

const HOUR_S = 3600

/** A wallet has paid for each of its problems, so what it fills costs it payments. */
export const OPEN_PROBLEMS: Quota = {
  name: 'open_problems',
  counts: 'open problems of a wallet',
  countsFr: 'messages ouverts d’un portefeuille',
  holder: 'account',
  max: { live: 1_000_000, test: 100_000 },
  share: 20,
  atShare: 'refused',
  retryAfterS: HOUR_S,
}

/** Those with the payments of a merchant, beside the share of each of its customers. */
export const PROBLEMS_OF_MERCHANT: Quota = {
  name: 'problems_of_merchant',
  counts: 'open problems with payments of a merchant',
  countsFr: 'messages ouverts des clients d’un marchand',
  holder: 'account',
  max: { live: 1_000_000, test: 100_000 },
  share: 10_000,
  atShare: 'refused',
  retryAfterS: HOUR_S,
}
