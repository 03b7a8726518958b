// Parts of forms that take lines of payments, pasted or as a file: of a disbursement, a schedule, contacts.

import type { FileProblem } from '../../../client/src/payment-file/payment-file.ts'
import { fileProblemText } from '../../../client/src/payment-file/payment-file-text.ts'
import { Text } from '../../../text/text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { decodeSent } from './payment-lines.ts'

const TEXTS = texts({
  fr: { csvFile: 'Fichier CSV', columnsAndFormats: 'Colonnes et formats' },
  en: { csvFile: 'CSV file', columnsAndFormats: 'Columns and formats' },
})

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
