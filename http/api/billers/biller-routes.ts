// The profile of a biller: one row for each route. Decisions are in engine/domain/biller.

import { DISPLAY_NAME_LENGTH_MAX, type EngineApi, isFrozen, publicBiller, SHORT_DESC_LENGTH_MAX } from '../../../engine/api.ts'
import { Biller, CATEGORIES, CategoryList, LogoForm, SaveBillerBody, UploadedLogo } from '../../../engine/contract/biller.ts'
import { LIST_LIMIT_DEFAULT, PageQuery } from '../../../engine/contract/common.ts'
import { decodeCursor, encodeCursor } from '../../../engine/contract/cursor.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { isName, isText, type Static } from '../../../engine/contract/schema.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { BILLER, BILLER_REQUEST } from './biller-examples.ts'
import { LOGO_BYTES_MAX, logoOf, logosBase, type PublicAddress } from './logo-file.ts'

const PATH = '/v1/biz/biller'
const TAG = 'Biller directory'
/** Maximum size of the form without the file: delimiters, part headers, other parts. */
const FORM_BYTES = 16 * 1024

export interface BillerRoutesParts extends PublicAddress {
  readonly engine: Pick<EngineApi, 'query'>
}

export function billerRoutes(parts: BillerRoutesParts): readonly Route[] {
  return [...profileRoutes(parts), categoriesRoute(), logoUploadRoute(parts), submitRoute(parts), testApproveRoute(parts)]
}

function profileRoutes(parts: BillerRoutesParts): readonly Route[] {
  return [
    route({
      method: 'PUT',
      path: PATH,
      operationId: 'saveBiller',
      tag: TAG,
      summary: 'Create or change your profile',
      description:
        'One profile for both environments. After the publication only `short_desc` changes: 409 `field_frozen`. A change of name or category under review counts as a new submission. Spaces around texts are dropped; characters that turn the direction of writing are refused.',
      auth: 'key-or-session',
      idempotency: 'none',
      body: SaveBillerBody,
      bodyExample: BILLER_REQUEST,
      responses: [{ status: 200, description: 'The profile.', schema: Biller, example: BILLER }],
      commands: ['SaveBiller'],
      errors: ['short_desc_required'],
      handle: (call) => save(parts, call),
    }),
    route({
      method: 'GET',
      path: PATH,
      operationId: 'getBiller',
      tag: TAG,
      summary: 'Get your profile',
      description: '404 `biller_not_found` before the first PUT.',
      auth: 'key-or-session',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The profile.', schema: Biller, example: BILLER }],
      errors: ['biller_not_found'],
      handle: (call) => {
        const biller = parts.engine.query('billers.byAccount', { account: call.principal.account })
        if (biller === null) return call.refuse('biller_not_found')
        call.answer(200, JSON.stringify(publicBiller(biller, logosBase(parts))))
      },
    }),
  ]
}

function categoriesRoute(): Route {
  return route({
    method: 'GET',
    path: `${PATH}/categories`,
    operationId: 'listBillerCategories',
    tag: TAG,
    summary: 'List categories',
    description: 'In the order in which the app shows them. They were not created: `created_from` and `created_to` change nothing.',
    auth: 'key-or-session',
    idempotency: 'none',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'One page.',
        schema: CategoryList,
        example: { data: CATEGORIES.slice(0, 2), has_more: true, next_cursor: encodeCursor({ position: 2 }) },
      },
    ],
    errors: [],
    handle: (call) => listCategories(call),
  })
}

function logoUploadRoute(parts: PublicAddress): Route {
  return route({
    method: 'POST',
    path: `${PATH}/logo`,
    operationId: 'uploadBillerLogo',
    tag: TAG,
    summary: 'Upload your logo',
    description:
      'Before the biller is published, the logo is shown at once; afterwards an operator reviews it first. An Idempotency-Key compares the file alone, not the form around it. Beyond some hundred logos a day: 429 `rate_limited`.',
    auth: 'key-or-session',
    idempotency: 'accepted',
    bodyType: 'multipart',
    body: LogoForm,
    bodyBytesMax: LOGO_BYTES_MAX + FORM_BYTES,
    bodyTooLarge: 'logo_too_large',
    responses: [
      {
        status: 200,
        description: 'Taken.',
        schema: UploadedLogo,
        example: { logo_url: BILLER.logo_url, pending: false },
      },
    ],
    commands: ['SetBillerLogo'],
    errors: ['logo_required', 'logo_too_large', 'invalid_logo_format', 'logo_not_square', 'logo_too_small'],
    handle: (call) => uploadLogo(parts, call),
  })
}

function submitRoute(parts: PublicAddress): Route {
  return route({
    method: 'POST',
    path: `${PATH}/submit`,
    operationId: 'submitBiller',
    tag: TAG,
    summary: 'Submit your profile for review',
    description: 'The profile needs name, category, description and logo, and one active product. An operator then approves or rejects it.',
    auth: 'key-or-session',
    idempotency: 'accepted',
    responses: [{ status: 200, description: 'In review.', schema: Biller, example: { ...BILLER, directory_state: 'in_review' } }],
    commands: ['SubmitBiller'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'SubmitBiller', merchant: account, logosBase: logosBase(parts) }, account)
    },
  })
}

function testApproveRoute(parts: PublicAddress): Route {
  return route({
    method: 'POST',
    path: '/v1/biz/test/billers/approve',
    operationId: 'approveTestBiller',
    tag: 'Test helpers',
    summary: 'Approve your profile for test wallets',
    description:
      'As if an operator had approved what is under review, for the test environment: `directory_state` is `published`, `live` stays false, and live wallets go on waiting for an operator. `biller.approved` goes to test endpoints.',
    auth: 'key',
    idempotency: 'accepted',
    testOnly: true,
    responses: [{ status: 200, description: 'Published.', schema: Biller, example: { ...BILLER, live: false } }],
    commands: ['ApproveTestBiller'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'ApproveTestBiller', merchant: account, logosBase: logosBase(parts) }, account)
    },
  })
}

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

/** Rejects with the first invalid field, in the order of the schema. A frozen profile may omit the frozen fields. */
function save(parts: BillerRoutesParts, call: MerchantCall<SaveBillerBody>): void {
  const { display_name, category, short_desc } = call.body
  const { account } = call.principal
  const before = parts.engine.query('billers.byAccount', { account })
  const frozen = before !== null && isFrozen(before)
  const name = readName(display_name)
  if (name === '' && !frozen) return call.refuse('display_name_required', 'display_name')
  if (name === null) return call.refuse('invalid_request', 'display_name', because('display_name'))
  const isLeftOut = category === undefined || category === null
  if (isLeftOut ? !frozen : !isCategory(category)) return call.refuse('invalid_category', 'category')
  const shortDesc = readText(short_desc, SHORT_DESC_LENGTH_MAX)
  if (shortDesc === '') return call.refuse('short_desc_required', 'short_desc')
  if (shortDesc === null) return call.refuse('invalid_request', 'short_desc', because('short_desc'))
  const fields = { displayName: name === '' ? null : name, category: isLeftOut ? null : (category as string), shortDesc }
  call.submit({ type: 'SaveBiller', merchant: account, ...fields, logosBase: logosBase(parts) }, account)
}

function isCategory(category: unknown): boolean {
  return CATEGORIES.some(({ slug }) => slug === category)
}

/** Unicode bidirectional embeddings, overrides and isolates. They can make one name look like another. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/

/** As `readText`, for the name in the directory. */
function readName(value: unknown): string | null {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return ''
  return isName(value, DISPLAY_NAME_LENGTH_MAX) ? value.trim() : null
}

/** Returns the trimmed text. An absent text returns '', an invalid one returns null. */
function readText(value: unknown, lengthMax: number): string | null {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string' || !isText(value, 'many', lengthMax) || DIRECTIONS.test(value)) return null
  return value.trim()
}

/** Reads the bytes before it returns: the body is not available afterwards. */
function uploadLogo(parts: PublicAddress, call: MerchantCall<Static<typeof LogoForm>>): void {
  const logo = logoOf(call.body.file as Buffer | undefined)
  if (typeof logo === 'string') return call.refuse(logo, 'file')
  const { account } = call.principal
  call.submit({ type: 'SetBillerLogo', merchant: account, ...logo, logosBase: logosBase(parts) }, account)
}

function listCategories(call: MerchantCall<unknown, PageQuery>): void {
  const { cursor, limit = LIST_LIMIT_DEFAULT } = call.query
  const place = cursor === undefined ? { position: 0 } : decodeCursor(cursor)
  if (place === null || !('position' in place)) return call.refuse('invalid_parameter', 'cursor', because('cursor'))
  const end = place.position + limit
  const texts = CATEGORIES.slice(place.position, end).map((category) => JSON.stringify(category))
  answerPage(call, { rows: texts, nextCursor: end < CATEGORIES.length ? encodeCursor({ position: end }) : null })
}
