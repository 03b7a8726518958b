// Every maximum and lifetime of bills, by name. At the limit we refuse, or go on without the merchant's code.
import type { Quota } from '../../kernel/quota.ts'
import type { TimeMs } from '../../kernel/time.ts'

/** From the merchant's answer to the payment. */
export const QUOTE_VALIDITY_MS: TimeMs = 5 * 60 * 1000

/** A value of a form, in code points; less is for the merchant's pattern to say. */
export const FORM_VALUE_LENGTH_MAX = 255
/** All values of a form together, in UTF-16 units: they go into lookups and hosted code, which take 64 KB. */
export const FORM_LENGTH_MAX = 12_000

/**
 * Maximum cost of matching one form's values against its patterns, in steps of `runWhole`: about 2 ms. Usual patterns
 * take three to five steps for each character, and a form holds 12 000 characters. The maximum stops
 * denial-of-service patterns.
 */
export const FORM_PATTERN_STEPS_MAX = 75_000

/**
 * At the share of its merchant a payment for a product with code is refused, so that every paid bill is fulfilled. A row
 * takes about 200 bytes.
 */
export const OPEN_FULFILLMENTS: Quota = {
  name: 'fulfillments',
  counts: 'paid bills whose fulfillment is not over',
  countsFr: 'factures payées dont le traitement n’est pas terminé',
  holder: 'account',
  max: { live: 400_000, test: 300_000 },
  share: 100_000,
  atShare: 'refused',
  retryAfterS: 60,
}
