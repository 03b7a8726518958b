// The form of a file of lines, pasted or uploaded, and the parts that a schedule's form shares with it.
import { decodeFile } from '../../client/src/payment-file/file-decoding.ts'
import type { FileProblem } from '../../client/src/payment-file/payment-file.ts'
import { fileProblemText } from '../../client/src/payment-file/payment-file-text.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html, Localized } from '../html.ts'
import { BATCH_FILE_LINES_MAX } from './dashboard-limits.ts'
import { areaField, heading, prettyCount } from './dashboard-parts.ts'
import { tokenField } from './shell.ts'
import type { Sent, Visit } from './visit.ts'

export type TypedFile = Sent<'lines' | 'reference'>

const EXAMPLE = `destinataire;montant;référence;note
@awa_diallo;25000;PAIE-11;Salaire de novembre
+221 77 123 45 67;18 500;PAIE-11;`

export function showBatchForm(visit: Visit, form: TypedFile, error: Fragment): void {
  const body = html`${heading('Versement groupé')}
<form class="form card" method="post" action="${visit.to('batches/new')}" enctype="multipart/form-data" novalidate>${tokenField(visit)}
${refusal(error)}
${fileField(visit, html`Jusqu’à ${prettyCount(BATCH_FILE_LINES_MAX)} lignes. Il remplace les lignes collées ci-dessous.`)}
${areaField({
  name: 'lines',
  label: 'Ou lignes à verser',
  hint: html`Une ligne par versement : destinataire (@tag ou téléphone), montant, référence, note. Collez-les depuis un tableur. Exemple :<code class="example">${EXAMPLE}</code>`,
  value: form.lines,
  rows: 10,
  isCode: true,
})}
${formField({ name: 'reference', label: 'Référence du versement groupé', value: form.reference, maxLength: 255, isRequired: false })}
<button type="submit">Vérifier sans verser</button>
</form>`
  visit.show({ title: 'Versement groupé', place: 'batches', body }, error === null ? 200 : 400)
}

/** Renders why a form was refused, above its fields. */
export function refusal(error: Fragment): Fragment {
  return error !== null && html`<div class="error" role="alert">${error}</div>`
}

/** Renders the field of a CSV file, with a link to the page about its columns. */
export function fileField(visit: Pick<Visit, 'root'>, hint: Fragment): Html {
  return html`<div class="field"><label for="file">Fichier CSV</label><p class="hint" id="file-hint">${hint} <a href="${visit.root}docs/payment-files">Colonnes et formats</a></p><input id="file" name="file" type="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"></div>`
}

/** Returns the form with the text of the file, where one was sent. A file that is no text is refused: null. */
export function withText<Form extends { readonly lines: string }>(
  file: Buffer | undefined,
  sent: Form,
  refuse: (words: Localized) => void,
): Form | null {
  if (file === undefined) return sent
  const decoded = decodeFile(file)
  if ('text' in decoded) return { ...sent, lines: decoded.text }
  refuse(problemWords({ code: decoded.problem }))
  return null
}

export function problemWords(problem: FileProblem): Localized {
  return new Localized((language) => fileProblemText(problem, language))
}

export function hiddenFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}
