// The form that refunds a charge or a bill. It asks for a reason, which stays with the refund.
import { PAYMENT_REASONS, REASON_TEXT_LENGTH_MAX, type RefundedFor } from '../../../../engine/contract/payment-reason.ts'
import type { Route } from '../../../server/route.ts'
import { PAYMENT_REASON_WORDS } from '../../../text/payment-reason-words.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { formStart, money, selectField, theirs } from './dashboard-parts.ts'
import { type DashboardParts, formRow, type Visit } from './dashboard-visit.ts'
import { DASHBOARD_WORDS } from './dashboard-words.ts'

const TEXTS = texts({
  fr: {
    chooseReason: 'Choisissez une raison',
    sayWhy: 'Choisissez la raison du remboursement.',
    details: 'Précisions (facultatif)',
    onlyYouSee: 'Elles restent chez vous : le client ne les voit pas.',
    reasonOfRefund: 'Raison du remboursement',
  },
  en: {
    chooseReason: 'Choose a reason',
    sayWhy: 'Choose the reason of the refund.',
    details: 'Details (optional)',
    onlyYouSee: 'They stay with you: the customer does not see them.',
    reasonOfRefund: 'Reason of the refund',
  },
})

const CHOICES = [
  { value: '', words: TEXTS.chooseReason },
  ...PAYMENT_REASONS.map((reason) => ({ value: reason, words: PAYMENT_REASON_WORDS[reason] })),
]

/** Renders the button that opens the form; nothing for a member whose role may not refund. `error` opens the form. */
export function refundAction(visit: Visit, action: string, amount: number, error: ApiError | null): Html {
  if (!visit.maySend(action)) return html``
  const isOpen = statusOf(error) === 400
  return html`<details class="confirm"${isOpen && html` open`}><summary class="button quiet">${DASHBOARD_WORDS.refund}</summary>
<form class="card form" method="post" action="${action}">${formStart(visit)}
<p>${DASHBOARD_WORDS.wholeAmountReturnsCustomerAt(money(amount, visit.currency))}</p>
${selectField('reason', WORDS.reason, CHOICES, '', { isRequired: true })}
${formField({ name: 'text', label: TEXTS.details, hint: TEXTS.onlyYouSee, maxLength: REASON_TEXT_LENGTH_MAX, isRequired: false })}
<button class="danger" type="submit">${DASHBOARD_WORDS.refundCustomer}</button></form></details>`
}

export interface RefundRow {
  /** Path after `/dashboard/{environment}`. */
  readonly path: string
  readonly operationId: string
  readonly note: string
  done(visit: Visit): string
  again(visit: Visit, error: ApiError): Promise<void>
}

export function refundRow(parts: DashboardParts, { path, operationId, note, done, again }: RefundRow): Route {
  return formRow(parts, {
    path,
    operationId: `send${path.replaceAll(/\W+/g, '-')}`,
    needs: operationId,
    summary: 'refund',
    fields: ['reason', 'text'],
    act: async (visit, { reason, text, key }) => {
      if (reason === '') return again(visit, NO_REASON)
      const answer = await visit.ask(operationId, { params: visit.params, idempotencyKey: key, body: { reason, text } })
      if (answer.ok) visit.goTo(done(visit), note)
      else await again(visit, answer.error)
    },
  })
}

const NO_REASON: ApiError = { code: 'invalid_request', message: TEXTS.sayWhy, param: 'reason', retryAfterS: null }

/** Returns the status of a record's page: a form that was not filled is 400, a move that the record refuses 409. */
export function statusOf(error: ApiError | null): number {
  if (error === null) return 200
  return error.param === 'reason' || error.param === 'text' ? 400 : 409
}

/** Words of the reason in a file for spreadsheets. */
export const REFUND_CSV_WORDS = {
  refund_reason: ({ refund_reason }: RefundedFor): Text | string =>
    refund_reason === undefined ? '' : PAYMENT_REASON_WORDS[refund_reason],
}

/** Returns the rows of a definition list that say why a record was refunded. */
export function refundFacts({ refund_reason, refund_text }: RefundedFor): readonly (readonly [name: Text, value: Fragment])[] {
  const reason = refund_reason === undefined ? null : PAYMENT_REASON_WORDS[refund_reason]
  if (reason === null && refund_text === undefined) return []
  const said = refund_text === undefined ? null : theirs(refund_text)
  return [[TEXTS.reasonOfRefund, html`${reason}${reason !== null && said !== null && html`. `}${said}`]]
}
