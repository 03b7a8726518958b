// Every maximum of lookups, by name. How many bytes one call may bring back is in outbound/rules.ts.
import type { Environment } from '../../../engine/kernel/environment.ts'

/** From the customer's question to its answer, a free sandbox, name and connection included. */
export const LOOKUP_MAX_MS = 10_000
/** Lookups under way over all merchants of an environment: trials never take what customers need. */
export const LOOKUPS_MAX: Readonly<Record<Environment, number>> = { live: 1_024, test: 1_024 }
/** Of one merchant, however many are free. */
export const LOOKUPS_PER_MERCHANT_MAX = 50
/** Of the free ones, how large a fraction one merchant may hold. 64 greedy merchants hold 12 each and leave 12 to the next. */
export const FREE_FRACTION = 1 / 16
/** Of one wallet: a person looks up one bill, and looks it up again. */
export const LOOKUPS_PER_WALLET_MAX = 2
/** Line items of one answer. */
export const LINE_ITEMS_MAX = 50
/** Values of one answer, those of unknown fields included. */
export const ANSWER_VALUES_MAX = 10_000
/** Each text of an answer, in code points. */
export const ANSWER_TEXT_MAX = 255
/** What is shown of the merchant's reason, in code points. */
export const REASON_MAX = 300
/** What the run log keeps of why a call failed, in code points. */
export const REPORT_ERROR_MAX = 300
/** Over all wallets: beyond, nobody else may ask. */
export const LOOKUPS_WAITED_FOR_MAX = 4_096
