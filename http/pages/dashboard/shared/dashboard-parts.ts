// Shared parts of dashboard pages: amounts, dates, tables, filters, forms. They must not know any noun.

import type { Text } from '../../../text/text.ts'
import { amountText } from '../../shared/amount-text.ts'
import { newFormKey } from '../../shared/api-calls.ts'
import { type Column, dataTable } from '../../shared/data-table.ts'
import { dayAndTime, shortDayAndTime } from '../../shared/date-text.ts'
import { besideField, describedBy } from '../../shared/form-field.ts'
import { type Fragment, type Html, html, type Title } from '../../shared/html.ts'
import type { Visit } from './dashboard-visit.ts'
import { tokenField } from './shell.ts'

export type { Column } from '../../shared/data-table.ts'

/** Below 640 px a cell with nothing in it is not shown. */
const NOTHING = html`<span class="soft none">—</span>`

export function dateText(time: string | null): Fragment {
  return time === null ? NOTHING : html`<time datetime="${time}">${dayAndTime(Date.parse(time))}</time>`
}

/** Renders a date within a sentence: `jusqu’au 22 nov. à 06:17`. */
export function untilText(time: string): Html {
  return html`<time datetime="${time}">${shortDayAndTime(Date.parse(time))}</time>`
}

export function money(amount: number, currency: string): Html {
  return html`<span class="money">${amountText(amount, currency)}</span>`
}

/** Isolates untrusted text, so that its direction cannot reorder the page's own text. */
export function theirs(text: string | null): Html {
  return text === null || text === '' ? NOTHING : html`<bdi>${text}</bdi>`
}

export type Tone = 'good' | 'bad' | 'wait' | 'calm'

export function badge(words: Text | string, tone: Tone): Html {
  return html`<span class="badge is-${tone}">${words}</span>`
}

/** Renders a table, or `empty` without rows. */
export function table<Row>(name: Title | string, columns: readonly Column<Row>[], rows: readonly Row[], empty: Text | string): Html {
  return rows.length === 0 ? html`<p class="empty">${empty}</p>` : dataTable({ name, columns, rows })
}

/** Renders a definition list. A fact without a value (false, or an empty text) is omitted. */
export function facts(rows: readonly (readonly [name: Text | string, value: Fragment])[]): Html {
  const shown = rows.filter(([, value]) => value !== false && value !== NOTHING)
  if (shown.length === 0) return html``
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Renders a logo with its words; nothing for null. The path is that of this server: the Content Security Policy allows no other origin. */
export function logoPicture({ root }: Pick<Visit, 'root'>, address: string | null, words: Text | string): Fragment {
  if (address === null) return null
  const path = root + new URL(address).pathname.slice(1)
  return html`<figure><img class="logo" src="${path}" width="96" height="96" alt="${words}"><figcaption class="hint">${words}</figcaption></figure>`
}

/** The logo, the name and the address of the merchant at the head of a sheet to print. */
export function sheetHead({ principal: { merchant }, root }: Pick<Visit, 'principal' | 'root'>): Html {
  const address = merchant.profile?.address ?? null
  const { logo } = merchant
  return html`${logo !== undefined && html`<img src="${root}logos/${logo.file}" width="64" height="64" alt="">`}
<p><b><bdi>${merchant.name}</bdi></b>${address !== null && html`<br><bdi>${address}</bdi>`}</p>`
}

/** Renders the title and the actions of a page. Text of others is `theirs`. */
export function heading(title: Title, actions: Fragment = null): Html {
  return html`<div class="heading"><h1>${title}</h1>${actions !== null && html`<div class="actions">${actions}</div>`}</div>`
}

/** Renders a region that the page's script reads again when an event arrives. Its name is unique in the page. */
export function live(name: string, content: Fragment): Html {
  return html`<div class="live" data-live="${name}">${content}</div>`
}

export function failure(error: { readonly message: Text | string; readonly param?: string | undefined } | null): Fragment {
  if (error === null) return null
  const { message, param } = error
  // Of a field it says `this field`, with a link to it: its name in the API is nothing that a reader knows.
  const words = besideField(message)
  return html`<p class="error" role="alert">${words === message || param === undefined ? message : html`<a href="#${param}">${words}</a>`}</p>`
}

/** Renders the hidden fields of a form: the CSRF token, and an idempotency key, so that a form sent twice acts once. */
export function formStart(visit: Visit, hidden: Readonly<Record<string, string>> = {}): Html {
  return html`${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
}

/** Renders a form that is one button; nothing for a member whose role may not send it. */
export function actionButton(
  visit: Visit,
  action: string,
  words: Text | string,
  look: 'strong' | 'quiet' | 'danger' = 'quiet',
  hidden: Readonly<Record<string, string>> = {},
): Html {
  if (!visit.maySend(action)) return html``
  return html`<form class="inline" method="post" action="${action}">${formStart(visit, hidden)}<button class="${look}" type="submit">${words}</button></form>`
}

/** Renders a button that asks for confirmation first; nothing for a member whose role may not send it. It works without a script. */
export function confirmedAction(
  visit: Visit,
  action: string,
  words: { readonly ask: Text | string; readonly warn: Fragment; readonly go: Text | string },
): Html {
  if (!visit.maySend(action)) return html``
  return html`<details class="confirm"><summary class="button quiet">${words.ask}</summary>
<div class="card"><p>${words.warn}</p>${actionButton(visit, action, words.go, 'danger')}</div></details>`
}

export interface Choice {
  readonly value: string
  readonly words: Text | string
}

/** A choice whose words are a text of others. */
export interface OwnChoice extends Omit<Choice, 'words'> {
  readonly words: string
}

export function selectField(
  name: string,
  label: Text | string,
  choices: readonly (Choice | OwnChoice)[],
  value: string,
  { isRequired = false } = {},
): Html {
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"${isRequired && html` required`}>${choices.map(
    (choice) => html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.words}</option>`,
  )}</select></div>`
}

export interface AreaField {
  readonly name: string
  readonly label: Text | string
  readonly hint?: Fragment
  readonly value: Text | string
  readonly rows: number
  readonly isCode?: boolean
  readonly error?: Text | string | null
}

export function areaField({ name, label, hint = null, value, rows, isCode = false, error = null }: AreaField): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
${hint !== null && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<textarea id="${name}" name="${name}" rows="${rows}" spellcheck="false"${isCode && html` class="source"`}${describedBy(name, hint !== null, error !== null)}>
${value}</textarea>
${error !== null && html`<p class="error" id="${name}-error">${besideField(error)}</p>`}</div>`
}

export function checkField(name: string, label: Fragment, isOn: boolean): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="yes"${isOn && html` checked`}> <span>${label}</span></label>`
}
