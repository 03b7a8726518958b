// What the customer sees of a lookup that its author tries: the bill to confirm, or the text of the error. The answer is the merchant's own.
import type { ErrorCode } from '../../../../engine/contract/errors.ts'
import { errorText } from '../../../text/error-text.ts'
import { amountText } from '../../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { facts, money, theirs } from '../shared/dashboard-parts.ts'

const TEXTS = texts({
  fr: {
    whatCustomerSees: 'Ce que voit le client',
    details: 'Détail',
    error: (text: Fragment) => html`Une erreur : « ${text} »`,
    ranWell: 'Rien de plus que son reçu « Facture payée » : votre code s’exécute après le paiement, et ses erreurs restent chez vous.',
  },
  en: {
    whatCustomerSees: 'What the customer sees',
    details: 'Details',
    error: (text) => html`An error: “${text}”`,
    ranWell: 'Nothing more than the receipt “Paid bill”: your code runs after the payment, and its errors stay with you.',
  },
})

/** An answer of `testLookup`, of which nothing is certain. */
interface TriedLookup {
  readonly ok?: unknown
  readonly valid?: unknown
  readonly transport_error?: unknown
  readonly reason?: unknown
  readonly amount?: unknown
  readonly label?: unknown
  readonly customer_name?: unknown
  readonly biller_ref?: unknown
  readonly line_items?: unknown
}

/** As of the reason that customers see. */
const REASON_LENGTH_MAX = 300

/** `currency`: of the merchant, in which bills are due. */
export function lookupAsCustomer(answer: unknown, currency: string): Html {
  return html`<h3>${TEXTS.whatCustomerSees}</h3>${seen(typeof answer === 'object' && answer !== null ? answer : {}, currency)}`
}

export function deliveryAsCustomer(): Html {
  return html`<h3>${TEXTS.whatCustomerSees}</h3><p>${TEXTS.ranWell}</p>`
}

function seen(answer: TriedLookup, currency: string): Fragment {
  if (answer.transport_error !== undefined || answer.valid === false) return failed('lookup_unavailable')
  if (answer.ok === false) {
    const reason = textOf(answer.reason).trim().slice(0, REASON_LENGTH_MAX)
    return reason === '' ? failed('lookup_failed') : html`<p>${TEXTS.error(theirs(reason))}</p>`
  }
  if (answer.ok !== true || typeof answer.amount !== 'number') return failed('lookup_unavailable')
  return html`<p><b>${money(answer.amount, currency)}</b></p>
${facts([
  [WORDS.purpose, shown(answer.label)],
  [WORDS.customer, shown(answer.customer_name)],
  [WORDS.reference, shown(answer.biller_ref)],
  ...linesOf(answer.line_items, currency),
])}
<p><button type="button" disabled>${WORDS.pay(amountText(answer.amount, currency))}</button></p>`
}

function failed(code: ErrorCode): Html {
  return html`<p>${TEXTS.error(errorText({ code }))}</p>`
}

function linesOf(items: unknown, currency: string): (readonly [typeof TEXTS.details, Fragment])[] {
  if (!Array.isArray(items)) return []
  return items.map((item: { readonly label?: unknown; readonly amount?: unknown }) => {
    return [
      TEXTS.details,
      html`${theirs(textOf(item.label))}${WORDS.colon} ${typeof item.amount === 'number' && money(item.amount, currency)}`,
    ] as const
  })
}

function shown(value: unknown): Fragment {
  const text = textOf(value)
  return text !== '' && theirs(text)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
