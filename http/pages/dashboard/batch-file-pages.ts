// Payment of a file of lines: pasted or uploaded, checked by a dry run, then paid in batches of 500, one after the other.
// The page carries the unpaid lines. The idempotency keys of the batches alone show what was paid, so a reload, a second
// click or a crash neither pays twice nor skips lines. The form is multipart: percent-encoding would add half of its size.
import type { Balance } from '../../../engine/contract/balance.ts'
import type { BatchReport } from '../../../engine/contract/batch.ts'
import { BATCH_LINES_MAX } from '../../../engine/kernel/limits.ts'
import type { Route } from '../../server/route.ts'
import { type ApiAnswer, type ApiError, newFormKey } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { linesTable, linesText, type NumberedLine, paidSummary } from './batch-pages.ts'
import { type BatchFile, batchFile, doneParts, isFileKey, PARTS_MAX, partKey, type Sum, sumOf } from './batch-parts.ts'
import { textOfFile } from './csv-file.ts'
import { csvOfLines, linesOfCsv, type TypedLine } from './csv-lines.ts'
import { BATCH_FILE_BYTES_MAX, BATCH_FILE_LINES_MAX, BATCH_LINES_SHOWN_MAX } from './dashboard-limits.ts'
import { areaField, dateText, facts, failure, heading, money, prettyCount } from './dashboard-parts.ts'
import { fileRemarks, sourceRow } from './file-remarks.ts'
import { failureReasons, linesOutcome } from './outcomes.ts'
import { tokenField } from './shell.ts'
import { filled } from './typed.ts'
import { type DashboardParts, fileRow, pageRow, type Sent, type Visit } from './visit.ts'

type TypedFile = Sent<'lines' | 'reference'>

export function batchFileRows(parts: DashboardParts): readonly Route[] {
  const bytesMax = BATCH_FILE_BYTES_MAX
  return [
    pageRow(parts, {
      path: '/batches/new',
      operationId: 'showBatchForm',
      needs: 'createBatch',
      summary: 'Pay many wallets',
      show: (visit) => showForm(visit, { lines: '', reference: '' }, null),
    }),
    fileRow(parts, {
      path: '/batches/new',
      operationId: 'sendBatchCheck',
      needs: 'createBatch',
      summary: 'What it would pay',
      fields: ['lines', 'reference'],
      bytesMax,
      act: checkSent,
    }),
    fileRow(parts, {
      path: '/batches/edit',
      operationId: 'sendBatchEdit',
      needs: 'createBatch',
      summary: 'The lines again',
      fields: ['lines', 'reference'],
      bytesMax,
      act: (visit, _file, sent) => showForm(visit, sent, null),
    }),
    fileRow(parts, {
      path: '/batches/again',
      operationId: 'sendBatchAgain',
      needs: 'createBatch',
      summary: 'The same lines as another file',
      fields: ['lines', 'reference'],
      bytesMax,
      act: (visit, _file, { lines, reference }) => check(visit, batchFile(lines, reference, newFormKey())),
    }),
    fileRow(parts, {
      path: '/batches',
      operationId: 'sendBatch',
      needs: 'createBatch',
      summary: 'Pay the next part',
      fields: RUN_FIELDS,
      bytesMax,
      act: payPart,
    }),
    pageRow(parts, { path: '/batches/runs/{key}', operationId: 'showBatchRun', summary: 'A file that was paid', show: showRun }),
  ]
}

const EXAMPLE = `destinataire;montant;référence;note
@awa_diallo;25000;PAIE-11;Salaire de novembre
+221 77 123 45 67;18 500;PAIE-11;`

function showForm(visit: Visit, form: TypedFile, error: Pick<ApiError, 'message'> | null): void {
  const body = html`${heading('Versement groupé')}
<form class="form card" method="post" action="${visit.to('batches/new')}" enctype="multipart/form-data" novalidate>${tokenField(visit)}
${failure(error)}
<div class="field"><label for="file">Fichier CSV</label><p class="hint" id="file-hint">Jusqu’à ${prettyCount(BATCH_FILE_LINES_MAX)} lignes. Il remplace les lignes collées ci-dessous.</p><input id="file" name="file" type="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"></div>
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

function checkSent(visit: Visit, file: Buffer | undefined, { lines, reference }: TypedFile): Promise<void> | void {
  const text = file === undefined ? lines : textOfFile(file)
  if (text === null) return showForm(visit, { lines, reference }, { message: 'Ce fichier est un classeur : enregistrez-le au format CSV.' })
  return check(visit, batchFile(text, reference, ''))
}

/** Shows the API's dry run of the unpaid lines. It moves no money. */
async function check(visit: Visit, file: BatchFile): Promise<void> {
  const typed = { lines: file.text, reference: file.reference }
  if (file.lines.length > BATCH_FILE_LINES_MAX) {
    const message = `Ce fichier a ${linesText(file.lines.length)} ; ${prettyCount(BATCH_FILE_LINES_MAX)} au plus.`
    return showForm(visit, typed, { message })
  }
  const done = doneParts(visit, file.key)
  const left = file.lines.slice(done.length * BATCH_LINES_MAX)
  if (left.length === 0 && done.length > 0) return showPaidBefore(visit, file, done)
  const reports: BatchReport[] = []
  for (const body of partBodies(left, file.reference)) {
    const answer = await visit.ask<BatchReport>('createBatch', { body, query: { dry_run: 'true' } })
    if (!answer.ok) return showForm(visit, typed, answer.error)
    reports.push(answer.body)
  }
  const balance = await visit.ask<Balance>('getBalance')
  const sum = sumOf(reports)
  const body = html`${heading('Vérifier le versement groupé')}
${done.length > 0 && alreadyPaid(visit, file, done)}
${balanceBefore(sum, balance)}
${failingLines(reports)}
${fileRemarks(file, done.length * BATCH_LINES_MAX)}
<div class="actions"><form class="form" method="post" action="${visit.to('batches')}" enctype="multipart/form-data">${tokenField(visit)}${hidden({ key: file.key, part: String(done.length), parts: String(file.partsCount), count: String(file.lines.length), reference: file.reference, lines: csvOfLines(left) })}
${sum.paidCount > 0 && html`<button type="submit">Verser ${linesText(sum.paidCount)}, ${money(sum.paidAmount)}</button>`}</form>
<form class="form" method="post" action="${visit.to('batches/edit')}" enctype="multipart/form-data">${tokenField(visit)}${hidden(typed)}<button class="quiet" type="submit">Corriger les lignes</button></form></div>
${checkedLines(visit, reports, file, done.length * BATCH_LINES_MAX)}`
  visit.show({ title: 'Vérifier le versement groupé', place: 'batches', body })
}

function hidden(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** Returns the bodies of all batches. An empty file is one empty batch, which the API rejects with its own message. */
function partBodies(lines: readonly TypedLine[], reference: string): object[] {
  const count = Math.max(1, Math.ceil(lines.length / BATCH_LINES_MAX))
  return Array.from({ length: count }, (_, part) => partBody(lines.slice(part * BATCH_LINES_MAX), reference))
}

/** Returns the body of the next batch. */
function partBody(left: readonly TypedLine[], reference: string): object {
  return filled({ items: left.slice(0, BATCH_LINES_MAX), reference })
}

/** Renders the balance and what will be left, or that it does not cover the sum. Each dry run checks its batch alone. */
function balanceBefore({ paidAmount, paidCount, linesCount }: Sum, balance: ApiAnswer<Balance>): Html {
  const available = balance.ok ? balance.body.available : null
  const left = available === null ? null : available - paidAmount
  return html`${facts([
    ['À verser', html`<b>${money(paidAmount)}</b> (${linesText(paidCount)} sur ${prettyCount(linesCount)})`],
    ['Solde disponible', available !== null && money(available)],
    ['Solde après', left !== null && left >= 0 && money(left)],
  ])}
${available !== null && paidAmount > available && html`<p class="error" role="alert">Le solde disponible, ${money(available)}, ne suffit pas pour toutes ces lignes : les dernières échoueront.</p>`}`
}

function failingLines(reports: readonly BatchReport[]): Fragment {
  const reasons = failureReasons(reports.flatMap(({ items }) => items))
  return reasons !== null && html`<section class="reasons" role="status"><p>Ces lignes échoueraient :</p>${reasons}</section>`
}

/** Lines have the row numbers of the spreadsheet. */
function checkedLines(visit: Visit, reports: readonly BatchReport[], file: BatchFile, paidBefore: number): Html {
  const lines = reports.flatMap(({ items }, part) =>
    items.map((line): NumberedLine => {
      const { number, amount } = sourceRow(file, paidBefore + part * BATCH_LINES_MAX + line.index)
      return { ...line, number, typedAmount: amount }
    }),
  )
  const failing = lines.filter(({ state }) => state === 'failed')
  const shown = lines.length <= BATCH_LINES_SHOWN_MAX ? lines : failing.slice(0, BATCH_LINES_SHOWN_MAX)
  const notice = `Seules les lignes qui échoueraient sont montrées : ${prettyCount(shown.length)} sur ${prettyCount(failing.length)}.`
  return html`${shown.length < lines.length && html`<p class="hint">${notice}</p>`}${shown.length > 0 && linesTable(visit, shown, 'checked')}`
}

function runAddress(key: string, partsCount: number): string {
  return `batches/runs/${key}?parts=${partsCount}`
}

function alreadyPaid(visit: Visit, { key, partsCount }: BatchFile, done: readonly BatchReport[]): Html {
  const { linesCount } = sumOf(done)
  return html`<p class="notice">Les ${linesText(linesCount)} du début de ce fichier sont <a href="${visit.to(runAddress(key, partsCount))}">déjà traitées</a> : la suite reprend à la ligne ${linesCount + 1}.</p>`
}

function showPaidBefore(visit: Visit, file: BatchFile, done: readonly BatchReport[]): void {
  const body = html`${heading('Fichier déjà traité')}
<p>Les mêmes lignes avec la même référence ont été traitées le ${dateText(done[0]?.created_at ?? null)}. Rien n’a été versé une seconde fois.</p>
${paidSummary(sumOf(done))}
${partLinks(visit, done)}
<form class="form" method="post" action="${visit.to('batches/again')}" enctype="multipart/form-data">${tokenField(visit)}${hidden({ lines: csvOfLines(file.lines), reference: file.reference })}
<div class="buttons"><button class="quiet" type="submit">C’est un autre versement groupé : vérifier de nouveau</button></div></form>`
  visit.show({ title: 'Fichier déjà traité', place: 'batches', body })
}

function partLinks(visit: Visit, done: readonly BatchReport[]): Html {
  const link = ({ id, paid_count, total_count }: BatchReport, part: number): Html =>
    html`<li><a href="${visit.to(`batches/${id}`)}">Partie ${part + 1}</a> : ${prettyCount(paid_count)} sur ${linesText(total_count)}</li>`
  return html`<ul>${done.map(link)}</ul>`
}

const RUN_FIELDS = ['lines', 'reference', 'part', 'parts', 'count'] as const

async function payPart(visit: Visit, _file: Buffer | undefined, sent: Sent<(typeof RUN_FIELDS)[number] | 'key'>): Promise<void> {
  const { key, reference } = sent
  const [part, partsCount] = [numberOf(sent.part, PARTS_MAX - 1), numberOf(sent.parts, PARTS_MAX)]
  const left = linesOfCsv(sent.lines)
  if (!isFileKey(key) || part === null || partsCount === null) return check(visit, batchFile(sent.lines, reference, ''))
  const answer = await visit.ask<BatchReport>('createBatch', { body: partBody(left, reference), idempotencyKey: partKey(key, part) })
  if (!answer.ok) return showForm(visit, sent, answer.error)
  const rest = left.slice(BATCH_LINES_MAX)
  if (rest.length > 0 && part + 1 < PARTS_MAX) {
    const count = Math.max(numberOf(sent.count, BATCH_FILE_LINES_MAX) ?? 0, part * BATCH_LINES_MAX + left.length)
    return showNext(visit, { ...sent, part: String(part + 1), count: String(count), lines: csvOfLines(rest) }, rest.length)
  }
  if (part === 0) visit.goTo(`batches/${answer.body.id}`, 'batch_done')
  else visit.goTo(runAddress(key, partsCount), 'batches_done')
}

function numberOf(text: string, max: number): number | null {
  return /^\d{1,4}$/.test(text) && Number(text) <= max ? Number(text) : null
}

/** Shows the page between two batches: what is paid, and the button for the next batch. A script presses it. */
function showNext(visit: Visit, { key, ...next }: Sent<(typeof RUN_FIELDS)[number] | 'key'>, leftCount: number): void {
  const sum = sumOf(doneParts(visit, key))
  const { lines, reference, part, parts, count } = next
  const body = html`${heading('Versement en cours')}
<section class="card" data-run><p role="status"><b>${linesText(sum.linesCount)} sur ${prettyCount(Number(count))} traitées.</b> Versé : ${money(sum.paidAmount)}. En échec : ${linesText(sum.failedCount)}.</p>
<progress max="${count}" value="${sum.linesCount}" aria-label="Lignes traitées">${sum.linesCount} / ${count}</progress>
<form class="form" method="post" action="${visit.to('batches')}" enctype="multipart/form-data" data-continue>${tokenField(visit)}${hidden({ key, part, parts, count, reference, lines })}
<button type="submit">Continuer : encore ${linesText(leftCount)}</button></form>
<p class="hint">Ce qui est versé le reste, quoi qu’il arrive. Si cette page se ferme, envoyez le même fichier : le versement reprend à la suite.</p></section>`
  visit.show({ title: 'Versement en cours', place: 'batches', body })
}

function showRun(visit: Visit): void {
  const [key = ''] = visit.params
  const done = isFileKey(key) ? doneParts(visit, key) : []
  if (done.length === 0) return visit.missing()
  const sum = sumOf(done)
  const partsCount = Math.max(done.length, numberOf(visit.query.get('parts') ?? '', PARTS_MAX) ?? 0)
  const isWhole = done.length === partsCount
  const reasons = failureReasons(done.flatMap(({ items }) => items))
  const body = html`${heading(isWhole ? 'Fichier versé' : 'Fichier versé en partie')}
${!isWhole && html`<p class="error">Parties traitées : ${done.length} sur ${partsCount}. Envoyez le même fichier pour verser la suite.</p>`}
${paidSummary(sum)}
${reasons !== null && html`<section class="reasons"><p>Lignes en échec, et que faire :</p>${reasons}</section>`}
${partLinks(visit, done)}
<div class="actions"><a class="button quiet" href="${visit.to('batches')}">Tous les versements groupés</a></div>`
  visit.show({ title: 'Fichier versé', place: 'batches', outcome: linesOutcome(sum), body })
}
