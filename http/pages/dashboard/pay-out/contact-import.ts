// Contacts from a file of payments, by the one reader of such files: the note is the name, and the amount may be missing.
import { isUnreadable, type PaymentLine } from '../../../client/src/payment-file/payment-file.ts'
import { lineProblemText } from '../../../client/src/payment-file/payment-file-text.ts'
import { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { CORRECTED_LINES_MAX } from '../shared/dashboard-limits.ts'
import { areaField, heading } from '../shared/dashboard-parts.ts'
import type { Sent, Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { tokenField } from '../shared/shell.ts'
import { TEXTS } from './contact-pages-messages.ts'
import { lineWords, shortList } from './file-remarks.ts'
import { fileField, problemWords, refusal, withText } from './payment-file-form.ts'
import { readTyped } from './payment-lines.ts'

export type ImportForm = Sent<'lines' | 'groups'>

/** Contacts that are saved at the same time: each waits for its record to be on disk. */
const SAVED_TOGETHER = 50

export function showImportForm(visit: Visit, form: ImportForm, error: Fragment): void {
  const body = html`${heading(TEXTS.importTitle)}
<form class="form card" method="post" action="${visit.to('contacts/import')}" enctype="multipart/form-data" novalidate>${tokenField(visit)}
${refusal(error)}
${fileField(visit, TEXTS.fileHint(countText(CORRECTED_LINES_MAX)))}
${areaField({ name: 'lines', label: TEXTS.orLines, value: form.lines, rows: 8, isCode: true })}
${formField({ name: 'groups', label: TEXTS.groupsOfAll, hint: TEXTS.groupsHint, value: form.groups, maxLength: 1000, isRequired: false })}
<button type="submit">${TEXTS.importContacts}</button>
</form>`
  visit.show({ title: TEXTS.importTitle, place: 'contacts', body }, error === null ? 200 : 400)
}

/** Returns the names of groups that a field has. */
export function groupsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

export async function importContacts(visit: Visit, file: Buffer | undefined, { lines, groups }: ImportForm): Promise<void> {
  const form = await withText(visit, file, { lines, groups }, (words) => showImportForm(visit, { lines, groups }, words))
  if (form === null) return
  const read = await readTyped(visit, form.lines)
  if (isUnreadable(read)) return showImportForm(visit, form, problemWords(read.problem))
  if (read.lines.length > CORRECTED_LINES_MAX)
    return showImportForm(visit, form, html`${TEXTS.fileHasAtMost(countText(CORRECTED_LINES_MAX))}`)
  const outcome: Outcome = { added: 0, known: 0, wrong: [] }
  for (let at = 0; at < read.lines.length; at += SAVED_TOGETHER) {
    const some = read.lines.slice(at, at + SAVED_TOGETHER)
    await Promise.all(some.map((line) => save(visit, line, groupsOf(groups), outcome)))
  }
  showOutcome(visit, outcome)
}

interface Outcome {
  added: number
  known: number
  readonly wrong: { readonly row: number; readonly words: Text | string }[]
}

/** A contact that exists stays as it is, so a file that is sent twice changes nothing. */
async function save(
  visit: Visit,
  { row, recipient, amount, reference, note, problem }: PaymentLine,
  groups: readonly string[],
  outcome: Outcome,
): Promise<void> {
  if (problem !== null && problem.code !== 'amount_missing') {
    outcome.wrong.push({ row, words: new Text((language) => lineProblemText(problem, language)) })
    return
  }
  const answer = await visit.ask('createContact', { body: { recipient, name: note, groups, amount, reference } })
  if (answer.ok) outcome.added++
  else if (answer.error.code === 'contact_exists') outcome.known++
  else outcome.wrong.push({ row, words: answer.error.message })
}

function showOutcome(visit: Visit, { added, known, wrong }: Outcome): void {
  const rows = wrong.toSorted((one, other) => one.row - other.row)
  const body = html`${heading(TEXTS.importTitle)}
<p class="notice is-${wrong.length === 0 ? 'good' : 'wait'}" role="status">${TEXTS.imported(countText(added), countText(known))}</p>
${rows.length > 0 && html`<section class="reasons"><p>${TEXTS.notImported}</p><ul>${shortList(rows, ({ row, words }) => lineWords(row, html`${words}`))}</ul></section>`}
<div class="actions"><a class="button" href="${visit.to('contacts')}">${TEXTS.seeContacts}</a></div>`
  visit.show({ title: DASHBOARD_WORDS.contacts, place: 'contacts', body })
}
