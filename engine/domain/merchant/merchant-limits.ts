// Every maximum of merchants, by name. Commands that exceed one are rejected.
import type { Quota } from '../../kernel/quota.ts'

/** Key pairs of one merchant, both environments together. */
export const API_KEYS_MAX = 100

/** Rows of limits of one merchant. Beyond it the oldest row of a revoked key is removed. */
export const KEY_LIMITS_MAX = 1000

/** Rows of what keys of one account have paid. Beyond it the row of the earliest day is removed. */
export const KEY_DAYS_MAX = 1000

export const API_KEYS: Quota = {
  name: 'api_keys',
  counts: 'API keys',
  countsFr: 'clés API',
  holder: 'merchant',
  max: { both: 1_000_000 },
  share: API_KEYS_MAX,
  atShare: 'refused',
  retryAfterS: 3600,
}
