// The form of a file of lines, pasted or uploaded, and the parts that a schedule's form shares with it.

import type { FileProblem } from '../../../client/src/payment-file/payment-file.ts'
import { fileProblemText } from '../../../client/src/payment-file/payment-file-text.ts'
import { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { BATCH_FILE_LINES_MAX } from '../shared/dashboard-limits.ts'
import { areaField, heading } from '../shared/dashboard-parts.ts'
import type { Sent, Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { tokenField } from '../shared/shell.ts'
import { decodeSent } from './batch-parts.ts'

const TEXTS = texts({
  fr: {
    checkWithoutPaying: 'Vérifier sans verser',
    upLinesItReplacesLines: (batchfilelinesmax: Fragment) =>
      html`Jusqu’à ${batchfilelinesmax} lignes. Il remplace les lignes collées ci-dessous.`,
    orLinesPay: 'Ou lignes à verser',
    oneLinePerPayoutRecipient: (example: Fragment) =>
      html`Une ligne par versement : destinataire (@tag ou téléphone), montant, référence, note. Collez-les depuis un tableur. Exemple :<code class="example">${example}</code>`,
    referenceBulkPayout: 'Référence du versement groupé',
    csvFile: 'Fichier CSV',
    columnsAndFormats: 'Colonnes et formats',
  },
  en: {
    checkWithoutPaying: 'Check without paying',
    upLinesItReplacesLines: (batchfilelinesmax) => html`Up to ${batchfilelinesmax} lines. It replaces the lines pasted below.`,
    orLinesPay: 'Or lines to pay',
    oneLinePerPayoutRecipient: (example) =>
      html`One line per payout: recipient (@tag or phone), amount, reference, note. Paste them from a spreadsheet. Example:<code class="example">${example}</code>`,
    referenceBulkPayout: 'Reference of the bulk payout',
    csvFile: 'CSV file',
    columnsAndFormats: 'Columns and formats',
  },
})

export type TypedFile = Sent<'lines' | 'reference'>

const EXAMPLE = `destinataire;montant;référence;note
@awa_diallo;25000;PAIE-11;Salaire de novembre
+221 77 123 45 67;18 500;PAIE-11;`

export function showBatchForm(visit: Visit, form: TypedFile, error: Fragment): void {
  const body = html`${heading(DASHBOARD_WORDS.bulkPayout)}
<form class="form card" method="post" action="${visit.to('batches/new')}" enctype="multipart/form-data" novalidate>${tokenField(visit)}
${refusal(error)}
${fileField(visit, html`${TEXTS.upLinesItReplacesLines(countText(BATCH_FILE_LINES_MAX))}`)}
${areaField({
  name: 'lines',
  label: TEXTS.orLinesPay,
  hint: html`${TEXTS.oneLinePerPayoutRecipient(EXAMPLE)}`,
  value: form.lines,
  rows: 10,
  isCode: true,
})}
${formField({ name: 'reference', label: TEXTS.referenceBulkPayout, value: form.reference, maxLength: 255, isRequired: false })}
<button type="submit">${TEXTS.checkWithoutPaying}</button>
</form>`
  visit.show({ title: DASHBOARD_WORDS.bulkPayout, place: 'batches', body }, error === null ? 200 : 400)
}

/** Renders why a form was refused, above its fields. */
export function refusal(error: Fragment): Fragment {
  return error !== null && html`<div class="error" role="alert">${error}</div>`
}

/** Renders the field of a CSV file, with a link to the page about its columns. */
export function fileField(visit: Pick<Visit, 'root'>, hint: Fragment): Html {
  return html`<div class="field"><label for="file">${TEXTS.csvFile}</label><p class="hint" id="file-hint">${hint} <a href="${visit.root}docs/payment-files">${TEXTS.columnsAndFormats}</a></p><input id="file" name="file" type="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"></div>`
}

/** Returns the form with the text of the file, where one was sent. A file that is no text is refused: null. */
export async function withText<Form extends { readonly lines: string }>(
  visit: Visit,
  file: Buffer | undefined,
  sent: Form,
  refuse: (words: Text) => void,
): Promise<Form | null> {
  if (file === undefined) return sent
  const decoded = await decodeSent(visit, file)
  if ('text' in decoded) return { ...sent, lines: decoded.text }
  refuse(problemWords({ code: decoded.problem }))
  return null
}

export function problemWords(problem: FileProblem): Text {
  return new Text((language) => fileProblemText(problem, language))
}

export function hiddenFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}
