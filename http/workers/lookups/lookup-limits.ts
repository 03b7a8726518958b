// Every maximum of lookups, by name. The maximum bytes of a response are in outbound/rules.ts.
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { Quota } from '../../../engine/kernel/quota.ts'

/** From the customer's request to its response, including the wait for a sandbox, name resolution and connection. */
export const LOOKUP_MAX_MS = 10_000
/** Active lookups over all merchants of an environment. Test lookups never take live slots. */
export const LOOKUPS_MAX: Readonly<Record<Environment, number>> = { live: 1_024, test: 1_024 }
/** Active lookups of one merchant, even when more slots are free. */
export const LOOKUPS_PER_MERCHANT_MAX = 50
/**
 * Fraction of the free slots that one merchant may hold. With 64 busy merchants each holds 12, and the next one may
 * hold 12.
 */
export const FREE_FRACTION = 1 / 16
/** One bill and one retry. LOOKUPS_MAX bounds all of them. */
export const WALLET_LOOKUPS: Quota = {
  name: 'wallet_lookups',
  counts: 'lookups that a wallet waits for',
  countsFr: 'consultations attendues par un portefeuille',
  holder: 'account',
  max: { live: 4_096, test: 4_096 },
  share: 2,
  atShare: 'refused',
  retryAfterS: 1,
}
/** Line items of one response. */
export const LINE_ITEMS_MAX = 50
/** Values of one response, including those of unknown fields. */
export const ANSWER_VALUES_MAX = 10_000
/** Code points of each text of a response. */
export const ANSWER_TEXT_MAX = 255
/** Shown code points of the merchant's reason. */
export const REASON_MAX = 300
/** Stored code points of a call's failure in the run log. */
export const REPORT_ERROR_MAX = 300
