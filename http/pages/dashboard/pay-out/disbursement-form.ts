// The form of a disbursement: its lines come from a file, from pasted text, or from a group of contacts.

import { DISBURSEMENT_LINES_MAX } from '../../../../engine/contract/disbursement.ts'
import { type Currency, decimalsOf } from '../../../../engine/kernel/currency.ts'
import { amountKeyboard, countText, currencySymbol } from '../../shared/amount-text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { areaField, heading, type OwnChoice, selectField } from '../shared/dashboard-parts.ts'
import type { Sent, Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { tokenField } from '../shared/shell.ts'
import { fileField, refusal } from './payment-file-form.ts'

const TEXTS = texts({
  fr: {
    checkWithoutPaying: 'Vérifier sans verser',
    upLinesItReplacesLines: (linesMax: Fragment) => html`Jusqu’à ${linesMax} lignes. Il remplace les lignes collées ci-dessous.`,
    orLinesPay: 'Ou lignes à verser',
    oneLinePerPayoutRecipient: (example: Fragment) =>
      html`Une ligne par versement : destinataire (@tag ou téléphone), montant, référence, note. Collez-les depuis un tableur. Exemple :<code class="example">${example}</code>`,
    example: (one: string, other: string) =>
      breakable(`destinataire;montant;référence;note\n@awa_diallo;${one};PAIE-11;Salaire de novembre\n+221 77 123 45 67;${other};PAIE-11;`),
    referenceBulkPayout: 'Référence du versement groupé',
    orGroup: 'Ou un groupe de contacts',
    noGroup: 'Aucun groupe',
    amountEach: (symbol: string) => `Montant de chaque contact sans montant (${symbol})`,
    groupHint: (contacts: Fragment) => html`Chaque contact du groupe est une ligne. <a href="${contacts}">Vos contacts et groupes</a>`,
  },
  en: {
    checkWithoutPaying: 'Check without paying',
    upLinesItReplacesLines: (linesMax) => html`Up to ${linesMax} lines. It replaces the lines pasted below.`,
    orLinesPay: 'Or lines to pay',
    oneLinePerPayoutRecipient: (example) =>
      html`One line per payout: recipient (@tag or phone), amount, reference, note. Paste them from a spreadsheet. Example:<code class="example">${example}</code>`,
    example: (one, other) =>
      breakable(`recipient;amount;reference;note\n@awa_diallo;${one};PAY-11;November salary\n+221 77 123 45 67;${other};PAY-11;`),
    referenceBulkPayout: 'Reference of the bulk payout',
    orGroup: 'Or a group of contacts',
    noGroup: 'No group',
    amountEach: (symbol) => `Amount of each contact without one (${symbol})`,
    groupHint: (contacts) => html`Each contact of the group is a line. <a href="${contacts}">Your contacts and groups</a>`,
  },
})

export const DISBURSEMENT_FIELDS = ['lines', 'reference', 'group', 'amount'] as const

export type DisbursementForm = Sent<(typeof DISBURSEMENT_FIELDS)[number]>

export const EMPTY_DISBURSEMENT: DisbursementForm = { lines: '', reference: '', group: '', amount: '' }

/** A currency with decimals has them in a file. A narrow screen breaks a line behind a separator. */
function exampleIn(currency: Currency): Html {
  const [one, other] = decimalsOf(currency) === 0 ? (['25000', '18 500'] as const) : (['250,00', '1 185,50'] as const)
  return TEXTS.example(one, other)
}

function breakable(text: string): Html {
  return html`${text.split(';').map((part, at) => html`${at > 0 && html`;<wbr>`}${part}`)}`
}

export function showDisbursementForm(visit: Visit, form: DisbursementForm, error: Fragment): void {
  const body = html`${heading(DASHBOARD_WORDS.bulkPayout)}
<form class="form card" method="post" action="${visit.to('disbursements/new')}" enctype="multipart/form-data" novalidate>${tokenField(visit)}
${refusal(error)}
${fileField(visit, html`${TEXTS.upLinesItReplacesLines(countText(DISBURSEMENT_LINES_MAX))}`)}
${areaField({
  name: 'lines',
  label: TEXTS.orLinesPay,
  hint: html`${TEXTS.oneLinePerPayoutRecipient(exampleIn(visit.currency))}`,
  value: form.lines,
  rows: 10,
  isCode: true,
})}
${groupFields(visit, form)}
${formField({ name: 'reference', label: TEXTS.referenceBulkPayout, value: form.reference, maxLength: 255, isRequired: false })}
<button type="submit">${TEXTS.checkWithoutPaying}</button>
</form>`
  visit.show({ title: DASHBOARD_WORDS.bulkPayout, place: 'disbursements', body }, error === null ? 200 : 400)
}

/** Nothing for a merchant without a group. */
function groupFields(visit: Visit, { group, amount }: DisbursementForm): Html {
  const groups = visit.app.engine.query('contacts.groups', { account: visit.principal.account })
  if (groups.length === 0) return html``
  const choices = groups.map(({ name, count }): OwnChoice => ({ value: name, words: `${name} (${count})` }))
  return html`${selectField('group', TEXTS.orGroup, [{ value: '', words: TEXTS.noGroup }, ...choices], group)}
<p class="hint">${TEXTS.groupHint(visit.to('contacts'))}</p>
${formField({ name: 'amount', label: TEXTS.amountEach(currencySymbol(visit.currency)), value: amount, maxLength: 20, inputMode: amountKeyboard(visit.currency), isRequired: false })}`
}
