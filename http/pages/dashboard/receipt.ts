// The receipt of one movement of money, to print on one sheet or to send as a text. It has no public address: what it says is for
// the merchant and those to whom the merchant gives it.
import { prettyAmount } from '../../workers/gateways/message.ts'
import { longDayAndTime } from '../date-text.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { answerPage } from '../layout.ts'
import { COPIED, copyButton, shareLinks } from './share.ts'
import type { Visit } from './visit.ts'

export interface Receipt {
  /** `Paiement reçu`. */
  readonly title: string
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
  const text = receiptText(receipt, isTest)
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
  const page = { title, root: visit.root, look: 'dashboard/receipt.css', script: 'dashboard/dashboard.js', body } as const
  answerPage(visit.call, 200, page)
}

function dateOf(at: string): Fragment {
  return html`<time datetime="${at}">${longDayAndTime(Date.parse(at))}</time>`
}

const DATE = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' })

/** Returns the receipt as a message: French, as every message to customers. */
function receiptText({ title, amount, state, payer, payee, at, reference, transactionId }: Receipt, isTest: boolean): string {
  const lines = [
    `${isTest ? '[TEST] ' : ''}${title} : ${prettyAmount(amount)}`,
    `${state} le ${DATE.format(new Date(at))}`,
    payer === '' ? '' : `Payé par ${payer}`,
    payee === '' ? '' : `Payé à ${payee}`,
    reference === '' ? '' : `Référence : ${reference}`,
    transactionId === null ? '' : `Transaction : ${transactionId}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** Renders the link to the receipt of a record. */
export function receiptLink(visit: Visit, path: string): Html {
  return html`<a class="button quiet" href="${visit.to(`${path}/receipt`)}">Reçu</a>`
}
