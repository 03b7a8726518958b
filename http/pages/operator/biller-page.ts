// Billers on the operator's desk: the review queue, and one biller with its changes, its products and the decisions that
// its state allows.
import type { DirectoryState, WaitingLogo } from '../../../engine/api.ts'
import type { OperatorBiller } from '../../../engine/contract/biller.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { type Column, dataTable } from '../data-table.ts'
import { describedBy } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { type ComparedRow, categoryName } from './biller-comparison.ts'
import { csrfField } from './desk.ts'
import { type ListPage, moment, pager } from './operator-parts.ts'

export const STATE_NAMES: Readonly<Record<DirectoryState, string>> = {
  in_review: 'à examiner',
  published: 'publié',
  rejected: 'refusé',
  suspended: 'suspendu',
  draft: 'brouillon',
}

const STATE_TONES: Readonly<Record<DirectoryState, string>> = {
  in_review: 'test',
  published: 'good',
  rejected: 'bad',
  suspended: 'bad',
  draft: 'neutral',
}

export interface QueueView {
  readonly directoryState: DirectoryState
  readonly page: ListPage<OperatorBiller>
  /** Published billers whose new logo waits for review. */
  readonly waitingLogos: readonly WaitingLogo[]
  readonly query: Readonly<Record<string, string>>
}

export function queueBody({ directoryState, page, waitingLogos, query }: QueueView): Html {
  const tab = (state: DirectoryState): Html =>
    html`<a href="billers?state=${state}"${state === directoryState && html` aria-current="page"`}>${STATE_NAMES[state]}</a>`
  const isQueue = directoryState === 'in_review'
  return html`<h1>Facturiers</h1>
<nav class="tabs" aria-label="État">${(Object.keys(STATE_NAMES) as DirectoryState[]).map(tab)}</nav>
${page.data.length === 0 ? html`<p class="hint">${isQueue ? 'Aucune demande n’attend.' : 'Aucun facturier dans cet état.'}</p>` : billerTable(page.data)}
${pager('billers', { ...query, state: directoryState }, page.next_cursor)}
${
  isQueue &&
  waitingLogos.length > 0 &&
  html`<h2>Logos en attente</h2>
<ul class="plain">${waitingLogos.map(({ slug, display_name }) => html`<li><a href="billers/${slug}"><bdi>${display_name}</bdi></a></li>`)}</ul>`
}`
}

function billerTable(billers: readonly OperatorBiller[]): Html {
  return dataTable({ name: 'Facturiers', columns: COLUMNS, rows: billers })
}

const COLUMNS: readonly Column<OperatorBiller>[] = [
  {
    name: 'Nom',
    isHeader: true,
    cell: ({ slug, display_name }) => html`<a href="billers/${slug}"><bdi>${display_name}</bdi></a>`,
  },
  { name: 'Catégorie', card: 'about', cell: ({ category }) => categoryName(category) },
  {
    name: 'Marchand',
    cell: ({ merchant_id, merchant_name }) => html`<a href="merchants/${merchant_id}"><bdi>${merchant_name}</bdi></a>`,
  },
  { name: 'Soumis', cell: ({ submitted_at }) => submitted_at !== null && moment(submitted_at) },
]

export interface ComparedProduct {
  readonly slug: string
  readonly isActive: boolean
  readonly rows: readonly ComparedRow[]
  readonly isNew: boolean
}

export interface BillerView {
  readonly session: OperatorSession
  readonly biller: OperatorBiller
  /** Time of the last decision, null for a first request. */
  readonly decidedAt: string | null
  readonly rows: readonly ComparedRow[]
  /** Logo files: at the last decision, at present, and waiting for review. */
  readonly logos: { readonly before: string | null; readonly now: string | null; readonly pending: string | null }
  readonly products: readonly ComparedProduct[]
  /** Idempotency key: a form sent twice decides once. */
  readonly formKey: string
  /** The decision that was sent without its reason. */
  readonly missingReason: ReasonedAction | null
}

/** Decisions that need a reason. */
export type ReasonedAction = 'reject' | 'suspend'

export function billerBody(view: BillerView): Html {
  const { biller, decidedAt, rows, products } = view
  const { slug, display_name, directory_state, merchant_id, merchant_name, submitted_at, published_at } = biller
  return html`<p class="crumb"><a href="../billers">Facturiers</a></p>
<h1><bdi>${display_name}</bdi> <span class="badge is-${STATE_TONES[directory_state]}">${STATE_NAMES[directory_state]}</span></h1>
<dl class="facts card">
<div><dt>Adresse</dt><dd><code>${slug}</code></dd></div>
<div><dt>Marchand</dt><dd><a href="../merchants/${merchant_id}"><bdi>${merchant_name}</bdi></a></dd></div>
${submitted_at !== null && html`<div><dt>Soumis</dt><dd>${moment(submitted_at)}</dd></div>`}
${published_at !== null && html`<div><dt>Publié</dt><dd>${moment(published_at)}</dd></div>`}
${reasons(biller)}
</dl>
<h2>${decidedAt === null ? 'Première demande' : html`Changements depuis la décision du ${moment(decidedAt)}`}</h2>
${comparison('Profil', [...rows], decidedAt !== null, logoRows(view))}
<h2>Produits</h2>
${products.length === 0 && html`<p class="hint">Aucun produit.</p>`}
${products.map((product) => productPart(product, decidedAt !== null))}
${decisions(view)}`
}

function reasons({ reject_reason, suspend_reason }: OperatorBiller): Fragment {
  const row = (name: string, reason: string | null): Fragment =>
    reason !== null && html`<div><dt>${name}</dt><dd class="written"><bdi>${reason}</bdi></dd></div>`
  return [row('Motif du refus', reject_reason), row('Motif de la suspension', suspend_reason)]
}

/** One row of a comparison: text, or the pictures of a logo. */
interface ShownRow {
  readonly name: string
  readonly mark: string
  readonly before: Fragment
  readonly now: Fragment
}

/** Renders a comparison, with two columns when an earlier state exists. Text marks a change, not its colour alone. */
function comparison(name: string, compared: readonly ComparedRow[], hasBefore: boolean, more: readonly ShownRow[]): Html {
  const said = (text: string | null, isCode: boolean): Html =>
    html`<bdi class="${isCode ? 'written is-code' : 'written'}">${text ?? ''}</bdi>`
  const rows = [
    ...compared.map((row) => ({
      name: row.name,
      mark: row.isChanged ? CHANGED : '',
      before: said(row.before, row.isCode),
      now: said(row.now, row.isCode),
    })),
    ...more,
  ]
  const columns: readonly Column<ShownRow>[] = [
    {
      name: 'Ligne',
      isHeader: true,
      cell: (row) => html`${row.name}${row.mark !== '' && html` <span class="badge is-test">${row.mark}</span>`}`,
    },
    ...(hasBefore ? [{ name: 'Avant', isProse: true, cell: (row: ShownRow) => row.before }] : []),
    { name: 'Maintenant', isProse: true, cell: (row) => row.now },
  ]
  return dataTable({ name, columns, rows, look: ({ mark }) => (mark === '' ? '' : 'is-changed') })
}

const CHANGED = 'modifié'

function logoRows({ logos, decidedAt }: BillerView): ShownRow[] {
  const { before, now, pending } = logos
  const mark = decidedAt !== null && before !== now ? CHANGED : ''
  const shown = logoPicture(now, 'Logo affiché')
  const rows = [{ name: 'Logo', mark, before: logoPicture(before, 'Logo d’avant'), now: shown }]
  if (pending !== null) rows.push({ name: 'Nouveau logo', mark: 'en attente', before: shown, now: logoPicture(pending, 'Logo en attente') })
  return rows
}

function logoPicture(file: string | null, text: string): Html {
  return file === null
    ? html`<span class="hint">aucun</span>`
    : html`<img class="logo" src="../../logos/${file}" width="96" height="96" alt="${text}">`
}

function productPart({ slug, isActive, rows, isNew }: ComparedProduct, hasBefore: boolean): Html {
  const changed = rows.filter((row) => row.isChanged).length
  const said = isNew ? 'nouveau' : changed === 0 ? 'inchangé' : `${changed} ${changed === 1 ? 'ligne modifiée' : 'lignes modifiées'}`
  return html`<details class="card product"${(isNew || changed > 0 || !hasBefore) && html` open`}>
<summary><code>${slug}</code> <span class="badge is-${isActive ? 'good' : 'neutral'}">${isActive ? 'actif' : 'inactif'}</span>${hasBefore && html` <span class="hint">${said}</span>`}</summary>
${comparison(`Produit ${slug}`, rows, hasBefore && !isNew, [])}
</details>`
}

function decisions(view: BillerView): Fragment {
  const { biller, logos, missingReason } = view
  const { slug, directory_state, submitted_at, live } = biller
  const form = (action: string, inner: Fragment): Html =>
    html`<form class="form card" method="post" action="${slug}/${action}" novalidate>${csrfField(view.session)}<input type="hidden" name="key" value="${view.formKey}-${action.replace('/', '-')}">${inner}</form>`
  const reasonForm = (action: ReasonedAction, button: string): Html =>
    form(action, html`${reasonField(action, missingReason === action)}<button type="submit" class="quiet">${button}</button>`)
  const parts: Fragment[] = []
  if (directory_state === 'in_review') {
    parts.push(
      form(
        'approve',
        html`<input type="hidden" name="submitted_at" value="${submitted_at ?? ''}"><p>L’annuaire montrera ce profil à tous les portefeuilles.</p><button type="submit">Approuver</button>`,
      ),
    )
    parts.push(reasonForm('reject', 'Refuser'))
  }
  if (logos.pending !== null) {
    parts.push(
      form(
        'logo-approve',
        html`<input type="hidden" name="file" value="${logos.pending}"><p>Le nouveau logo remplacera l’ancien.</p><button type="submit">Approuver le logo</button>`,
      ),
    )
    parts.push(
      form(
        'logo-reject',
        html`<input type="hidden" name="file" value="${logos.pending}"><p>Le logo affiché restera.</p><button type="submit" class="quiet">Refuser le logo</button>`,
      ),
    )
  }
  if (directory_state === 'published' && live) parts.push(reasonForm('suspend', 'Suspendre'))
  if (directory_state === 'suspended')
    parts.push(form('reinstate', html`<p>L’annuaire montrera à nouveau ce facturier.</p><button type="submit">Rétablir</button>`))
  return parts.length > 0 && html`<h2>Décider</h2><div class="pair">${parts}</div>`
}

const REASON_LENGTH_MAX = 500

function reasonField(action: ReasonedAction, isMissing: boolean): Html {
  const id = `reason-${action}`
  return html`<div class="field">
<label for="${id}">${action === 'reject' ? 'Motif du refus' : 'Motif de la suspension'}</label>
<p class="hint" id="${id}-hint">Le marchand le lira.</p>
<textarea id="${id}" name="reason" rows="3" maxlength="${REASON_LENGTH_MAX}" required${describedBy(id, true, isMissing)}></textarea>
${isMissing && html`<p class="error" id="${id}-error">Saisissez un motif.</p>`}
</div>`
}
