// Contacts on the dashboard: the list with its groups, the form of one, import and export as a file of payments.

import type { Contact } from '../../../../engine/contract/contact.ts'
import { cleanRecipient } from '../../../client/src/payment-file/file-recipient.ts'
import { paymentFileText, type WrittenLine } from '../../../client/src/payment-file/payment-file-text.ts'
import type { Route } from '../../../server/route.ts'
import { errorText } from '../../../text/error-text.ts'
import { amountInput, amountKeyboard, currencySymbol } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import { CONTACT_FILE_BYTES_MAX } from '../shared/dashboard-limits.ts'
import { confirmedAction, failure, formStart, heading, money, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, fileRow, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { amountOf, recipientText } from '../shared/typed-text.ts'
import { groupsOf, importContacts, showImportForm } from './contact-import.ts'
import { TEXTS } from './contact-pages-messages.ts'
import { amountCell } from './payment-lines.ts'

export const CONTACTS: ListNoun<Contact> = {
  place: 'contacts',
  title: DASHBOARD_WORDS.contacts,
  path: 'contacts',
  operationId: 'listContacts',
  filters: [SEARCH, { name: 'group', label: TEXTS.group }],
  columns: (visit) => [
    {
      name: DASHBOARD_WORDS.recipient,
      cell: ({ id, recipient }) => html`<a href="${visit.to(`contacts/${id}`)}">${theirs(recipientText(recipient))}</a>`,
    },
    { name: TEXTS.name, card: 'about', cell: ({ name }) => theirs(name) },
    { name: DASHBOARD_WORDS.groups, card: 'about', cell: ({ groups }) => theirs(groups.join(', ')) },
    {
      name: WORDS.amount,
      card: 'amount',
      isFigure: true,
      cell: ({ amount, currency }) => (amount === null ? theirs(null) : money(amount, currency)),
    },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: {
    id: true,
    recipient: true,
    name: true,
    groups: true,
    amount: true,
    currency: true,
    reference: true,
    created_at: true,
    environment: false,
    updated_at: false,
  },
  csvTexts: () => ({ recipient: ({ recipient }) => recipientText(recipient), groups: ({ groups }) => groups.join(', ') }),
  counted: [TEXTS.contact, TEXTS.contacts],
  empty: TEXTS.noContacts,
  actions: (visit) => html`${visit.button('createContact', 'contacts/new', TEXTS.newContact)}
${visit.button('createContact', 'contacts/import', TEXTS.importContacts, 'quiet')}
<a class="button quiet" href="${visit.to('contacts/payments.csv')}" download>${TEXTS.fileOfPayments}</a>`,
  intro: groupLinks,
}

/** The groups, each with the address of its payment. */
function groupLinks(visit: Visit): Fragment {
  const groups = visit.app.engine.query('contacts.groups', { account: visit.principal.account })
  if (groups.length === 0) return null
  const link = ({ name, count }: (typeof groups)[number], at: number): Html => {
    const query = new URLSearchParams({ group: name })
    return html`${at > 0 && ', '}<a href="${visit.to(`contacts?${query}`)}">${theirs(name)}</a> (${count}, <a href="${visit.to(`disbursements/new?${query}`)}">${DASHBOARD_WORDS.pay}</a>)`
  }
  return TEXTS.groupsOf(html`${groups.map(link)}`)
}

const FIELDS = ['recipient', 'name', 'groups', 'amount', 'reference'] as const

type ContactForm = Sent<(typeof FIELDS)[number]>

const EMPTY: ContactForm = { recipient: '', name: '', groups: '', amount: '', reference: '' }

export function contactRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, CONTACTS),
    pageRow(parts, {
      path: '/contacts/new',
      operationId: 'showContactForm',
      needs: 'createContact',
      summary: 'Save a contact',
      show: (visit) => showForm(visit, null, EMPTY, null),
    }),
    formRow(parts, {
      path: '/contacts/new',
      operationId: 'sendContact',
      needs: 'createContact',
      summary: 'Save a contact',
      fields: FIELDS,
      act: (visit, sent) => save(visit, null, sent),
    }),
    pageRow(parts, {
      path: '/contacts/import',
      operationId: 'showContactImport',
      needs: 'createContact',
      summary: 'Import contacts',
      show: (visit) => showImportForm(visit, { lines: '', groups: '' }, null),
    }),
    fileRow(parts, {
      path: '/contacts/import',
      operationId: 'sendContactImport',
      needs: 'createContact',
      summary: 'Import contacts',
      fields: ['lines', 'groups'],
      bytesMax: CONTACT_FILE_BYTES_MAX,
      act: importContacts,
    }),
    pageRow(parts, {
      path: '/contacts/payments.csv',
      operationId: 'showContactPayments',
      needs: 'listContacts',
      summary: 'contacts as a file of payments',
      show: paymentsFile,
    }),
    pageRow(parts, { path: '/contacts/{id}', operationId: 'showContact', needs: 'listContacts', summary: 'A contact', show: showContact }),
    formRow(parts, {
      path: '/contacts/{id}',
      operationId: 'sendContactChange',
      needs: 'replaceContact',
      summary: 'Replace a contact',
      fields: FIELDS,
      act: (visit, sent) => save(visit, visit.params[0] ?? '', sent),
    }),
    moveRow(parts, {
      path: '/contacts/{id}/delete',
      operationId: 'deleteContact',
      note: 'contact_deleted',
      done: () => 'contacts',
      again: showContact,
    }),
  ]
}

async function showContact(visit: Visit, error: ApiError | null = null): Promise<void> {
  const answer = await visit.ask<Contact>('getContact', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const { id, recipient, name, groups, amount, currency, reference } = answer.body
  const typed = amount === null ? '' : amountInput(amount, currency)
  const form = { name, reference, recipient: recipientText(recipient), groups: groups.join(', '), amount: typed }
  showForm(visit, id, form, error)
}

/** `id` null: a new one. */
function showForm(visit: Visit, id: string | null, form: ContactForm, error: Pick<ApiError, 'message' | 'param'> | null): void {
  const about = (field: string): ApiError['message'] | null => (error?.param?.split('.')[0] === field ? error.message : null)
  const isElsewhere = error !== null && !(FIELDS as readonly string[]).includes(error.param?.split('.')[0] ?? '')
  const title = id === null ? TEXTS.newContact : TEXTS.oneContact
  const here = visit.to(id === null ? 'contacts/new' : `contacts/${id}`)
  const body = html`${heading(title)}
<form class="form card" method="post" action="${here}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'recipient', label: TEXTS.tagOrPhone, hint: TEXTS.phoneBegins, value: form.recipient, maxLength: 40, error: about('recipient') })}
${formField({ name: 'name', label: TEXTS.name, value: form.name, maxLength: 140, isRequired: false, error: about('name') })}
${formField({ name: 'groups', label: DASHBOARD_WORDS.groups, hint: TEXTS.groupsHint, value: form.groups, maxLength: 2100, isRequired: false, error: about('groups') })}
${formField({ name: 'amount', label: TEXTS.amountEach(currencySymbol(visit.currency)), hint: TEXTS.amountHint, value: form.amount, maxLength: 20, inputMode: amountKeyboard(visit.currency), isRequired: false, error: about('amount') })}
${formField({ name: 'reference', label: TEXTS.referenceOfLine, value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
<button type="submit">${DASHBOARD_WORDS.save}</button>
</form>
${id !== null && html`<div class="actions">${confirmedAction(visit, `${here}/delete`, { ask: DASHBOARD_WORDS.delete, warn: TEXTS.deleteWarning, go: TEXTS.deleteContact })}</div>`}`
  visit.show({ title, place: 'contacts', body }, error === null ? 200 : 400)
}

async function save(visit: Visit, id: string | null, sent: ContactForm & Sent<'key'>): Promise<void> {
  const { recipient, name, groups, amount, reference, key } = sent
  const typed = { recipient, name, groups, amount, reference }
  const paid = amount.trim() === '' ? null : amountOf(amount, visit.currency)
  if (typeof paid === 'string') return showForm(visit, id, typed, { message: errorText({ code: 'invalid_request' }), param: 'amount' })
  const body = { recipient: cleanRecipient(recipient), name: name.trim(), groups: groupsOf(groups), amount: paid, reference }
  const answer =
    id === null
      ? await visit.ask('createContact', { body, idempotencyKey: key })
      : await visit.ask('replaceContact', { params: [id], body, idempotencyKey: key })
  if (answer.ok) visit.goTo('contacts', 'contact_saved')
  else if (answer.status === 404) visit.missing()
  else showForm(visit, id, typed, answer.error)
}

const PAGE_ROWS = '100'

/** Lines that the forms of disbursements and of the import take: the name is the note. */
async function paymentsFile(visit: Visit): Promise<void> {
  const lines: WrittenLine[] = []
  const group = visit.query.get('group') ?? ''
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, string> = { limit: PAGE_ROWS, group, cursor }
    const answer: Awaited<ReturnType<typeof visit.ask<Page>>> = await visit.ask<Page>('listContacts', { query })
    if (!answer.ok) return visit.missing()
    for (const { recipient, amount, currency, reference, name } of answer.body.data)
      lines.push({ recipient: recipientText(recipient), amount: amountCell(amount, currency), reference, note: name })
    cursor = answer.body.next_cursor
  }
  visit.file('contacts.csv', 'text/csv; charset=utf-8', `\uFEFF${paymentFileText(lines.toReversed(), languageOf(visit.call).language)}`)
}

interface Page {
  readonly data: readonly Contact[]
  readonly next_cursor: string | null
}
