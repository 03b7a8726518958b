// The receipt of one movement of money, to print on one sheet or to send as a text. It has no public address: what it says is for
// the merchant and those to whom the merchant gives it.
import type { Language } from '../../text/language.ts'
import { amountIn, prettyAmount } from '../../workers/gateways/message.ts'
import { longDayAndTime } from '../date-text.ts'
import { type Fragment, type Html, html, titleOf } from '../html.ts'
import { answerPage } from '../layout.ts'
import { inLanguage, languageOf } from '../page-language.ts'
import { COPIED, copyButton, shareLinks } from './share.ts'
import type { Visit } from './visit.ts'

export type ReceiptTitle =
  | 'Paiement reçu'
  | 'Paiement remboursé'
  | 'Versement'
  | 'Facture payée'
  | 'Facture remboursée'
  | 'Approvisionnement'
  | 'Retrait'

export interface Receipt {
  readonly title: ReceiptTitle
  readonly amount: number
  /** `Payé`, `Remboursé`. */
  readonly state: string
  readonly payer: string
  readonly payee: string
  /** RFC 3339. */
  readonly at: string
  readonly reference: string
  readonly description?: string
  readonly transactionId: string | null
  /** Path of the record's page. */
  readonly path: string
  /** The phone to send it to, when it is known. */
  readonly phone?: string
}

export function showReceipt(visit: Visit, receipt: Receipt): void {
  const { title, amount, state, payer, payee, at, reference, description = '', transactionId, path, phone = '' } = receipt
  const isTest = visit.environment === 'test'
  const text = receiptText(receipt, isTest, languageOf(visit.call).language)
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['Payé par', payer],
    ['Payé à', payee],
    ['Référence', reference],
    ['Objet', description],
    ['Transaction', transactionId ?? ''],
  ]
  const row = ([name, value]: readonly [string, string]): Html => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`
  const body = html`<div class="receipt-tools"><a class="button quiet" href="${visit.to(path)}">Retour</a><button type="button" data-print hidden>Imprimer</button></div>
<article class="sheet">
<p><b><bdi>${visit.principal.merchant.name}</bdi></b></p>
<h1>${title}</h1>
<p class="sum">${prettyAmount(amount)}</p>
<p>${state}, ${dateOf(at)}</p>
<dl>${rows.filter(([, value]) => value !== '').map(row)}</dl>
${isTest && html`<p class="sheet-test">Reçu de test : aucun argent réel.</p>`}
</article>
<div class="receipt-tools is-below">${shareLinks(text, phone)}
<div class="field receipt-text"><label for="message">Le reçu en texte</label><textarea id="message" rows="6" readonly>
${text}</textarea></div>${copyButton('message', 'Copier le texte')}</div>
${COPIED}`
  const page = { title: titleOf(title), root: visit.root, look: 'dashboard/receipt.css', script: 'dashboard/dashboard.js', body } as const
  answerPage(visit.call, 200, page)
}

function dateOf(at: string): Fragment {
  return html`<time datetime="${at}">${longDayAndTime(Date.parse(at))}</time>`
}

const SHORT = { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' } as const
const DATES = { fr: new Intl.DateTimeFormat('fr-FR', SHORT), en: new Intl.DateTimeFormat('en-GB', SHORT) } as const

/** Returns the receipt as a message, in the language of its page. */
function receiptText(receipt: Receipt, isTest: boolean, language: Language): string {
  const { title, amount, state, payer, payee, at, reference, transactionId } = receipt
  const say = (words: string): string => inLanguage(words, language)
  const colon = language === 'fr' ? ' : ' : ': '
  const lines = [
    `${isTest ? '[TEST] ' : ''}${say(title)}${colon}${amountIn(amount, language)}`,
    `${say(state)} ${language === 'fr' ? 'le' : 'on'} ${DATES[language].format(new Date(at))}`,
    payer === '' ? '' : `${say('Payé par')} ${payer}`,
    payee === '' ? '' : `${say('Payé à')} ${payee}`,
    reference === '' ? '' : `${say('Référence')}${colon}${reference}`,
    transactionId === null ? '' : `${say('Transaction')}${colon}${transactionId}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** Renders the link to the receipt of a record. */
export function receiptLink(visit: Visit, path: string): Html {
  return html`<a class="button quiet" href="${visit.to(`${path}/receipt`)}">Reçu</a>`
}
