// Rate limits against wallet enumeration. Answers that reveal an unknown wallet share one budget with check-recipient:
// each unknown recipient counts as one lookup. Phones count in a smaller budget too.

import type { EngineApi } from '../../../engine/api.ts'
import { errorBody } from '../../../engine/contract/errors.ts'
import { isPhone } from '../../../engine/kernel/recipient.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import type { CallLimit } from '../../server/call-limit.ts'
import type { Call, MerchantPrincipal } from '../../server/route.ts'

export interface RecipientLookupParts {
  readonly engine: Pick<EngineApi, 'query'>
  /** Rate limit of recipient lookups, per account. */
  readonly recipientLookups: CallLimit
  /** Rate limit of recipient lookups by phone, per account. */
  readonly phoneLookups: CallLimit
}

/**
 * Counts the unknown recipients, all or none, and returns 0 or the seconds to wait. At the limit known ones wait too: a
 * rejection of unknown ones alone would reveal which exist. Known ones do not count, so a list of customers can be
 * checked at once.
 */
export function lookUpRecipients(
  { engine, recipientLookups, phoneLookups }: RecipientLookupParts,
  { account, environment }: MerchantPrincipal,
  recipients: readonly string[],
): number {
  const unknown = recipients.filter((recipient) => engine.query('wallets.byRecipient', { environment, recipient }) === null)
  const phones = unknown.filter(isPhone).length
  const nowMs = performance.now()
  const waitS = Math.max(
    recipientLookups.waitS(account, nowMs, unknown.length),
    recipients.some(isPhone) ? phoneLookups.waitS(account, nowMs, phones) : 0,
  )
  if (waitS > 0) return waitS
  if (unknown.length > 0) recipientLookups.take(account, nowMs, unknown.length)
  if (phones > 0) phoneLookups.take(account, nowMs, phones)
  return 0
}

/** Answers 429. */
export function refuseLookups(call: Call<unknown, unknown, MerchantPrincipal>, waitS: number): void {
  answerRefusal(call, { kind: 'rate_limited', body: errorBody('rate_limited') }, waitS)
}
