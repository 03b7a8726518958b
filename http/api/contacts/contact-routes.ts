// Contacts of a merchant: one row for each route. Decisions are in engine/domain/contact.
import type { CommandOf, EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Contact, ContactBody, ContactList, groupNamed, ListContactsQuery } from '../../../engine/contract/contact.ts'
import { Deleted } from '../../../engine/contract/dashboard.ts'
import { normalizeRecipient } from '../../../engine/kernel/recipient.ts'
import type { CsvExports } from '../../lists/csv.ts'
import { answerDocuments, CsvColumns, csvResponse, type DocumentCsv } from '../../lists/document-csv.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'

export interface ContactRoutesParts {
  readonly engine: Pick<EngineApi, 'query' | 'whenDurable'>
  readonly csvExports: CsvExports
}

const PATH = '/v1/biz/contacts'
const PARAMS = { id: uuid({ description: 'Id of the contact.' }) }
const TAG = 'Contacts'
/** Who may pay the contacts may read and change them: names and phones of people stand in them. */
const ALLOWED = { auth: 'key-or-session', memberRole: 'manager', scope: 'disbursements.write' } as const
const CSV: DocumentCsv = { path: PATH, fileName: 'contacts.csv', columns: new CsvColumns(Contact) }

const REQUEST: ContactBody = {
  ...{ recipient: '@awa_diallo', name: 'Awa Diallo', groups: ['Employés'], amount: 150_000, reference: 'PAIE-AWA' },
}

const EXAMPLE: Contact = {
  id: '019aa0f8-1c00-7c41-8c4d-5e6f708192a3',
  recipient: 'awa_diallo',
  name: 'Awa Diallo',
  groups: ['Employés'],
  amount: 150_000,
  currency: 'XOF',
  reference: 'PAIE-AWA',
  environment: 'live',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
}

export function contactRoutes(parts: ContactRoutesParts): readonly Route[] {
  return [createRoute(), listRoute(parts), getRoute(parts), replaceRoute(), deleteRoute()]
}

function createRoute(): Route {
  return route({
    method: 'POST',
    path: PATH,
    operationId: 'createContact',
    tag: TAG,
    summary: 'Save a recipient that you pay again',
    description: CREATE_DESCRIPTION,
    ...ALLOWED,
    idempotency: 'accepted',
    body: ContactBody,
    bodyExample: REQUEST,
    responses: [{ status: 201, description: 'The contact.', schema: Contact, example: EXAMPLE }],
    commands: ['AddContact'],
    errors: ['invalid_recipient'],
    handle: (call) => {
      const { account: merchant } = call.principal
      const fields = fieldsOf(call)
      if (fields !== null) call.submit({ type: 'AddContact', merchant, ...fields }, merchant)
    },
  })
}

const CREATE_DESCRIPTION = `A recipient stands once in an environment (409 \`contact_exists\`): a tag and the phone of the same wallet are two recipients. It is not looked up
here, so a contact says nothing about wallets. \`POST /v1/biz/disbursements\` with \`group\` pays every contact of a group. An account can have 100 000
contacts (quota \`contacts\`).`

function listRoute(parts: ContactRoutesParts): Route {
  return route({
    method: 'GET',
    path: PATH,
    operationId: 'listContacts',
    tag: TAG,
    summary: 'List contacts',
    description: LIST_DESCRIPTION,
    ...ALLOWED,
    idempotency: 'none',
    query: ListContactsQuery,
    responses: [
      {
        ...{ status: 200, description: 'One page, newest first.', schema: ContactList },
        example: { data: [EXAMPLE], has_more: false, next_cursor: null },
      },
      csvResponse(CSV, EXAMPLE),
    ],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      answerDocuments(parts, call, CSV, (query, slice) => parts.engine.query('contacts.list', { account, query, slice }))
    },
  })
}

const LIST_DESCRIPTION = `Newest first. With \`Accept: text/csv\` the answer is CSV. With a filter, a page may end early when very many had to be looked at: go on with
\`next_cursor\` for as long as \`has_more\` is true.`

function getRoute(parts: ContactRoutesParts): Route {
  return route({
    method: 'GET',
    path: `${PATH}/{id}`,
    operationId: 'getContact',
    tag: TAG,
    summary: 'Get a contact',
    description: '404 `not_found` for a contact of another merchant or environment.',
    ...ALLOWED,
    idempotency: 'none',
    params: PARAMS,
    responses: [{ status: 200, description: 'The contact.', schema: Contact, example: EXAMPLE }],
    errors: [],
    handle: (call) => {
      const found = parts.engine.query('contacts.get', { account: call.principal.account, id: idOf(call) })
      if (found === null) call.refuse('not_found')
      else call.answer(200, found)
    },
  })
}

function replaceRoute(): Route {
  return route({
    method: 'PUT',
    path: `${PATH}/{id}`,
    operationId: 'replaceContact',
    tag: TAG,
    summary: 'Replace a contact',
    description: 'All its fields: one that is not sent becomes empty. Disbursements that were made before keep their lines.',
    ...ALLOWED,
    idempotency: 'accepted',
    params: PARAMS,
    body: ContactBody,
    bodyExample: REQUEST,
    responses: [{ status: 200, description: 'The contact.', schema: Contact, example: EXAMPLE }],
    commands: ['ReplaceContact'],
    errors: ['invalid_recipient'],
    handle: (call) => {
      const { account: merchant } = call.principal
      const fields = fieldsOf(call)
      if (fields !== null) call.submit({ type: 'ReplaceContact', merchant, id: idOf(call), ...fields }, merchant)
    },
  })
}

function deleteRoute(): Route {
  return route({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operationId: 'deleteContact',
    tag: TAG,
    summary: 'Delete a contact',
    description: 'Disbursements that were made before keep their lines.',
    ...ALLOWED,
    idempotency: 'none',
    params: PARAMS,
    responses: [{ status: 200, description: 'Deleted.', schema: Deleted, example: { id: EXAMPLE.id, deleted: true } }],
    commands: ['DeleteContact'],
    errors: [],
    handle: (call) => {
      const { account: merchant } = call.principal
      call.submit({ type: 'DeleteContact', merchant, id: idOf(call) }, merchant)
    },
  })
}

type Fields = Omit<CommandOf<'AddContact'>, 'type' | 'merchant'>

/** Returns the fields of the body; null where it has refused them. */
function fieldsOf(call: Call<ContactBody, Record<string, unknown>, MerchantPrincipal>): Fields | null {
  const { recipient: sent, name = '', groups = [], amount = null, reference = '' } = call.body
  const recipient = normalizeRecipient(sent)
  if (recipient !== null) return { recipient, name, groups: [...new Set(groups.map(groupNamed))], amount, reference }
  call.refuse('invalid_recipient', 'recipient')
  return null
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
