// Every maximum of lookups, by name. How many bytes one call may bring back is in outbound/rules.ts.
import type { Environment } from '../../engine/kernel/environment.ts'

/** From the customer's question to its answer, a free sandbox, name and connection included. */
export const LOOKUP_MAX_MS = 10_000
/** Lookups under way over all merchants of an environment: trying things out never takes what customers need. */
export const LOOKUPS_MAX: Readonly<Record<Environment, number>> = { live: 512, test: 128 }
/** Of one merchant, however idle the house is. */
export const LOOKUPS_PER_MERCHANT_MAX = 24
/** One part in so many of all places is for merchants who have none yet, one for each: forty greedy ones cannot shut out the next. */
export const FIRST_PLACES_SHARE = 4
/** Of one wallet: a person looks up one bill, and looks it up again. */
export const LOOKUPS_PER_WALLET_MAX = 2
/** Line items of one answer. */
export const LINE_ITEMS_MAX = 50
/** Each text of an answer, in code points. */
export const ANSWER_TEXT_MAX = 255
/** What is shown of the merchant's reason, in code points. */
export const REASON_MAX = 300
/** Over all wallets: beyond, nobody else may ask. */
export const LOOKUPS_WAITED_FOR_MAX = 4_096
