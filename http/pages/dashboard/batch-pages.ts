// Batches: lines pasted or read from a file, a dry run that shows what would happen, and the report of what did.
import type { BatchReport } from '../../../engine/contract/batch.ts'
import { PAYOUT_FAILURES } from '../../../engine/contract/errors.ts'
import { BATCH_LINES_MAX } from '../../../engine/kernel/limits.ts'
import { prettyAmount } from '../../gateways/message.ts'
import type { Route } from '../../route.ts'
import { type ApiError, newFormKey } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { linesOfCsv } from './csv-lines.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { areaField, badge, type Column, dateText, facts, failure, heading, money, table, theirs } from './parts.ts'
import { payoutBadge } from './payout-pages.ts'
import { tokenField } from './shell.ts'
import { filled } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

type BatchRow = Omit<BatchReport, 'items'>

const NOUN: ListNoun<BatchRow> = {
  place: 'batches',
  title: 'Lots de versements',
  path: 'batches',
  operationId: 'listBatches',
  filters: [],
  columns: (visit) => [
    { name: 'Date', cell: ({ id, created_at }) => html`<a href="${visit.to(`batches/${id}`)}">${dateText(created_at)}</a>` },
    { name: 'Référence', cell: ({ reference }) => theirs(reference) },
    { name: 'Lignes', isFigure: true, cell: ({ total_count }) => total_count },
    { name: 'Versées', isFigure: true, cell: ({ paid_count }) => paid_count },
    { name: 'Montant versé', isFigure: true, cell: ({ paid_amount }) => money(paid_amount) },
  ],
  csvFields: [
    'id',
    'reference',
    'currency',
    'total_count',
    'paid_count',
    'failed_count',
    'total_amount',
    'paid_amount',
    'failed_amount',
    'created_at',
  ],
  empty: 'Aucun lot pour le moment.',
  actions: (visit) => html`<a class="button" href="${visit.to('batches/new')}">Verser un lot</a>`,
}

const FIELDS = ['lines', 'reference'] as const

type BatchForm = Sent<(typeof FIELDS)[number]>

const NOTHING: BatchForm = { lines: '', reference: '' }

export function batchRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, NOUN),
    pageRow(parts, {
      path: '/batches/new',
      operationId: 'showBatchForm',
      summary: 'Pay many wallets',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, { path: '/batches/new', operationId: 'sendBatchCheck', summary: 'What it would pay', fields: FIELDS, act: checkBatch }),
    formRow(parts, {
      path: '/batches/edit',
      operationId: 'sendBatchEdit',
      summary: 'The lines again',
      fields: FIELDS,
      act: (visit, sent) => showForm(visit, sent, null),
    }),
    formRow(parts, { path: '/batches', operationId: 'sendBatch', summary: 'Pay many wallets', fields: FIELDS, act: createBatch }),
    pageRow(parts, { path: '/batches/{id}', operationId: 'showBatch', summary: 'The report of a batch', show: showBatch }),
  ]
}

const EXAMPLE = `destinataire;montant;référence;note
@awa_diallo;25000;PAIE-11;Salaire de novembre
@kofi;18 500;PAIE-11;`

function showForm(visit: Visit, form: BatchForm, error: ApiError | null): void {
  const body = html`${heading('Verser un lot')}
<form class="form card" method="post" action="${visit.to('batches/new')}" novalidate>${tokenField(visit)}
${failure(error)}
<div class="field" data-file-for="lines" hidden><label for="file">Fichier CSV</label><input id="file" type="file" accept=".csv,text/csv,text/plain"></div>
${areaField({
  name: 'lines',
  label: 'Lignes à verser',
  hint: html`Une ligne par versement, ${BATCH_LINES_MAX} au plus : destinataire, montant, référence, note. Collez-les depuis un tableur. Exemple :<code class="example">${EXAMPLE}</code>`,
  value: form.lines,
  rows: 10,
  isCode: true,
})}
${formField({ name: 'reference', label: 'Référence du lot', value: form.reference, maxLength: 255, isRequired: false })}
<button type="submit">Vérifier sans verser</button>
</form>`
  visit.show({ title: 'Verser un lot', place: 'batches', body }, error === null ? 200 : 400)
}

function bodyOf({ lines, reference }: BatchForm): object {
  return filled({ items: linesOfCsv(lines), reference })
}

/** Nothing moves: the API's own dry run says what would become of each line. */
async function checkBatch(visit: Visit, form: BatchForm): Promise<void> {
  const answer = await visit.ask<BatchReport>('createBatch', { body: bodyOf(form), query: { dry_run: 'true' } })
  if (!answer.ok) return showForm(visit, form, answer.error)
  const report = answer.body
  const hidden = FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${form[name]}">`)
  const body = html`${heading('Vérifier le lot')}
${summary(report, 'À verser')}
${
  report.paid_count > 0 &&
  html`<form class="form" method="post" action="${visit.to('batches')}">${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${hidden}
<button type="submit">Verser ${report.paid_count} ${report.paid_count > 1 ? 'lignes' : 'ligne'}, ${money(report.paid_amount)}</button></form>`
}
<form class="form" method="post" action="${visit.to('batches/edit')}">${tokenField(visit)}${hidden}<button class="quiet" type="submit">Corriger les lignes</button></form>
${reportTable(visit, report)}`
  visit.show({ title: 'Vérifier le lot', place: 'batches', body })
}

async function createBatch(visit: Visit, sent: BatchForm & Sent<'key'>): Promise<void> {
  const answer = await visit.ask<BatchReport>('createBatch', { body: bodyOf(sent), idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`batches/${answer.body.id}`, 'batch_done')
  else showForm(visit, sent, answer.error)
}

async function showBatch(visit: Visit): Promise<void> {
  const answer = await visit.ask<BatchReport>('getBatch', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const report = answer.body
  const body = html`${heading('Lot de versements')}
${summary(report, 'Versé')}
${facts([
  ['Référence', theirs(report.reference)],
  ['Date', dateText(report.created_at)],
  ['Identifiant', theirs(report.id)],
])}
${reportTable(visit, report)}`
  visit.show({ title: 'Lot de versements', place: 'batches', body })
}

function summary(report: BatchReport, paid: string): Html {
  const { paid_count, failed_count, total_count, paid_amount, failed_amount } = report
  const lines = (count: number): string => `${count} ${count > 1 ? 'lignes' : 'ligne'}`
  return html`<section class="card"><p><b>${paid} : ${money(paid_amount)}</b> (${lines(paid_count)} sur ${total_count}). En échec : ${money(failed_amount)} (${lines(failed_count)}).</p>
<progress max="${total_count}" value="${paid_count}" aria-label="${paid}">${paid_count} / ${total_count}</progress></section>`
}

type Line = BatchReport['items'][number]

function reportTable(visit: Visit, report: BatchReport): Html {
  const columns: readonly Column<Line>[] = [
    { name: 'Ligne', isFigure: true, cell: ({ index }) => index + 1 },
    { name: 'Destinataire', cell: ({ recipient }) => theirs(recipient) },
    { name: 'Montant', isFigure: true, cell: ({ amount }) => (amount === null ? '—' : prettyAmount(amount)) },
    { name: 'Référence', cell: ({ reference }) => theirs(reference) },
    { name: 'Résultat', cell: (line) => result(visit, line) },
  ]
  return table('Lignes du lot', columns, report.items, '')
}

function result(visit: Visit, line: Line): Fragment {
  const { payout_id, failure_code, state } = line
  // Of a dry run nothing is paid yet.
  const mark = payout_id === null && state === 'paid' ? badge('À verser', 'wait') : payoutBadge(line)
  const shown = payout_id === null ? mark : html`<a href="${visit.to(`payouts/${payout_id}`)}">${mark}</a>`
  return html`${shown}${failure_code !== undefined && html` <span class="soft">${PAYOUT_FAILURES[failure_code]}</span>`}`
}
