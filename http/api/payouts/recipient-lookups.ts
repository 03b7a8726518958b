// Rate limit against wallet enumeration. Answers that reveal an unknown tag share one budget with check-recipient: each
// unknown tag counts as one lookup.

import type { EngineApi } from '../../../engine/api.ts'
import { errorBody } from '../../../engine/contract/errors.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import type { CallLimit } from '../../server/call-limit.ts'
import type { Call, MerchantPrincipal } from '../../server/route.ts'

export interface RecipientLookupParts {
  readonly engine: Pick<EngineApi, 'query'>
  /** Rate limit of recipient lookups, per account. */
  readonly recipientLookups: CallLimit
}

/**
 * Counts the unknown tags, all or none, and returns 0 or the seconds to wait. At the limit known tags wait too: a rejection
 * of unknown tags alone would reveal which exist. Known tags do not count, so a list of customers can be checked at once.
 */
export function lookUpRecipients(
  { engine, recipientLookups }: RecipientLookupParts,
  { account, environment }: MerchantPrincipal,
  tags: readonly string[],
): number {
  const unknown = tags.filter((tag) => engine.query('wallets.byTag', { environment, tag }) === null).length
  const nowMs = performance.now()
  return unknown === 0 ? recipientLookups.waitS(account, nowMs) : recipientLookups.take(account, nowMs, unknown)
}

/** Answers 429. */
export function refuseLookups(call: Call<unknown, unknown, MerchantPrincipal>, waitS: number): void {
  answerRefusal(call, { kind: 'rate_limited', body: errorBody('rate_limited') }, waitS)
}
