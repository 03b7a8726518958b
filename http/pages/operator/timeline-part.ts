// The timeline of a merchant or of a wallet on its page of the desk: its filter by kind and period, its rows, and the form of a note.

import { type Static, Type } from '../../../engine/contract/schema.ts'
import { NOTE_TEXT_LENGTH_MAX, TIMELINE_KINDS, type TimelineKind, type TimelineRow } from '../../../engine/contract/timeline.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { timeOfId } from '../../../engine/kernel/ids.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { newFormKey } from '../shared/api-calls.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { dayOf, periodOf, periodQuery } from '../shared/day-period.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { csrfField, DESK_FORM, type Desk, type DeskCall } from './desk.ts'
import { ENVIRONMENT_NAMES, failurePart, type ListPage, moment, operatorName, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    timeline: 'Historique',
    movements: 'Mouvements',
    requests: 'Demandes',
    decisions: 'Décisions',
    sessions: 'Connexions',
    notes: 'Notes',
    movement: 'mouvement',
    request: 'demande',
    decision: 'décision',
    session: 'connexion',
    note: 'note',
    oneNote: 'Note',
    what: 'Quoi',
    nothingYet: 'Rien pour le moment.',
    nothingMatches: 'Rien ne correspond.',
    newNote: 'Écrire une note',
    otherOperatorsReadIt: 'Les autres opérateurs la lisent ici. Elle ne change plus.',
    addNote: 'Ajouter la note',
    noteAdded: 'La note est ajoutée.',
    typeNote: 'Saisissez une note, de 2 000 caractères au plus.',
  },
  en: {
    timeline: 'Timeline',
    movements: 'Movements',
    requests: 'Requests',
    decisions: 'Decisions',
    sessions: 'Sign-ins',
    notes: 'Notes',
    movement: 'movement',
    request: 'request',
    decision: 'decision',
    session: 'sign-in',
    note: 'note',
    oneNote: 'Note',
    what: 'What',
    nothingYet: 'Nothing yet.',
    nothingMatches: 'Nothing matches.',
    newNote: 'Write a note',
    otherOperatorsReadIt: 'Other operators read it here. It never changes.',
    addNote: 'Add the note',
    noteAdded: 'The note is added.',
    typeNote: 'Type a note of 2,000 characters at most.',
  },
})

/** Whose timeline: a merchant by its id, a wallet by its tag. */
export interface TimelineSubject {
  readonly noun: 'merchant' | 'wallet'
  readonly id: string
  readonly environment: Environment
  /** The page shows both environments, and the timeline one of them. */
  readonly hasTabs: boolean
}

const OPERATIONS = {
  merchant: ['getMerchantTimeline', 'addMerchantNote'],
  wallet: ['getWalletTimeline', 'addWalletNote'],
} as const

const KINDS: Readonly<Record<TimelineKind, readonly [one: Text, many: Text]>> = {
  movement: [TEXTS.movement, TEXTS.movements],
  request: [TEXTS.request, TEXTS.requests],
  decision: [TEXTS.decision, TEXTS.decisions],
  session: [TEXTS.session, TEXTS.sessions],
  note: [TEXTS.note, TEXTS.notes],
}

const PLACE = 'timeline'
/** Parameter of the address: the ledger transaction of the only movement to show. */
const MOVEMENT = 'transaction'
const FIELD = Type.Optional(Type.String())
const NoteForm = Type.Object({ csrf: FIELD, key: FIELD, environment: FIELD, text: FIELD })

export function noteRoutes(desk: Desk): readonly Route[] {
  const noteRoute = (noun: TimelineSubject['noun']): Route =>
    route({
      ...DESK_FORM,
      path: `/operator/${noun}s/{id}/notes`,
      params: { id: Type.String({ maxLength: 64 }) },
      operationId: `${OPERATIONS[noun][1]}Form`,
      summary: 'Write a note',
      body: NoteForm,
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => addNote(desk, call, noun))),
    })
  return [noteRoute('merchant'), noteRoute('wallet')]
}

async function addNote(desk: Desk, call: DeskCall<Static<typeof NoteForm>>, noun: TimelineSubject['noun']): Promise<void> {
  const [id = ''] = call.params
  const { key = '', environment = '', text = '' } = call.body
  // Browsers send two characters for the end of a line, and count one.
  const body = { environment, text: text.replaceAll('\r\n', '\n').trim() }
  const answer = await desk.ask(call, { operationId: OPERATIONS[noun][1], params: [id], body, idempotencyKey: key })
  const isMistyped = !answer.ok && answer.error.param === 'text'
  const notice = answer.ok ? TEXTS.noteAdded : isMistyped ? TEXTS.typeNote : answer.error.message
  desk.redirectWith(call, `../${encodeURIComponent(id)}?environment=${encodeURIComponent(environment)}`, notice)
}

/** Renders the timeline. The page that holds it has the address `{noun}s/{id}`. */
export async function timelinePart(desk: Desk, call: DeskCall, session: OperatorSession, subject: TimelineSubject): Promise<Html> {
  const sent = new URLSearchParams(call.queryText)
  const kept = keptQuery(sent, subject)
  const answer = await desk.ask<ListPage<TimelineRow>>(call, {
    operationId: OPERATIONS[subject.noun][0],
    params: [subject.id],
    query: apiQuery(sent, subject),
  })
  const isFiltered = ['type', 'from', 'to', MOVEMENT].some((name) => kept[name] !== undefined)
  return html`<h2 id="${PLACE}">${TEXTS.timeline}</h2>
${subject.hasTabs && environmentTabs(subject)}
${noteForm(session, subject)}
${filterForm(sent, subject, isFiltered)}
${answer.ok ? rowsPart(only(kept[MOVEMENT], answer.body), isFiltered) : failurePart(answer.error.message)}
${answer.ok && pager(subject.id, kept, answer.body.next_cursor, { place: PLACE })}`
}

/** Returns the address of one movement. `page`: of its merchant or wallet, with its environment. */
export function movementAddress(page: string, transactionId: string): string {
  return `${page}&${MOVEMENT}=${transactionId}#${PLACE}`
}

/** Other movements of the same millisecond are not it. */
function only(transactionId: string | undefined, page: ListPage<TimelineRow>): ListPage<TimelineRow> {
  return transactionId === undefined ? page : { ...page, data: page.data.filter(({ transaction_id }) => transaction_id === transactionId) }
}

function rowsPart({ data, next_cursor }: ListPage<TimelineRow>, isFiltered: boolean): Html {
  // A page may end early, and go on.
  if (data.length === 0 && next_cursor !== null) return html`<p class="hint">${OPERATOR_WORDS.goOnWithNextPage}</p>`
  if (data.length === 0) return html`<p class="hint">${isFiltered ? TEXTS.nothingMatches : TEXTS.nothingYet}</p>`
  return dataTable({ name: TEXTS.timeline, columns: COLUMNS, rows: data })
}

const COLUMNS: readonly Column<TimelineRow>[] = [
  { name: OPERATOR_WORDS.when, card: 'about', cell: ({ at }) => moment(at) },
  { name: TEXTS.what, card: 'title', isHeader: true, isProse: true, cell: ({ summary }) => html`<bdi class="written">${summary}</bdi>` },
  {
    name: WORDS.amount,
    card: 'amount',
    isFigure: true,
    cell: ({ amount, currency }) => amount !== undefined && currency !== undefined && amountText(amount, currency),
  },
  { name: WORDS.reference, cell: ({ reference }) => reference !== undefined && html`<bdi>${reference}</bdi>` },
  { name: OPERATOR_WORDS.who, cell: ({ operator }) => operator !== undefined && operatorName(operator) },
  { name: WORDS.type, card: 'state', cell: ({ kind }) => html`<span class="badge">${KINDS[kind][0]}</span>` },
]

function apiQuery(sent: URLSearchParams, { environment }: TimelineSubject): Readonly<Record<string, string>> {
  const type = TIMELINE_KINDS.find((kind) => kind === sent.get('type')) ?? ''
  const movedMs = timeOfId(sent.get(MOVEMENT) ?? '')
  const period =
    movedMs === null ? periodQuery(periodOf(sent), ['from', 'to']) : { from: rfc3339(movedMs), to: rfc3339(movedMs + 1), type: 'movement' }
  return { environment, type, cursor: sent.get('cursor') ?? '', ...period }
}

/** Returns what links to other pages of the timeline keep. */
function keptQuery(sent: URLSearchParams, { environment }: TimelineSubject): Readonly<Record<string, string>> {
  const kept: Record<string, string> = { environment }
  for (const name of ['type', 'from', 'to', MOVEMENT, 'cursor']) {
    const value = sent.get(name)?.trim() ?? ''
    if (value !== '') kept[name] = value
  }
  return kept
}

function filterForm(sent: URLSearchParams, { id, environment }: TimelineSubject, isFiltered: boolean): Html {
  const { from, to } = periodOf(sent)
  const option = (value: string, words: Fragment): Html =>
    html`<option value="${value}"${value === (sent.get('type') ?? '') && html` selected`}>${words}</option>`
  return html`<details class="filters"${isFiltered && html` open`}><summary>${WORDS.filter}</summary>
<form class="card filter-row" method="get" action="${id}#${PLACE}"><input type="hidden" name="environment" value="${environment}">
<div class="field"><label for="type">${WORDS.type}</label><select id="type" name="type">${option('', WORDS.all)}${TIMELINE_KINDS.map((kind) => option(kind, KINDS[kind][1]))}</select></div>
<div class="field"><label for="from">${WORDS.from}</label><input id="from" name="from" type="date" value="${from !== null && dayOf(from)}"></div>
<div class="field"><label for="to">${OPERATOR_WORDS.dayIncluded}</label><input id="to" name="to" type="date" value="${to !== null && dayOf(to)}"></div>
<div><button type="submit">${WORDS.filter}</button></div><a class="alone" href="${id}?environment=${environment}#${PLACE}">${WORDS.clearFilters}</a>
</form></details>`
}

function environmentTabs({ id, environment }: TimelineSubject): Html {
  return html`<nav class="tabs" aria-label="${WORDS.environment}">${ENVIRONMENTS.map((one) => html`<a href="${id}?environment=${one}#${PLACE}"${one === environment && html` aria-current="page"`}>${ENVIRONMENT_NAMES[one]}</a>`)}</nav>`
}

function noteForm(session: OperatorSession, { id, environment }: TimelineSubject): Html {
  return html`<details class="filters"><summary>${TEXTS.newNote}</summary><form class="form card narrow" method="post" action="${id}/notes">${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}"><input type="hidden" name="environment" value="${environment}">
<div class="field"><label for="note">${TEXTS.oneNote}</label><p class="hint" id="note-hint">${TEXTS.otherOperatorsReadIt}</p>
<textarea id="note" name="text" rows="2" maxlength="${NOTE_TEXT_LENGTH_MAX}" required aria-describedby="note-hint"></textarea></div>
<button type="submit" class="quiet">${TEXTS.addNote}</button></form></details>`
}
