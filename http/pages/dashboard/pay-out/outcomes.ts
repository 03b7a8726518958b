// What became of payouts, in words: the message above a page after its form, and for each reason of a failure what to do
// next.

import type { BatchReport } from '../../../../engine/contract/batch.ts'
import type { PayoutFailureCode } from '../../../../engine/contract/errors.ts'
import type { Payout } from '../../../../engine/contract/payout.ts'
import { payoutFailureText } from '../../../text/payout-failure-messages.ts'
import { composed, type Text } from '../../../text/text.ts'
import { countedText } from '../../shared/amount-text.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import type { Outcome } from '../shared/form-notes.ts'
import { TEXTS } from './outcomes-messages.ts'
import type { Sum } from './payment-lines.ts'

export function payoutOutcome({ state }: Pick<Payout, 'state'>): Outcome {
  if (state === 'paid') return { words: TEXTS.payoutDone, tone: 'good' }
  return { words: TEXTS.payoutFailedNothingWasDebited, tone: 'bad' }
}

export function linesOutcome({ paidCount, failedCount }: Pick<Sum, 'paidCount' | 'failedCount'>): Outcome {
  if (failedCount === 0) return { words: TEXTS.allLinesPaid, tone: 'good' }
  if (paidCount === 0) return { words: TEXTS.noLinePaidEachLine, tone: 'bad' }
  const failed = failedCount > 1 ? TEXTS.linesFailed(failedCount) : TEXTS.oneLineFailed
  return { words: TEXTS.othersPaidEachFailedLine(failed), tone: 'wait' }
}

/** What to do next, for each reason. */
const ADVICE: Readonly<Record<PayoutFailureCode, Text>> = {
  insufficient_balance: TEXTS.topUpAccountThenPay,
  recipient_not_found: TEXTS.checkTagOrPhoneWith,
  recipient_blocked: TEXTS.askRecipientContactServiceOr,
  recipient_check_limited: TEXTS.checkRecipientWithItsOwner,
  merchant_limit_exceeded: TEXTS.askServiceToRaiseLimits,
  recipient_limit_exceeded: TEXTS.recipientMustFirstWithdrawMoney,
  key_limit_exceeded: TEXTS.askOwnerToRaiseKeyLimit,
  merchant_suspended: TEXTS.contactServiceReasonAtTop,
  live_not_activated: TEXTS.firstActivateAccountThenPay,
  invalid_amount: TEXTS.typeAmountAboveZero,
  invalid_recipient: TEXTS.typeTagOrPhoneWith,
  invalid_reference: TEXTS.shortenReferenceOneLine255,
  invalid_note: TEXTS.shortenNote,
  invalid_json: TEXTS.checkSpellingLinesFieldsOr,
  unknown_field: TEXTS.checkSpellingLinesFieldsOr,
  currency_mismatch: TEXTS.chooseRecipientOfAccountCurrency,
  unsupported_currency: TEXTS.removeCurrencyLinePaidIn,
}

/** Returns the reason of a failed payout and what to do next. */
export function failureText(code: PayoutFailureCode): Text {
  return composed`${payoutFailureText(code)} ${ADVICE[code]}`
}

/** Renders each reason once, with its number of lines and what to do next; nothing without a failed line. */
export function failureReasons(lines: readonly Pick<BatchReport['items'][number], 'failure_code'>[]): Fragment {
  const counts = new Map<PayoutFailureCode, number>()
  for (const { failure_code } of lines) {
    if (failure_code !== undefined) counts.set(failure_code, (counts.get(failure_code) ?? 0) + 1)
  }
  if (counts.size === 0) return null
  return html`<ul>${[...counts].map(([code, count]) => html`<li>${countedText(count, DASHBOARD_WORDS.line, DASHBOARD_WORDS.lines2)}${WORDS.colon} ${failureText(code)}</li>`)}</ul>`
}
