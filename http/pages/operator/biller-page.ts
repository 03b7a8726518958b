// Billers on the operator's desk: the review queue, and one biller with its changes, its products and the decisions that
// its state allows.

import type { DirectoryState, WaitingLogo } from '../../../engine/api.ts'
import type { OperatorBiller } from '../../../engine/contract/biller.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { composed, type Text } from '../../text/text.ts'
import { categoryName } from '../shared/category-words.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { describedBy } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import type { ComparedRow } from './biller-comparison.ts'
import { TEXTS } from './biller-page-messages.ts'
import { csrfField } from './desk.ts'
import { type ListPage, moment, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

export const STATE_NAMES: Readonly<Record<DirectoryState, Text | string>> = {
  in_review: TEXTS.review,
  published: TEXTS.published,
  rejected: TEXTS.refused,
  suspended: OPERATOR_WORDS.suspended,
  draft: TEXTS.draft,
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
  return html`<h1>${OPERATOR_WORDS.billers}</h1>
<nav class="tabs" aria-label="${WORDS.state}">${(Object.keys(STATE_NAMES) as DirectoryState[]).map(tab)}</nav>
${page.data.length === 0 ? html`<p class="hint">${isQueue ? TEXTS.noRequestWaiting : TEXTS.noBillerInState}</p>` : billerTable(page.data)}
${pager('billers', { ...query, state: directoryState }, page.next_cursor)}
${
  isQueue &&
  waitingLogos.length > 0 &&
  html`<h2>${TEXTS.logosWaiting}</h2>
<ul class="plain">${waitingLogos.map(({ slug, display_name }) => html`<li><a href="billers/${slug}"><bdi>${display_name}</bdi></a></li>`)}</ul>`
}`
}

function billerTable(billers: readonly OperatorBiller[]): Html {
  return dataTable({ name: OPERATOR_WORDS.billers, columns: COLUMNS, rows: billers })
}

const COLUMNS: readonly Column<OperatorBiller>[] = [
  {
    name: WORDS.name,
    isHeader: true,
    cell: ({ slug, display_name }) => html`<a href="billers/${slug}"><bdi>${display_name}</bdi></a>`,
  },
  { name: WORDS.category, card: 'about', cell: ({ category }) => categoryName(category) },
  {
    name: WORDS.merchant,
    cell: ({ merchant_id, merchant_name }) => html`<a href="merchants/${merchant_id}"><bdi>${merchant_name}</bdi></a>`,
  },
  { name: TEXTS.submitted, cell: ({ submitted_at }) => submitted_at !== null && moment(submitted_at) },
]

export interface ComparedProduct {
  readonly slug: string
  readonly title: string
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
  return html`<p class="crumb"><a href="../billers">${OPERATOR_WORDS.billers}</a></p>
<h1><bdi>${display_name}</bdi> <span class="badge is-${STATE_TONES[directory_state]}">${STATE_NAMES[directory_state]}</span></h1>
<dl class="facts card">
<div><dt>${WORDS.address}</dt><dd><code>${slug}</code></dd></div>
<div><dt>${WORDS.merchant}</dt><dd><a href="../merchants/${merchant_id}"><bdi>${merchant_name}</bdi></a></dd></div>
${submitted_at !== null && html`<div><dt>${TEXTS.submitted}</dt><dd>${moment(submitted_at)}</dd></div>`}
${published_at !== null && html`<div><dt>${WORDS.published}</dt><dd>${moment(published_at)}</dd></div>`}
${reasons(biller)}
</dl>
<h2>${decidedAt === null ? TEXTS.firstRequest : html`${TEXTS.changesSinceDecision(moment(decidedAt))}`}</h2>
${comparison(WORDS.profile, [...rows], decidedAt !== null, logoRows(view))}
<h2>${WORDS.products}</h2>
${products.length === 0 && html`<p class="hint">${TEXTS.noProducts}</p>`}
${products.map((product) => productPart(product, decidedAt !== null))}
${decisions(view)}`
}

function reasons({ reject_reason, suspend_reason }: OperatorBiller): Fragment {
  const row = (name: Text | string, reason: string | null): Fragment =>
    reason !== null && html`<div><dt>${name}</dt><dd class="written"><bdi>${reason}</bdi></dd></div>`
  return [row(WORDS.reasonRefusal, reject_reason), row(WORDS.reasonSuspension, suspend_reason)]
}

/** One row of a comparison: text, or the pictures of a logo. */
interface ShownRow {
  readonly name: Text
  readonly mark: Text | string
  readonly before: Fragment
  readonly now: Fragment
}

/** Renders a comparison, with two columns when an earlier state exists. Text marks a change, not its colour alone. */
function comparison(name: Text | string, compared: readonly ComparedRow[], hasBefore: boolean, more: readonly ShownRow[]): Html {
  const said = (text: Text | string | null, isCode: boolean): Html =>
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
      name: WORDS.line,
      isHeader: true,
      cell: (row) => html`${row.name}${row.mark !== '' && html` <span class="badge is-test">${row.mark}</span>`}`,
    },
    ...(hasBefore ? [{ name: TEXTS.before, isProse: true, cell: (row: ShownRow) => row.before }] : []),
    { name: TEXTS.now, isProse: true, cell: (row) => row.now },
  ]
  return dataTable({ name, columns, rows, look: ({ mark }) => (mark === '' ? '' : 'is-changed') })
}

const CHANGED = TEXTS.changed

function logoRows({ logos, decidedAt }: BillerView): ShownRow[] {
  const { before, now, pending } = logos
  const mark = decidedAt !== null && before !== now ? CHANGED : ''
  const shown = logoPicture(now, WORDS.logoShown)
  const rows = [{ name: WORDS.logo, mark, before: logoPicture(before, TEXTS.logoBefore), now: shown }]
  if (pending !== null) rows.push({ name: TEXTS.newLogo, mark: TEXTS.waiting, before: shown, now: logoPicture(pending, WORDS.logoWaiting) })
  return rows
}

function logoPicture(file: string | null, text: Text | string): Html {
  return file === null
    ? html`<span class="hint">${OPERATOR_WORDS.none}</span>`
    : html`<img class="logo" src="../../logos/${file}" width="96" height="96" alt="${text}">`
}

function productPart({ slug, title, isActive, rows, isNew }: ComparedProduct, hasBefore: boolean): Html {
  const changed = rows.filter((row) => row.isChanged).length
  const said = isNew
    ? TEXTS.newProduct
    : changed === 0
      ? TEXTS.unchanged
      : composed`${changed} ${changed === 1 ? TEXTS.changedLine : TEXTS.changedLines}`
  return html`<details class="card product"${(isNew || changed > 0 || !hasBefore) && html` open`}>
<summary><bdi>${title}</bdi> <code>${slug}</code> <span class="badge is-${isActive ? 'good' : 'neutral'}">${isActive ? TEXTS.activeProduct : TEXTS.inactiveProduct}</span>${hasBefore && html` <span class="hint">${said}</span>`}</summary>
${comparison(TEXTS.product(title), rows, hasBefore && !isNew, [])}
</details>`
}

function decisions(view: BillerView): Fragment {
  const { biller, logos, missingReason } = view
  const { slug, directory_state, submitted_at, live } = biller
  const form = (action: string, inner: Fragment): Html =>
    html`<form class="form card" method="post" action="${slug}/${action}" novalidate>${csrfField(view.session)}<input type="hidden" name="key" value="${view.formKey}-${action.replace('/', '-')}">${inner}</form>`
  const reasonForm = (action: ReasonedAction, button: Text | string): Html =>
    form(action, html`${reasonField(action, missingReason === action)}<button type="submit" class="quiet">${button}</button>`)
  const parts: Fragment[] = []
  if (directory_state === 'in_review') {
    parts.push(
      form(
        'approve',
        html`<input type="hidden" name="submitted_at" value="${submitted_at ?? ''}"><p>${TEXTS.directoryWillShowProfileAll}</p><button type="submit">${WORDS.approve}</button>`,
      ),
    )
    parts.push(reasonForm('reject', WORDS.refuse))
  }
  if (logos.pending !== null) {
    parts.push(
      form(
        'logo-approve',
        html`<input type="hidden" name="file" value="${logos.pending}"><p>${TEXTS.newLogoWillReplaceOld}</p><button type="submit">${TEXTS.approveLogo}</button>`,
      ),
    )
    parts.push(
      form(
        'logo-reject',
        html`<input type="hidden" name="file" value="${logos.pending}"><p>${TEXTS.logoShownWillStay}</p><button type="submit" class="quiet">${TEXTS.refuseLogo}</button>`,
      ),
    )
  }
  if (directory_state === 'published' && live) parts.push(reasonForm('suspend', OPERATOR_WORDS.suspend))
  if (directory_state === 'suspended')
    parts.push(
      form('reinstate', html`<p>${TEXTS.directoryWillShowBillerAgain}</p><button type="submit">${OPERATOR_WORDS.restore}</button>`),
    )
  return parts.length > 0 && html`<h2>${TEXTS.decide}</h2><div class="pair">${parts}</div>`
}

const REASON_LENGTH_MAX = 500

function reasonField(action: ReasonedAction, isMissing: boolean): Html {
  const id = `reason-${action}`
  return html`<div class="field">
<label for="${id}">${action === 'reject' ? WORDS.reasonRefusal : WORDS.reasonSuspension}</label>
<p class="hint" id="${id}-hint">${TEXTS.merchantWillReadIt}</p>
<textarea id="${id}" name="reason" rows="3" maxlength="${REASON_LENGTH_MAX}" required${describedBy(id, true, isMissing)}></textarea>
${isMissing && html`<p class="error" id="${id}-error">${OPERATOR_WORDS.typeReason}</p>`}
</div>`
}
