// The receipt of one movement of money, to print on one sheet or to send as a text. It has no public address: what it says is for
// the merchant and those to whom the merchant gives it.

import type { Language } from '../../../text/language.ts'
import type { Text } from '../../../text/text.ts'
import { amountIn } from '../../../workers/gateways/message.ts'
import { amountText } from '../../shared/amount-text.ts'
import { longDayAndTime } from '../../shared/date-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { answerPage } from '../../shared/layout.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { sheetHead } from './dashboard-parts.ts'
import type { Visit } from './dashboard-visit.ts'
import { DASHBOARD_WORDS } from './dashboard-words.ts'
import { COPIED, copyButton, shareLinks } from './share-links.ts'

const TEXTS = texts({
  fr: {
    paid: 'Payé à',
    back: 'Retour',
    receiptAsText: 'Le reçu en texte',
    testReceiptNoRealMoney: 'Reçu de test : aucun argent réel.',
    copyText: 'Copier le texte',
    stateOn: (state: string, date: string) => `${state} le ${date}`,
  },
  en: {
    paid: 'Paid to',
    back: 'Back',
    receiptAsText: 'The receipt as text',
    testReceiptNoRealMoney: 'Test receipt: no real money.',
    copyText: 'Copy the text',
    stateOn: (state, date) => `${state} on ${date}`,
  },
})

export interface Receipt {
  readonly title: Text
  readonly amount: number
  /** `Payé`, `Remboursé`. */
  readonly state: Text
  /** Beside the amount, with the words for who bears it. */
  readonly fee?: readonly [words: Text, amount: number]
  readonly payer: string
  readonly payee: string
  /** RFC 3339. */
  readonly at: string
  readonly reference: string
  readonly description?: string
  /** Why the money went back. */
  readonly reason?: Text
  readonly transactionId: string | null
  /** Path of the record's page. */
  readonly path: string
  /** The phone to send it to, when it is known. */
  readonly phone?: string
}

export function showReceipt(visit: Visit, receipt: Receipt): void {
  const { title, amount, state, payer, payee, at, reference, description = '', reason = '', transactionId, path, phone = '', fee } = receipt
  const isTest = visit.environment === 'test'
  const text = receiptText(visit, receipt, languageOf(visit.call).language)
  const rows: readonly (readonly [name: Text | string, value: Text | string])[] = [
    [DASHBOARD_WORDS.paidBy, payer],
    [TEXTS.paid, payee],
    [WORDS.reference, reference],
    [WORDS.purpose, description],
    [WORDS.reason, reason],
    [WORDS.transaction, transactionId ?? ''],
  ]
  const sums: readonly (readonly [Text, number])[] = fee === undefined || fee[1] === 0 ? [] : [fee]
  const row = ([name, value]: readonly [Text | string, Text | string]): Html =>
    html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`
  const body = html`<div class="receipt-tools"><a class="button quiet" href="${visit.to(path)}">${TEXTS.back}</a><button type="button" data-print hidden>${DASHBOARD_WORDS.print}</button></div>
<article class="sheet">
${sheetHead(visit)}
<h1>${title}</h1>
<p class="sum">${amountText(amount, visit.currency)}</p>
<p>${state}, ${dateOf(at)}</p>
<dl>${sums.map(([name, of]) => row([name, amountText(of, visit.currency)]))}${rows.filter(([, value]) => value !== '').map(row)}</dl>
${isTest && html`<p class="sheet-test">${TEXTS.testReceiptNoRealMoney}</p>`}
</article>
<div class="receipt-tools is-below">${shareLinks(text, phone)}
<div class="field receipt-text"><label for="message">${TEXTS.receiptAsText}</label><textarea id="message" rows="6" readonly>
${text}</textarea></div>${copyButton('message', TEXTS.copyText)}</div>
${COPIED}`
  const page = {
    title: title,
    root: visit.root,
    look: 'dashboard/shared/receipt.css',
    script: 'dashboard/shared/dashboard.js',
    body,
  } as const
  answerPage(visit.call, 200, page)
}

function dateOf(at: string): Fragment {
  return html`<time datetime="${at}">${longDayAndTime(Date.parse(at))}</time>`
}

const SHORT = { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' } as const
const DATES = { fr: new Intl.DateTimeFormat('fr-FR', SHORT), en: new Intl.DateTimeFormat('en-GB', SHORT) } as const

/** Returns the receipt as a message, in the language of its page. */
function receiptText({ environment, currency }: Visit, receipt: Receipt, language: Language): string {
  const { title, amount, state, fee, payer, payee, at, reference, reason, transactionId } = receipt
  const say = (words: Text | string): string => (typeof words === 'string' ? words : words.in(language))
  const colon = language === 'fr' ? ' : ' : ': '
  const lines = [
    `${environment === 'test' ? '[TEST] ' : ''}${say(title)}${colon}${amountIn(amount, language, currency)}`,
    say(TEXTS.stateOn(state, DATES[language].format(new Date(at)))),
    fee === undefined || fee[1] === 0 ? '' : `${say(fee[0])}${colon}${amountIn(fee[1], language, currency)}`,
    payer === '' ? '' : `${say(DASHBOARD_WORDS.paidBy)} ${payer}`,
    payee === '' ? '' : `${say(TEXTS.paid)} ${payee}`,
    reference === '' ? '' : `${say(WORDS.reference)}${colon}${reference}`,
    reason === undefined ? '' : `${say(WORDS.reason)}${colon}${say(reason)}`,
    transactionId === null ? '' : `${say(WORDS.transaction)}${colon}${transactionId}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** Renders the link to the receipt of a record. */
export function receiptLink(visit: Visit, path: string): Html {
  return html`<a class="button quiet" href="${visit.to(`${path}/receipt`)}">${WORDS.receipt}</a>`
}
